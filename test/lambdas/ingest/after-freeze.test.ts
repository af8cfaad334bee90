import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { OUTPUTS, TABLE_VARIABLES, type TableNoun } from '#contract';
import { makeRejectionLookup } from '#rejections/diagnostics-store.ts';
import { ingestServerDependencies, makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeTelemetry } from '#submission/report-outcome.ts';
import { openFreezingProxy } from '../aws/freezing-proxy.ts';
import {
  openWorkbench,
  REJECTED,
  type Request,
  type Sender,
  serverEvent,
  submissionId,
} from './workbench.ts';

const bench = openWorkbench(Date.now());
const { stack } = bench;
const proxy = await openFreezingProxy(stack.output(OUTPUTS.localDynamoDbEndpoint));
const tables = Object.entries(TABLE_VARIABLES).map(([noun, variable]) => [
  variable,
  stack.tables[noun as TableNoun],
]);
Object.assign(process.env, Object.fromEntries(tables), {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${proxy.port}`,
  AWS_REGION: stack.output(OUTPUTS.region),
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

beforeEach(() => proxy.closeSockets());
afterAll(() => proxy.close());

/** The function as it is deployed, warm, with more open sockets than its clients have attempts. */
async function warmFunction() {
  const telemetry = makeTelemetry(Date.now, () => undefined);
  const handler = makeIngestServer({ ...ingestServerDependencies(process.env), telemetry });
  const sender = await bench.newSender();
  const send = (request: Request = {}) =>
    // The pipeline's first step puts a submission in the event's place.
    handler(serverEvent(sender, request) as unknown as Parameters<typeof handler>[0], {} as Context);
  await send();
  for (const request of [{}, { body: '[]' }]) {
    await Promise.all(Array.from({ length: 6 }, () => send(request)));
  }
  expect(proxy.openSockets()).toBeGreaterThanOrEqual(6);
  return { sender, send };
}

const lookUp = makeRejectionLookup({ client: bench.observer, tables: stack.tables, now: Date.now });

const reasonsOf = async ({ workspaceId }: Sender, requestId: string) =>
  (await lookUp(workspaceId, requestId, AbortSignal.timeout(60_000))).map(({ reason }) => reason);

test('the first rejection after a freeze is recorded, with no read before it', async () => {
  const { sender, send } = await warmFunction();
  const requestId = randomUUID();
  proxy.freeze();
  expect(await send({ body: '[]', requestId })).toEqual(REJECTED);
  expect(await reasonsOf(sender, requestId)).toEqual(['body_not_object']);
});

test('the first rejection after a freeze is recorded, with reads before it', async () => {
  const { sender, send } = await warmFunction();
  await bench.administration.revokeToken(sender.tokenId);
  const requestId = randomUUID();
  proxy.freeze();
  expect(await send({ requestId })).toEqual(REJECTED);
  expect(await reasonsOf(sender, requestId)).toEqual(['token_revoked']);
});

test('the first lead after a freeze is stored', async () => {
  const { send } = await warmFunction();
  proxy.freeze();
  expect(await bench.leadById(submissionId(await send()))).toBeDefined();
});

const WITH_OR_WITHOUT_KEY: [string, Record<string, string>][] = [
  ['without a key', {}],
  ['with a key', { 'X-SVC-Idempotency-Key': 'after-freeze' }],
];

test.each(WITH_OR_WITHOUT_KEY)('a lead whose answers are lost is stored once, %s', async (_, headers) => {
  const { sender, send } = await warmFunction();
  const before = await bench.leadIdsOf(sender.formId);
  proxy.freeze({ afterAnswer: true });
  const leadId = submissionId(await send({ headers }));
  const leads = await bench.leadIdsOf(sender.formId);
  expect(leads.filter((each) => !before.includes(each))).toEqual([leadId]);
});
