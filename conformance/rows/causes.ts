import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { BOTH, ONLY_1A, ONLY_1B, type SentRow, type Trial } from '../row.ts';
import { jsonOf } from '../world/submission.ts';

/** Unix seconds, this far from the service's time. */
export function secondsFrom({ now }: Trial['world'], seconds: number): string {
  return String(Math.floor(now() / 1000) + seconds);
}

/** The service makes slugs unique, so only imported data can be ambiguous. */
async function importTwin({ world, sender }: Trial, twin: { workspaceId: string; active: boolean }) {
  const { slug, formId } = sender;
  const Item = { slug, formId: `${formId}twin`, name: 'Imported', ...twin };
  const { client, tables } = world.stack;
  await client.send(
    new PutCommand({
      TableName: tables.forms,
      Item: { ...Item, createdAt: new Date().toISOString(), v: 1 },
    }),
  );
  return {};
}

/** The causes of rejection of the specification's table. Other sections restate some of them. */
export const CAUSES = {
  tokenMissing: {
    id: 'token-missing',
    rule: 'Missing token',
    surfaces: ONLY_1A,
    send: { headers: { Authorization: null } },
    expect: 'token_missing',
    seenBy: 'operator',
  },
  tokenInvalid: {
    id: 'token-invalid',
    rule: 'Invalid token',
    surfaces: ONLY_1A,
    examples: {
      'an unknown token': { token: 'ingt_srv_nobodys' },
      'another scheme': { headers: { Authorization: 'Basic dTpw' } },
    },
    expect: 'token_invalid',
    seenBy: 'operator',
  },
  tokenRevoked: {
    id: 'token-revoked',
    rule: 'Invalid token: revoked',
    surfaces: ONLY_1A,
    async arrange({ world, sender }) {
      await world.stack.administration.revokeToken(sender.tokenId);
      return {};
    },
    expect: 'token_revoked',
  },
  tokenWrongType: {
    id: 'token-wrong-type',
    rule: 'Wrong token type',
    surfaces: ONLY_1A,
    async arrange({ world, sender: { formId } }) {
      const { token } = await world.stack.administration.createToken({ formId, type: 'browser' });
      return { token };
    },
    expect: 'token_wrong_type',
  },
  suspended: {
    id: 'suspended',
    rule: 'Suspended workspace',
    surfaces: BOTH,
    arrange: ({ world }) => world.suspended.newSender(),
    expect: 'workspace_suspended',
  },
  formRemoved: {
    id: 'form-removed',
    rule: 'Form not found: deleted, token still there',
    surfaces: ONLY_1A,
    async arrange({ world }) {
      // Without a secret, which offboarding could not find once the form is gone.
      const sender = await world.main.newSender({ secret: false });
      const { slug, formId } = sender;
      const { client, tables } = world.stack;
      await client.send(new DeleteCommand({ TableName: tables.forms, Key: { slug, formId } }));
      return sender;
    },
    expect: 'form_not_found',
  },
  slugUnknown: {
    id: 'slug-unknown',
    rule: 'Form not found: unknown slug',
    surfaces: ONLY_1B,
    examples: {
      'another slug': ({ sender }: Trial) => ({ slug: `${sender.slug}-0` }),
      'the slug in upper case': ({ sender }: Trial) => ({ slug: sender.slug.toUpperCase() }),
    },
    expect: 'form_not_found',
    seenBy: 'operator',
  },
  formInactive: {
    id: 'form-inactive',
    rule: 'Form inactive',
    surfaces: BOTH,
    async arrange({ world, sender: { formId } }) {
      await world.stack.administration.setFormActive({ formId, active: false });
      return {};
    },
    expect: 'form_inactive',
  },
  slugAmbiguous: {
    id: 'slug-ambiguous',
    rule: 'Ambiguous slug',
    surfaces: ONLY_1B,
    arrange: (trial) => importTwin(trial, { workspaceId: trial.sender.workspaceId, active: true }),
    expect: 'slug_ambiguous',
    seenBy: 'owner, of no form',
  },
  slugAmbiguousInactive: {
    id: 'slug-ambiguous-inactive',
    rule: 'Ambiguous slug: the other form is inactive',
    surfaces: ONLY_1B,
    arrange: (trial) => importTwin(trial, { workspaceId: trial.sender.workspaceId, active: false }),
    expect: 'slug_ambiguous',
    seenBy: 'owner, of no form',
  },
  slugAmbiguousShared: {
    id: 'slug-ambiguous-shared',
    rule: 'Ambiguous slug: the other form is in another workspace',
    surfaces: ONLY_1B,
    arrange: (trial) => importTwin(trial, { workspaceId: trial.world.other.workspaceId, active: false }),
    expect: 'slug_ambiguous',
    seenBy: 'owner, of no form',
  },
  noSecret: {
    id: 'no-secret',
    rule: 'No webhook secret configured',
    surfaces: ONLY_1B,
    arrange: ({ world }) => world.main.newSender({ secret: false }),
    expect: 'secret_not_configured',
  },
  timestampMissing: {
    id: 'timestamp-missing',
    rule: 'Missing timestamp',
    surfaces: ONLY_1B,
    send: { headers: { 'X-SVC-Timestamp': null } },
    expect: 'timestamp_missing',
  },
  timestampInvalid: {
    id: 'timestamp-invalid',
    rule: 'Invalid timestamp',
    surfaces: ONLY_1B,
    examples: {
      'a word': { timestamp: 'yesterday' },
      'a date': { timestamp: '2026-07-01T12:00:00Z' },
      'a timestamp sent twice': { headers: { 'X-SVC-Timestamp': ['1', '1'] } },
    },
    expect: 'timestamp_invalid',
  },
  timestampBehind: {
    id: 'timestamp-behind',
    rule: 'Timestamp more than 5 minutes behind',
    surfaces: ONLY_1B,
    // The way to the service only makes it older.
    send: ({ world }) => ({ timestamp: secondsFrom(world, -301 - world.clockDoubtSeconds) }),
    expect: 'timestamp_out_of_window',
  },
  timestampAhead: {
    id: 'timestamp-ahead',
    rule: 'Timestamp more than 5 minutes ahead',
    surfaces: ONLY_1B,
    examples: {
      // The way to the service brings it closer to the window.
      '5 minutes and 6 seconds': ({ world }: Trial) => ({
        timestamp: secondsFrom(world, 306 + world.clockDoubtSeconds),
      }),
      milliseconds: ({ world }: Trial) => ({ timestamp: String(world.now()) }),
    },
    expect: 'timestamp_out_of_window',
  },
  signatureMissing: {
    id: 'signature-missing',
    rule: 'Missing signature',
    surfaces: ONLY_1B,
    send: { headers: { 'X-SVC-Signature': null } },
    expect: 'signature_missing',
  },
  signatureMalformed: {
    id: 'signature-malformed',
    rule: 'Malformed signature',
    surfaces: ONLY_1B,
    send: { signature: 'deadbeef' },
    expect: 'signature_malformed',
  },
  signatureMismatch: {
    id: 'signature-mismatch',
    rule: 'Signature mismatch',
    surfaces: ONLY_1B,
    send: { secret: 'whsec_somebody_elses' },
    expect: 'signature_mismatch',
  },
  keyEmpty: {
    id: 'key-empty',
    rule: 'Malformed idempotency key: empty',
    surfaces: BOTH,
    examples: {
      'no characters': { headers: { 'X-SVC-Idempotency-Key': '' } },
      'a space': { headers: { 'X-SVC-Idempotency-Key': ' ' } },
    },
    expect: 'idempotency_key_malformed',
  },
  keyTooLong: {
    id: 'key-too-long',
    rule: 'Malformed idempotency key: 256 characters',
    surfaces: BOTH,
    send: { headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(256) } },
    expect: 'idempotency_key_malformed',
  },
  keyTwice: {
    id: 'key-twice',
    rule: 'Malformed idempotency key: sent twice',
    surfaces: BOTH,
    send: { headers: { 'X-SVC-Idempotency-Key': ['k', 'k'] } },
    expect: 'idempotency_key_malformed',
  },
  bodyTooLarge: {
    id: 'body-too-large',
    rule: 'Oversized body: 131,073 bytes',
    surfaces: BOTH,
    send: { body: jsonOf(131_073) },
    expect: 'body_too_large',
  },
  bodyTooLargeToParse: {
    id: 'body-too-large-to-parse',
    rule: 'Oversized body that is not JSON',
    surfaces: BOTH,
    send: { body: 'x'.repeat(131_073) },
    expect: 'body_too_large',
  },
} satisfies Record<string, SentRow>;
