import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Reason } from '../../lambdas/rejections/reasons.ts';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { BOTH, ONLY_1A, ONLY_1B, type Trial, type TriedRow } from '../row.ts';
import { jsonOf } from '../world/bodies.ts';
import type { Submission } from '../world/submission.ts';
import { expectReason, type SeenBy } from './expect-reason.ts';

/** A cause of rejection: how to bring it about, and what is read of it inside. */
export interface Cause {
  readonly cause: string;
  readonly surfaces: readonly Surface[];
  readonly reason: Reason;
  readonly seenBy?: SeenBy;
  readonly arrange?: TriedRow['arrange'];
  readonly submission?: (trial: Trial) => Submission;
}

export function rowOf(cause: Cause, rule = cause.cause): TriedRow {
  const { surfaces, reason, seenBy = 'owner', arrange, submission } = cause;
  return {
    ...{ rule, surfaces, note: seenBy === 'operator' ? `${reason}, for the operator` : reason },
    ...(arrange && { arrange }),
    async check(trial) {
      trial.world.rejectedOnly.add(trial.sender);
      await expectReason(trial, submission?.(trial) ?? {}, { reason, seenBy });
    },
  };
}

export const MISSING_TOKEN: Cause = {
  cause: 'Missing token',
  surfaces: ONLY_1A,
  reason: 'token_missing',
  seenBy: 'operator',
  submission: () => ({ headers: { Authorization: null } }),
};

export const INVALID_TOKEN: Cause = {
  cause: 'Invalid token',
  surfaces: ONLY_1A,
  reason: 'token_invalid',
  seenBy: 'operator',
  submission: () => ({ token: 'ingt_srv_nobodys' }),
};

export const REVOKED_TOKEN: Cause = {
  cause: 'Invalid token: revoked',
  surfaces: ONLY_1A,
  reason: 'token_revoked',
  async arrange({ world, sender }) {
    await world.stack.administration.revokeToken(sender.tokenId);
    return {};
  },
};

export const WRONG_TOKEN_TYPE: Cause = {
  cause: 'Wrong token type',
  surfaces: ONLY_1A,
  reason: 'token_wrong_type',
  async arrange({ world, sender }) {
    const { formId } = sender;
    const { token } = await world.stack.administration.createToken({ formId, type: 'browser' });
    return { token };
  },
};

export const SUSPENDED: Cause = {
  cause: 'Suspended workspace',
  surfaces: BOTH,
  reason: 'workspace_suspended',
  arrange: ({ world }) => world.suspended.newSender(),
};

export const FORM_REMOVED: Cause = {
  cause: 'Form not found: removed under its token',
  surfaces: ONLY_1A,
  reason: 'form_not_found',
  async arrange({ world }) {
    // Without a secret, which could not be found again once the form is gone.
    const sender = await world.main.newSender({ secret: false });
    const { slug, formId } = sender;
    const { client, tables } = world.stack;
    await client.send(new DeleteCommand({ TableName: tables.forms, Key: { slug, formId } }));
    return sender;
  },
};

export const FORM_UNKNOWN: Cause = {
  cause: 'Form not found: unknown slug',
  surfaces: ONLY_1B,
  reason: 'form_not_found',
  seenBy: 'operator',
  submission: ({ sender }) => ({ slug: `${sender.slug}-0` }),
};

export const FORM_INACTIVE: Cause = {
  cause: 'Form inactive',
  surfaces: BOTH,
  reason: 'form_inactive',
  async arrange({ world, sender }) {
    await world.stack.administration.setFormActive({ formId: sender.formId, active: false });
    return {};
  },
};

export const SLUG_AMBIGUOUS: Cause = {
  cause: 'Ambiguous slug',
  surfaces: ONLY_1B,
  reason: 'slug_ambiguous',
  seenBy: 'owner, of no form',
  async arrange({ world, sender }) {
    // The service makes slugs unique: only data that was imported can be ambiguous.
    const { slug, workspaceId, formId } = sender;
    const twin = { slug, workspaceId, formId: `${formId}twin`, name: 'Imported', active: true };
    const Item = { ...twin, createdAt: new Date().toISOString(), v: 1 };
    const { client, tables } = world.stack;
    await client.send(new PutCommand({ TableName: tables.forms, Item }));
    return {};
  },
};

export const NO_SECRET: Cause = {
  cause: 'No webhook secret configured',
  surfaces: ONLY_1B,
  reason: 'secret_not_configured',
  arrange: ({ world }) => world.main.newSender({ secret: false }),
};

export const TIMESTAMP_MISSING: Cause = {
  cause: 'Missing timestamp',
  surfaces: ONLY_1B,
  reason: 'timestamp_missing',
  submission: () => ({ headers: { 'X-SVC-Timestamp': null } }),
};

export const TIMESTAMP_INVALID: Cause = {
  cause: 'Invalid timestamp',
  surfaces: ONLY_1B,
  reason: 'timestamp_invalid',
  submission: () => ({ timestamp: 'yesterday' }),
};

export const TIMESTAMP_BEHIND: Cause = {
  cause: 'Timestamp more than 5 minutes behind',
  surfaces: ONLY_1B,
  reason: 'timestamp_out_of_window',
  // The way there only makes it older.
  submission: ({ world }) => ({ timestamp: secondsFrom(world, -301 - world.clockDoubtSeconds) }),
};

export const TIMESTAMP_AHEAD: Cause = {
  cause: 'Timestamp more than 5 minutes ahead',
  surfaces: ONLY_1B,
  reason: 'timestamp_out_of_window',
  // The way there brings it nearer to the window.
  submission: ({ world }) => ({ timestamp: secondsFrom(world, 306 + world.clockDoubtSeconds) }),
};

export const SIGNATURE_MISSING: Cause = {
  cause: 'Missing signature',
  surfaces: ONLY_1B,
  reason: 'signature_missing',
  submission: () => ({ headers: { 'X-SVC-Signature': null } }),
};

export const SIGNATURE_MALFORMED: Cause = {
  cause: 'Malformed signature',
  surfaces: ONLY_1B,
  reason: 'signature_malformed',
  submission: () => ({ signature: 'deadbeef' }),
};

export const SIGNATURE_MISMATCH: Cause = {
  cause: 'Signature mismatch',
  surfaces: ONLY_1B,
  reason: 'signature_mismatch',
  submission: () => ({ secret: 'whsec_somebody_elses' }),
};

export const KEY_EMPTY: Cause = {
  cause: 'Malformed idempotency key: empty',
  surfaces: BOTH,
  reason: 'idempotency_key_malformed',
  submission: () => ({ headers: { 'X-SVC-Idempotency-Key': '' } }),
};

export const KEY_TOO_LONG: Cause = {
  cause: 'Malformed idempotency key: 256 characters',
  surfaces: BOTH,
  reason: 'idempotency_key_malformed',
  submission: () => ({ headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(256) } }),
};

export const BODY_TOO_LARGE: Cause = {
  cause: 'Oversized body: 131,073 bytes',
  surfaces: BOTH,
  reason: 'body_too_large',
  submission: () => ({ body: jsonOf(131_073) }),
};

export const BODY_TOO_LARGE_TO_PARSE: Cause = {
  cause: 'Oversized body that is no JSON',
  surfaces: BOTH,
  reason: 'body_too_large',
  submission: () => ({ body: 'x'.repeat(131_073) }),
};

/** Unix seconds, so far from the service's time. */
export function secondsFrom({ now }: Trial['world'], seconds: number): string {
  return String(Math.floor(now() / 1000) + seconds);
}
