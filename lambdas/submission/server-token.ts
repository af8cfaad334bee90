import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Rejection, UNATTRIBUTED } from '../rejections/reasons.ts';
import {
  base62,
  type Form,
  type IngestToken,
  refuse,
  type TokenType,
  type Verdict,
  type Workspace,
} from './configuration.ts';
import type { SenderList } from './senders.ts';
import { type Headers, singleHeader } from './submission.ts';

const PREFIXES: Record<TokenType, string> = { server: 'ingt_srv_', browser: 'ingt_brw_' };

/** The checksum lets a secret scanner tell a leaked token from a string that only looks like one. */
export function makeIngestToken(type: TokenType, random32: Uint8Array): string {
  const secret = base62(random32);
  return `${PREFIXES[type]}${secret}${tokenChecksum(secret)}`;
}

export function tokenChecksum(secret: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(secret));
  return base62(sum);
}

export function hasTokenChecksum(token: string): boolean {
  const secret = token.slice(PREFIXES.server.length, -6);
  return secret.length > 0 && token.endsWith(tokenChecksum(secret));
}

/** Stored and looked up instead of the token. 256 random bits need no salt and no slow hash. */
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

/** Everything stored about a token. */
export interface TokenConfiguration {
  readonly token?: IngestToken | undefined;
  readonly workspace?: Workspace | undefined;
  readonly form?: Form | undefined;
  readonly senders?: SenderList | undefined;
}

export function judgeServerToken(
  { token, workspace, form, senders }: TokenConfiguration,
  { headers }: { readonly headers: Headers },
): Verdict {
  if (!token) {
    // Browsers' tokens are signed and not stored.
    const isBrowsers = bearerToken(headers).startsWith(PREFIXES.browser);
    return refuse(isBrowsers ? 'token_wrong_type' : 'token_invalid', UNATTRIBUTED);
  }
  const owner = { workspaceIds: [token.workspaceId], formId: token.formId };
  if (token.type !== 'server') return refuse('token_wrong_type', owner, { type: token.type });
  if (token.revokedAt !== undefined) return refuse('token_revoked', owner);
  // A token outlives its workspace only for as long as an offboarding takes.
  if (!workspace) return refuse('token_invalid', owner);
  if (workspace.status !== 'active') return refuse('workspace_suspended', owner);
  if (!form) return refuse('form_not_found', owner);
  if (!form.active) return refuse('form_inactive', owner);
  return {
    credential: {
      workspaceId: workspace.workspaceId,
      configVersion: workspace.configVersion,
      form,
      senders,
      provedBy: `token#${token.tokenId}`,
    },
  };
}
