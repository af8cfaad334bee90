import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Reason } from '../../lambdas/contract.ts';
import { hashToken } from '../../lambdas/model/ingest-token.ts';
import { type AnySurface, LIMITS, rateWindowsAt, type Surface } from '../../lambdas/model/limits.ts';
import {
  type IngestFixture,
  REJECTED,
  type Request,
  type Sender,
  submissionId,
} from '../../local/fixture/ingest-fixture.ts';

/** How many DynamoDB calls a submission waits for in sequence, by its outcome. */
export interface CallCount {
  readonly name: string;
  readonly surface: AnySurface;
  readonly warm: number;
  readonly cold: number;
}

const KEYED: Request = { headers: { 'X-SVC-Idempotency-Key': 'measured' } };

/** On Surfaces 1a and 1b. Counted at the client. Warm: the function has accepted a lead of this sender since the last change of settings. */
export async function countCalls(bench: IngestFixture): Promise<CallCount[]> {
  const counts: CallCount[] = [];
  for (const surface of ['1a', '1b'] as const) {
    counts.push(await countAccepted(bench, surface, 'accepted', {}));
    counts.push(await countAccepted(bench, surface, 'accepted, with key', KEYED));
    counts.push(await countReplay(bench, surface));
    counts.push(await countLimitedWithKey(bench, surface));
  }
  for (const scenario of REJECTIONS) counts.push(await countRejection(bench, scenario));
  return counts;
}

async function countAccepted(
  bench: IngestFixture,
  surface: Surface,
  name: string,
  request: Request,
): Promise<CallCount> {
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    if (state === 'warm') submissionId(await environment.send(surface, sender));
    bench.calls.reset();
    submissionId(await environment.send(surface, sender, request));
    return bench.calls.inSequence();
  };
  return { name, surface, warm: await run('warm'), cold: await run('cold') };
}

async function countReplay(bench: IngestFixture, surface: Surface): Promise<CallCount> {
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const first = bench.newEnvironment();
    const original = submissionId(await first.send(surface, sender, KEYED));
    const environment = state === 'warm' ? first : bench.newEnvironment();
    bench.calls.reset();
    const replay = submissionId(await environment.send(surface, sender, KEYED));
    if (replay !== original) throw new Error('The replay created another lead');
    return bench.calls.inSequence();
  };
  return { name: 'replay', surface, warm: await run('warm'), cold: await run('cold') };
}

function countRejection(bench: IngestFixture, scenario: RejectionScenario): Promise<CallCount> {
  return countRejected(bench, scenario, scenario.reason);
}

/** The rejection with the most calls: key, gate, marker for duplicates, record. */
function countLimitedWithKey(bench: IngestFixture, surface: Surface): Promise<CallCount> {
  const scenario = REJECTIONS.find(
    (each) => each.reason === 'rate_limited_minute' && each.surface === surface,
  );
  if (!scenario) throw new Error('Unknown scenario');
  return countRejected(bench, { ...scenario, request: KEYED }, 'rate_limited_minute, with key');
}

async function countRejected(
  bench: IngestFixture,
  scenario: RejectionScenario,
  name: string,
): Promise<CallCount> {
  const { surface, arrange, alter, request } = scenario;
  const run = async (state: 'warm' | 'cold') => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    if (state === 'warm') submissionId(await environment.send(surface, sender));
    await arrange?.(bench, sender);
    const asSent: Sender = { ...sender, ...alter?.(sender) };
    if (state === 'warm' && arrange) await environment.send(surface, asSent, request);
    bench.calls.reset();
    const response = await environment.send(surface, asSent, request);
    if (response.body !== REJECTED.body) throw new Error(`${name} was not rejected`);
    const { reason } = JSON.parse(environment.logLines.at(-1) ?? '{}') as { reason?: string };
    if (reason !== scenario.reason) throw new Error(`${name} was rejected as ${reason}`);
    return bench.calls.inSequence();
  };
  return { name, surface, warm: await run('warm'), cold: await run('cold') };
}

/** A cause of rejection: what an owner or a sender did, and the request that then fails. */
export interface RejectionScenario {
  readonly reason: Exclude<Reason, 'internal_error'>;
  readonly surface: Surface;
  readonly arrange?: (bench: IngestFixture, sender: Sender) => Promise<unknown>;
  readonly alter?: (sender: Sender) => Partial<Sender>;
  readonly request?: Request;
}

type Arrange = NonNullable<RejectionScenario['arrange']>;

const header = (name: string, value: string): Request => ({ headers: { [name]: value } });

const suspend: Arrange = ({ administration }, { workspaceId }) =>
  administration.suspendWorkspace(workspaceId);

const deactivate: Arrange = ({ administration }, { formId }) =>
  administration.setFormActive({ formId, active: false });

/** States that only an import can create are written like an import: first the change, then the version. */
function imported(change: (bench: IngestFixture, sender: Sender) => Promise<unknown>): Arrange {
  return async (bench, sender) => {
    await change(bench, sender);
    await bench.observer.send(
      new UpdateCommand({
        TableName: bench.stack.tables.workspaces,
        Key: { workspaceId: sender.workspaceId },
        UpdateExpression: 'ADD configVersion :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
  };
}

const turnIntoBrowserToken = imported(({ observer, stack }, { token }) =>
  observer.send(
    new UpdateCommand({
      TableName: stack.tables.tokens,
      Key: { tokenHash: hashToken(token) },
      UpdateExpression: 'SET #type = :browser',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':browser': 'browser' },
    }),
  ),
);

const removeForm = imported(({ observer, stack }, { slug, formId }) =>
  observer.send(new DeleteCommand({ TableName: stack.tables.forms, Key: { slug, formId } })),
);

const removeSecret = imported(({ observer, stack }, { slug, formId }) =>
  observer.send(new DeleteCommand({ TableName: stack.tables.formSecrets, Key: { slug, formId } })),
);

const importNamesake = imported(({ observer, stack }, { slug, workspaceId }) =>
  observer.send(
    new PutCommand({
      TableName: stack.tables.forms,
      Item: { slug, formId: 'form_namesake', workspaceId, name: 'Namesake', active: true, v: 1 },
    }),
  ),
);

function useUp(surface: Surface, window: 'minute' | 'day'): Arrange {
  return async ({ observer, stack, clock }, { workspaceId }) => {
    const { minuteCounter, dayCounter } = rateWindowsAt(surface, clock.now);
    await observer.send(
      new UpdateCommand({
        TableName: stack.tables.workspaces,
        Key: { workspaceId },
        UpdateExpression: 'SET #counter = :full',
        ExpressionAttributeNames: { '#counter': window === 'minute' ? minuteCounter : dayCounter },
        ExpressionAttributeValues: {
          ':full': window === 'minute' ? LIMITS.submissionsPerMinute : LIMITS.submissionsPerDay,
        },
      }),
    );
  };
}

function onBoth(
  reason: RejectionScenario['reason'],
  rest: (surface: Surface) => Partial<RejectionScenario>,
): RejectionScenario[] {
  return (['1a', '1b'] as const).map((surface) => ({ reason, surface, ...rest(surface) }));
}

export const REJECTIONS: readonly RejectionScenario[] = [
  { reason: 'token_missing', surface: '1a', request: header('Authorization', '') },
  { reason: 'token_invalid', surface: '1a', alter: ({ token }) => ({ token: `${token.slice(0, -1)}_` }) },
  { reason: 'token_wrong_type', surface: '1a', arrange: turnIntoBrowserToken },
  {
    reason: 'token_revoked',
    surface: '1a',
    arrange: ({ administration }, { tokenId }) => administration.revokeToken(tokenId),
  },
  ...onBoth('workspace_suspended', () => ({ arrange: suspend })),
  { reason: 'form_not_found', surface: '1a', arrange: removeForm },
  { reason: 'form_not_found', surface: '1b', alter: ({ slug }) => ({ slug: `${slug}-x` }) },
  ...onBoth('form_inactive', () => ({ arrange: deactivate })),
  { reason: 'slug_ambiguous', surface: '1b', arrange: importNamesake },
  { reason: 'secret_not_configured', surface: '1b', arrange: removeSecret },
  { reason: 'timestamp_missing', surface: '1b', request: header('X-SVC-Timestamp', '') },
  { reason: 'timestamp_invalid', surface: '1b', request: header('X-SVC-Timestamp', 'now') },
  { reason: 'timestamp_out_of_window', surface: '1b', request: header('X-SVC-Timestamp', '1700000000') },
  { reason: 'signature_missing', surface: '1b', request: header('X-SVC-Signature', '') },
  { reason: 'signature_malformed', surface: '1b', request: header('X-SVC-Signature', 'abc') },
  { reason: 'signature_mismatch', surface: '1b', alter: () => ({ secret: 'guessed by somebody' }) },
  ...onBoth('rate_limited_minute', (surface) => ({ arrange: useUp(surface, 'minute') })),
  ...onBoth('rate_limited_day', (surface) => ({ arrange: useUp(surface, 'day') })),
  ...onBoth('idempotency_key_malformed', () => ({
    request: header('X-SVC-Idempotency-Key', 'k'.repeat(256)),
  })),
  ...onBoth('body_too_large', () => ({ request: { body: Buffer.alloc(131_073, 32) } })),
  ...onBoth('content_type_unsupported', () => ({ request: header('Content-Type', 'text/plain') })),
  ...onBoth('content_encoding_unsupported', () => ({ request: header('Content-Encoding', 'br') })),
  ...onBoth('body_invalid_json', () => ({ request: { body: '{' } })),
  ...onBoth('body_not_object', () => ({ request: { body: '[]' } })),
];
