import { randomBytes } from 'node:crypto';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { Reason } from '../../lambdas/contract.ts';
import { rateWindowsAt, type Surface } from '../../lambdas/submission/limits.ts';
import { until } from '../local/support/until.ts';
import type { HttpAnswer } from './http.ts';
import { openContract, SAMPLE, type Submission, submit, type Tenant, visible } from './tenant.ts';

// Specification: Errors, row for row, with what the owner must find in Diagnostics beside it.
const { administration, client, tables, ...contract } = openContract();

interface Row {
  readonly cause: string;
  readonly surfaces: readonly Surface[];
  readonly reason: Reason;
  /** Whose diagnostics it is in: the owner's, the operator's, or only counted for the owner. */
  readonly seenBy: 'owner' | 'operator' | 'owner, counted only';
  readonly submission?: Submission;
  readonly arrange?: (tenant: Tenant, surface: Surface) => Promise<Submission | undefined>;
}

const now = () => Math.floor(Date.now() / 1000);
const done = async (change: Promise<unknown>): Promise<undefined> => void (await change);

const BOTH = ['1a', '1b'] as const;
const A = ['1a'] as const;
const B = ['1b'] as const;

/** The causes of the specification's table. */
const SPECIFIED: Row[] = [
  {
    cause: 'Missing token',
    surfaces: A,
    reason: 'token_missing',
    seenBy: 'operator',
    submission: { headers: { Authorization: null } },
  },
  {
    cause: 'Invalid token: unknown',
    surfaces: A,
    reason: 'token_invalid',
    seenBy: 'operator',
    submission: { token: 'ingt_srv_nobodys' },
  },
  {
    cause: 'Invalid token: another scheme',
    surfaces: A,
    reason: 'token_invalid',
    seenBy: 'operator',
    submission: { headers: { Authorization: 'Basic dTpw' } },
  },
  {
    cause: 'Invalid token: revoked',
    surfaces: A,
    reason: 'token_revoked',
    seenBy: 'owner',
    arrange: ({ tokenId }) => done(administration.revokeToken(tokenId)),
  },
  {
    cause: 'Wrong token type',
    surfaces: A,
    reason: 'token_wrong_type',
    seenBy: 'owner',
    arrange: ({ formId }) => administration.createToken({ formId, type: 'browser' }),
  },
  {
    cause: 'Suspended workspace',
    surfaces: BOTH,
    reason: 'workspace_suspended',
    seenBy: 'owner',
    arrange: ({ workspaceId }) => done(administration.suspendWorkspace(workspaceId)),
  },
  {
    cause: 'Form not found: removed under its token',
    surfaces: A,
    reason: 'form_not_found',
    seenBy: 'owner',
    arrange: ({ slug, formId }) =>
      done(client.send(new DeleteCommand({ TableName: tables.forms, Key: { slug, formId } }))),
  },
  {
    cause: 'Form not found: unknown slug',
    surfaces: B,
    reason: 'form_not_found',
    seenBy: 'operator',
    submission: { slug: 'nobody-has-this' },
  },
  {
    cause: 'Form not found: slug in another case',
    surfaces: B,
    reason: 'form_not_found',
    seenBy: 'operator',
    arrange: async ({ slug }) => ({ slug: slug.toUpperCase() }),
  },
  {
    cause: 'Form inactive',
    surfaces: BOTH,
    reason: 'form_inactive',
    seenBy: 'owner',
    arrange: ({ formId }) => done(administration.setFormActive({ formId, active: false })),
  },
  {
    cause: 'Ambiguous slug: two forms of one workspace',
    surfaces: B,
    reason: 'slug_ambiguous',
    seenBy: 'owner',
    arrange: ({ slug, workspaceId }) => importForm(slug, workspaceId),
  },
  {
    cause: 'Ambiguous slug: forms of two workspaces',
    surfaces: B,
    reason: 'slug_ambiguous',
    seenBy: 'owner, counted only',
    arrange: async ({ slug }) => importForm(slug, (await contract.newTenant()).workspaceId),
  },
  {
    cause: 'No webhook secret configured',
    surfaces: B,
    reason: 'secret_not_configured',
    seenBy: 'owner',
    arrange: ({ slug, formId }) =>
      done(client.send(new DeleteCommand({ TableName: tables.formSecrets, Key: { slug, formId } }))),
  },
  {
    cause: 'Missing timestamp',
    surfaces: B,
    reason: 'timestamp_missing',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Timestamp': null } },
  },
  {
    cause: 'Invalid timestamp',
    surfaces: B,
    reason: 'timestamp_invalid',
    seenBy: 'owner',
    submission: { timestamp: 'yesterday' },
  },
  {
    cause: 'Timestamp sent twice',
    surfaces: B,
    reason: 'timestamp_invalid',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Timestamp': ['1', '1'] } },
  },
  {
    cause: 'Timestamp more than 5 minutes ago',
    surfaces: B,
    reason: 'timestamp_out_of_window',
    seenBy: 'owner',
    arrange: async () => ({ timestamp: String(now() - 310) }),
  },
  {
    cause: 'Timestamp more than 5 minutes ahead',
    surfaces: B,
    reason: 'timestamp_out_of_window',
    seenBy: 'owner',
    arrange: async () => ({ timestamp: String(now() + 400) }),
  },
  {
    cause: 'Timestamp in milliseconds',
    surfaces: B,
    reason: 'timestamp_out_of_window',
    seenBy: 'owner',
    arrange: async () => ({ timestamp: String(Date.now()) }),
  },
  {
    cause: 'Missing signature',
    surfaces: B,
    reason: 'signature_missing',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Signature': null } },
  },
  {
    cause: 'Malformed signature',
    surfaces: B,
    reason: 'signature_malformed',
    seenBy: 'owner',
    submission: { signature: 'deadbeef' },
  },
  {
    cause: 'Signature mismatch',
    surfaces: B,
    reason: 'signature_mismatch',
    seenBy: 'owner',
    submission: { secret: 'whsec_somebody_elses' },
  },
  {
    cause: 'Minute limit exceeded',
    surfaces: BOTH,
    reason: 'rate_limited_minute',
    seenBy: 'owner',
    arrange: (tenant, surface) => exhaust(tenant, surface, 'minute'),
  },
  {
    cause: 'Day limit exceeded',
    surfaces: BOTH,
    reason: 'rate_limited_day',
    seenBy: 'owner',
    arrange: (tenant, surface) => exhaust(tenant, surface, 'day'),
  },
  {
    cause: 'Malformed idempotency key: empty',
    surfaces: BOTH,
    reason: 'idempotency_key_malformed',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Idempotency-Key': '' } },
  },
  {
    cause: 'Malformed idempotency key: 256 characters',
    surfaces: BOTH,
    reason: 'idempotency_key_malformed',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(256) } },
  },
  {
    cause: 'Malformed idempotency key: sent twice',
    surfaces: BOTH,
    reason: 'idempotency_key_malformed',
    seenBy: 'owner',
    submission: { headers: { 'X-SVC-Idempotency-Key': ['k', 'k'] } },
  },
  {
    cause: 'Oversized body',
    surfaces: BOTH,
    reason: 'body_too_large',
    seenBy: 'owner',
    submission: { body: padded(131_073) },
  },
];

/** Where the specification is silent, these are rejected too. */
const DECIDED: Row[] = [
  {
    cause: 'No content type',
    surfaces: BOTH,
    reason: 'content_type_unsupported',
    seenBy: 'owner',
    submission: { headers: { 'Content-Type': null } },
  },
  {
    cause: 'Another content type',
    surfaces: BOTH,
    reason: 'content_type_unsupported',
    seenBy: 'owner',
    submission: { headers: { 'Content-Type': 'text/plain' } },
  },
  {
    cause: 'A +json content type',
    surfaces: BOTH,
    reason: 'content_type_unsupported',
    seenBy: 'owner',
    submission: { headers: { 'Content-Type': 'application/vnd.api+json' } },
  },
  {
    cause: 'A content encoding',
    surfaces: BOTH,
    reason: 'content_encoding_unsupported',
    seenBy: 'owner',
    submission: { headers: { 'Content-Encoding': 'br' } },
  },
  {
    cause: 'Invalid JSON',
    surfaces: BOTH,
    reason: 'body_invalid_json',
    seenBy: 'owner',
    submission: { body: '{"a":' },
  },
  {
    cause: 'JSON that is no object',
    surfaces: BOTH,
    reason: 'body_not_object',
    seenBy: 'owner',
    submission: { body: '[1]' },
  },
];

/** A slug is made unique by the service, so only imported data can be ambiguous; active or not makes no difference. */
function importForm(slug: string, workspaceId: string): Promise<undefined> {
  const Item = { slug, formId: 'form_imported', workspaceId, active: false, name: 'Imported', v: 1 };
  return done(client.send(new PutCommand({ TableName: tables.forms, Item })));
}

function padded(bytes: number): string {
  return `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;
}

/** Fills this window and the next one, so that no border of a minute or a day can open the gate meanwhile. */
async function exhaust(tenant: Tenant, surface: Surface, window: 'minute' | 'day'): Promise<undefined> {
  const length = window === 'minute' ? 60_000 : 86_400_000;
  const [present, next] = [Date.now(), Date.now() + length].map((at) => rateWindowsAt(surface, at));
  const counter = window === 'minute' ? 'minuteCounter' : 'dayCounter';
  await client.send(
    new UpdateCommand({
      TableName: tables.workspaces,
      Key: { workspaceId: tenant.workspaceId },
      UpdateExpression: 'SET #present = :limit, #next = :limit',
      ExpressionAttributeNames: { '#present': present?.[counter] ?? '', '#next': next?.[counter] ?? '' },
      ExpressionAttributeValues: { ':limit': window === 'minute' ? 1_000 : 50_000 },
    }),
  );
  return undefined;
}

/** Recording unauthenticated requests gives up after 300 ms: on a busy machine it may take a second rejection. */
async function untilRecorded(reject: () => Promise<HttpAnswer>, owner: string | undefined) {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const record = await contract.recordOf(await reject(), owner);
    if (record) return record;
  }
  throw new Error('the rejection was not recorded');
}

const countersOf = (workspaceId: string, prefix: string) =>
  until(async () => {
    const counters = await contract.diagnostics(workspaceId, prefix);
    return counters.length > 0 && counters;
  });

const rows = (table: Row[]) =>
  table.flatMap((row) => row.surfaces.map((surface) => [row.cause, surface, row.reason, row] as const));

describe.each([
  ['specified', rows(SPECIFIED)],
  ['decided', rows(DECIDED)],
])('causes that are %s', (_, table) => {
  test.each(table)(
    '%s, on %s: the opaque rejection, recorded as %s',
    async (_cause, surface, reason, row) => {
      const tenant = await contract.newTenant();
      const submission = { ...row.submission, ...(await row.arrange?.(tenant, surface)) };
      const reject = async () => {
        const answer = await submit(surface, tenant, submission);
        expect(visible(answer)).toEqual({
          status: 200,
          headers: { 'content-type': 'application/json', 'content-length': '21' },
          body: '{"status":"rejected"}',
        });
        return answer;
      };

      if (row.seenBy === 'owner, counted only') {
        const record = await untilRecorded(reject, undefined);
        expect(record).toMatchObject({ reason, sharedBy: expect.arrayContaining([tenant.workspaceId]) });
        const [counter] = await countersOf(tenant.workspaceId, 'rejected#');
        expect(counter?.sk).toMatch(new RegExp(`#${surface}#-#${reason}#u\\d$`));
        expect(await contract.diagnostics(tenant.workspaceId, 'event#')).toEqual([]);
      } else {
        const owner = row.seenBy === 'owner' ? tenant.workspaceId : undefined;
        const record = await untilRecorded(reject, owner);
        expect(record).toMatchObject({ reason, surface });
        if (owner && reason !== 'slug_ambiguous') expect(record.formId).toBe(tenant.formId);
      }
      expect(await contract.leadIds(tenant)).toEqual([]);
    },
  );
});

describe('Diagnostics', () => {
  test('keeps rate-limit rejections apart from all others', async () => {
    const tenant = await contract.newTenant();
    await submit('1a', tenant, { body: '[]' });
    await exhaust(tenant, '1a', 'minute');
    await submit('1a', tenant);
    const reasons = async (prefix: string) =>
      (await countersOf(tenant.workspaceId, prefix)).map(({ sk }) => String(sk).split('#').at(-2));
    expect(new Set(await reasons('limited#'))).toEqual(new Set(['rate_limited_minute']));
    expect(new Set(await reasons('rejected#'))).toEqual(new Set(['body_not_object']));
  });

  test('of one workspace hold nothing of another', async () => {
    const [mine, other] = [await contract.newTenant(), await contract.newTenant()];
    await untilRecorded(() => submit('1b', mine, { secret: 'whsec_not_the_right_one' }), mine.workspaceId);
    await countersOf(mine.workspaceId, 'rejected#');
    expect(await contract.diagnostics(other.workspaceId)).toEqual([]);
  });
});

describe('a burst on one surface', () => {
  test.each([
    ['1a', '1b'],
    ['1b', '1a'],
  ] as const)('that uses up %s leaves %s open', async (full, open) => {
    const tenant = await contract.newTenant();
    await exhaust(tenant, full, 'minute');
    expect((await submit(full, tenant)).status).toBe(200);
    expect((await submit(open, tenant)).status).toBe(202);
  });
});

test('random credentials never get in', async () => {
  const tenant = await contract.newTenant();
  for (let i = 0; i < 20; i += 1) {
    const guess = randomBytes(24).toString('base64url');
    expect((await submit('1a', tenant, { token: `ingt_srv_${guess}` })).status).toBe(200);
    expect(
      (await submit('1b', tenant, { signature: randomBytes(32).toString('hex'), body: SAMPLE })).status,
    ).toBe(200);
  }
});
