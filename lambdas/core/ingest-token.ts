import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from './base62.ts';
import { type Headers, singleHeader } from './headers.ts';
import { Rejection } from './rejection.ts';

/** `browser` is kept for Surface 2: such a token is known, and refused here as the wrong type. */
export type TokenType = 'server' | 'browser';

const PREFIXES: Record<TokenType, string> = { server: 'ingt_srv_', browser: 'ingt_brw_' };

/** The checksum lets a secret scanner tell a leaked token from a string that only looks like one. */
export function makeIngestToken(type: TokenType, random32: Uint8Array): string {
  const secret = base62(random32);
  return `${PREFIXES[type]}${secret}${tokenChecksum(secret)}`;
}

function tokenChecksum(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return base62(sum);
}

export function hasTokenChecksum(token: string): boolean {
  const secret = token.slice(PREFIXES.server.length, -6);
  return secret.length > 0 && token.endsWith(tokenChecksum(secret));
}

/** What is stored and looked up instead of the token. 256 random bits need no salt and no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

export function bearerToken(headers: Headers): string {
  const header = singleHeader(headers, 'authorization');
  if (header === 'repeated')
    throw new Rejection('token_invalid', { problem: 'Authorization sent more than once' });
  const value = header?.value.trim() ?? '';
  if (value === '' || /^Bearer$/i.test(value)) throw new Rejection('token_missing');
  const token = BEARER.exec(value)?.[1];
  if (!token) throw new Rejection('token_invalid', { problem: 'not of the form "Bearer <token>"' });
  return token;
}
