import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, type TokenType } from './configuration.ts';

export const TOKEN_PREFIXES: Record<TokenType, string> = { server: 'ingt_srv_', browser: 'ingt_brw_' };

/** The checksum lets a secret scanner tell a leaked token from a string that only looks like one. */
export function makeIngestToken(type: TokenType, random32: Uint8Array): string {
  const secret = base62(random32);
  return `${TOKEN_PREFIXES[type]}${secret}${tokenChecksum(secret)}`;
}

export function tokenChecksum(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return base62(sum);
}

export function hasTokenChecksum(token: string): boolean {
  const secret = token.slice(TOKEN_PREFIXES.server.length, -6);
  return secret.length > 0 && token.endsWith(tokenChecksum(secret));
}

/** Stored and looked up instead of the token. 256 random bits need no salt and no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
