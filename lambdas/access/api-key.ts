import { base62 } from '../model/configuration.ts';
import { tokenChecksum } from '../model/ingest-token.ts';
import type { Scope } from '../owner-api/scopes.ts';

const PREFIX = 'lik_';

/** Like a server token: 32 random bytes and a checksum, by which a secret scanner recognizes a leaked key. */
export function makeApiKey(random32: Uint8Array): string {
  const secret = base62(random32);
  return `${PREFIX}${secret}${tokenChecksum(secret)}`;
}

/** Whether somebody means an API key and not an ID token. */
export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

const SHAPE = /^lik_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A mistyped or truncated key is recognized without a look into the table. */
export function hasKeyChecksum(key: string): boolean {
  const [, secret, checksum] = SHAPE.exec(key) ?? [];
  return secret !== undefined && tokenChecksum(secret) === checksum;
}

/** What is stored of a key: never the key itself. */
export interface ApiKey {
  readonly keyHash: string;
  readonly keyId: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  /** The email address of the owner who made it. */
  readonly createdBy: string;
  /** Their id as a member. Keys of earlier versions have none. */
  readonly createdById?: string;
  /** Exact to ten minutes. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

/** What owners see of a key. Attributes are listed one by one: the hash is never among them. */
export function listedKey(key: ApiKey) {
  const { keyId, name, scopes, createdAt, createdBy, createdById, lastUsedAt, revokedAt } = key;
  return { keyId, name, scopes, createdAt, createdBy, createdById, lastUsedAt, revokedAt };
}
