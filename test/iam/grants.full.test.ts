import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callsThatNeed, NOT_EXERCISED, readCallLog } from '../../local/iam/call-log.ts';
import { CALL_LOG } from '../../local/iam/enforce-iam.ts';
import { OPERATIONS } from '../lambdas/owner-api/api-document.ts';
import { type Running, startMain } from '../local/support/run-main.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { sendTraffic } from './traffic.ts';

/** Grants that this traffic needs by chance or not at all, and why they stay. A grant that nothing needs is removed. */
const SELDOM_USED: Readonly<Record<string, string>> = {
  'IngestServer dynamodb:GetItem Idempotency': 'after a conflict of two transactions',
  'IngestWebhook dynamodb:GetItem Idempotency': 'after a conflict of two transactions',
  'BrowserSubmission dynamodb:GetItem Idempotency': 'after a conflict of two transactions',
  'SourcesSubmission dynamodb:GetItem Idempotency': 'after a conflict of two transactions',
  'BrowserSubmission dynamodb:UpdateItem Idempotency': 'when a limit is reached',
  'SourcesSubmission dynamodb:UpdateItem Idempotency': 'when a limit is reached',
  'IngestServer dynamodb:UpdateItem Idempotency': 'when a limit is reached, for a submission with a key',
  'IngestWebhook dynamodb:UpdateItem Idempotency': 'when a limit is reached, for a submission with a key',
  'EnrichmentEnrich dynamodb:DeleteItem Leads': 'when a lead is erased while it is enriched',
  'SearchIndexLeads dynamodb:UpdateItem LeadIndex': 'when an enrichment fails, or a lead has another contact',
  'SearchIndexLeads dynamodb:DeleteItem LeadIndex': 'when a restored lead has a tombstone',
  'SendingSend dynamodb:DeleteItem Recipients': 'when SES refuses a confirmation mail',
};

let stack: Running;
let operations: Set<string>;

beforeAll(async () => {
  stack = await startMain([
    ...['--data', data, '--enforce-iam', '--allow-loopback-destinations'],
    // The watch then runs every few seconds, at a time when what is wrong has lasted.
    ...['--schedule-ahead', '2h'],
  ]);
  operations = await sendTraffic(stack.summary.outputsFile);
  // Streams and queues take a moment, and what is to be learned waits 25 seconds. What never arrives shows below.
  await until(
    async () => unused().filter((name) => !isKnown(name)),
    (left) => left.length === 0,
  );
});

/** For readers of the log; the tests decide what is allowed. */
function reportUnused(): void {
  const lines = unused().map(
    (name) => `  ${name}: ${SELDOM_USED[name] ?? 'unknown: remove it or say why it stays'}`,
  );
  process.stdout.write(`${['Grants that no call needed:', ...lines].join('\n')}\n`);
}

afterAll(async () => {
  if (stack) reportUnused();
  stack?.child.kill('SIGTERM');
  await stack?.ended;
});
// After the stack has ended, since hooks run in their order.
const data = temporaryFolder('iam-grants');

const recorded = () => readCallLog(join(data, 'logs', CALL_LOG));
const isKnown = (name: string) => name in SELDOM_USED;

/** `IngestServer dynamodb:PutItem Leads`, without the names of stack and stage and without CDK's hashes. */
function nameOf(grant: { functionName: string; action: string; resource: string }): string {
  const { functionName, action, resource } = grant;
  const short = (text: string) => text.replace(/^LeadIngest-dev-/, '').replace(/(Function)?[0-9A-F]{8}$/, '');
  const [path = ''] = resource.split(':').slice(5);
  const [kind, name = kind ?? '', ...rest] = path.split('/');
  return [short(functionName), action, resource === '*' ? '*' : [short(name), ...rest].join('/')]
    .join(' ')
    .replace(/\/stream\/.*/, '/stream');
}

function unused(): string[] {
  const { grants, calls } = recorded();
  return grants
    .filter(({ action }) => !(action in NOT_EXERCISED))
    .filter((grant) => callsThatNeed(grant, calls).length === 0)
    .map(nameOf);
}

test('the traffic uses every operation of the settings area', () => {
  expect([...operations].sort()).toEqual(OPERATIONS.map(({ operationId }) => operationId).sort());
});

test('no call is denied', () => {
  expect(recorded().calls.filter(({ allowed }) => !allowed)).toEqual([]);
});

test('without any one grant a call is denied, with known exceptions', () => {
  expect(unused().filter((name) => !isKnown(name))).toEqual([]);
});

test('the grants known to be rarely used exist', () => {
  const granted = recorded().grants.map(nameOf);
  expect(Object.keys(SELDOM_USED).filter((name) => !granted.includes(name))).toEqual([]);
});

test('each call that only one grant allows names function, action and resource', () => {
  const { grants, calls } = recorded();
  for (const grant of grants) {
    for (const call of callsThatNeed(grant, calls)) {
      // A grant on `identity/*` names the kind of resource only.
      const isWide = grant.resource.endsWith('/*') && call.resource.startsWith(grant.resource.slice(0, -1));
      const named = isWide ? { ...call, resource: grant.resource } : call;
      expect([nameOf(named), call.functionName]).toEqual([nameOf(grant), grant.functionName]);
    }
  }
});

test('what cannot be shown on one machine is granted to some function', () => {
  const granted = new Set(recorded().grants.map(({ action }) => action));
  const absent = Object.keys(NOT_EXERCISED).filter((action) => !granted.has(action));
  expect(absent).toEqual([]);
});
