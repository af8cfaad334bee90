import { createHash } from 'node:crypto';
import { type Headers, singleHeader } from './headers.ts';
import { LIMITS } from './limits.ts';
import { Rejection } from './rejection.ts';

/** Undefined when no key was sent. A key of blanks is empty: HTTP strips them anyway. */
export function idempotencyKey(headers: Headers): string | undefined {
  const header = singleHeader(headers, 'x-svc-idempotency-key');
  if (header === undefined) return undefined;
  if (header === 'repeated')
    throw new Rejection('idempotency_key_malformed', { problem: 'sent more than once' });
  const key = header.value.trim();
  const length = [...key].length;
  if (length < 1 || length > LIMITS.idempotencyKeyCharacters) {
    throw new Rejection('idempotency_key_malformed', { length });
  }
  return key;
}

/** Hashed, since a key may be somebody's address. A workspace id holds no line feed, so the pair is unambiguous. */
export function hashIdempotencyKey(workspaceId: string, key: string): string {
  return createHash('sha256').update(`${workspaceId}\n${key}`).digest('hex');
}
