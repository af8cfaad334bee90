import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { OUTPUTS, TABLE_VARIABLES, type TableKey } from '#contract';
import { makeRejectionLookup } from '#rejections/diagnostics-store.ts';
import { tokenConfigurations } from '#submission/configuration-store.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { ingestServerDependencies, makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeTelemetry } from '#submission/respond-and-report.ts';
import { PATIENCE_MS } from '../../until.ts';
import { makePatientSocketPool, openFreezingProxy } from '../aws/freezing-proxy.ts';
import {
  openSubmissionFixture,
  REJECTED,
  type Request,
  type Sender,
  serverEvent,
  submissionId,
} from './submission-fixture.ts';

describe('an ingest function', () => {
  const CANARY = 'canary-7f3a';
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /**
   * Runs the function's entry in a separate process, with its real timeouts and a broken DynamoDB.
   * Inside jest the SDK would not recognise Node's errors, which come from another realm.
   */
  async function sendTo(endpoint: string) {
    const tables = Object.fromEntries(Object.values(TABLE_VARIABLES).map((variable) => [variable, variable]));
    const event = {
      headers: { authorization: `Bearer ingt_srv_${CANARY}`, 'content-type': 'application/json' },
      body: Buffer.from(`{"email":"${CANARY}@example.com"}`).toString('base64'),
      isBase64Encoded: true,
      requestContext: { requestId: randomUUID(), identity: { sourceIp: '203.0.113.77', userAgent: CANARY } },
    };
    const entry = resolve(import.meta.dirname, '../../../lambdas/submission/ingest-server/index.ts');
    const timer = resolve(import.meta.dirname, '../../until.ts');
    const script = `
    const { startTimer } = await import(${JSON.stringify(timer)});
    const { handler } = await import(${JSON.stringify(entry)});
    const tookMilliseconds = startTimer();
    const response = await handler(${JSON.stringify(event)}, {});
    console.log(JSON.stringify({ response, tookMilliseconds: tookMilliseconds() }));
  `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        ...tables,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
      },
    });
    const lines = stdout.trim().split('\n');
    const { response, tookMilliseconds } = JSON.parse(lines.pop() as string) as {
      response: unknown;
      tookMilliseconds: number;
    };
    return { response, lines, tookMilliseconds };
  }

  async function listen(onConnection: (socket: Socket) => void): Promise<string> {
    const server = createServer(onConnection);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  describe('responds with the opaque rejection within 5 seconds if DynamoDB is', () => {
    test.each([
      ['unreachable', async () => 'http://127.0.0.1:9', 'ECONNREFUSED'],
      ['silent', () => listen(() => undefined), 'submission.deadline_passed'],
      [
        'failing',
        () =>
          listen((socket) =>
            socket.on('data', () =>
              socket.end('HTTP/1.1 500 Oops\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}'),
            ),
          ),
        '500',
      ],
      ['hanging up', () => listen((socket) => socket.destroy()), 'ECONNRESET'],
    ])('%s', async (_, endpoint, cause) => {
      const { response, lines, tookMilliseconds } = await sendTo(await endpoint());
      expect(response).toEqual(REJECTED);
      expect(tookMilliseconds).toBeLessThan(5_000);

      const errors = lines.filter((line) => line.includes('"ERROR"'));
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain(cause);
      expect(lines.join()).toContain('"reason":"internal_error"');
      expect(lines.join()).toContain('"DiagnosticsDropped":1');
      expect(lines.join()).not.toContain(CANARY);
      expect(lines.join()).not.toContain('203.0.113.77');
    });
  });

  describe('without its environment', () => {
    test('names the missing variables at startup', () => {
      expect(() => ingestServerDependencies({ LEADS_TABLE: 'x' })).toThrow(
        'Missing environment variables: WORKSPACES_TABLE, TOKENS_TABLE, FORMS_TABLE, IDEMPOTENCY_TABLE, REJECTIONS_TABLE, UNAUTHENTICATED_REJECTIONS_TABLE, DIAGNOSTICS_TABLE',
      );
    });
  });
});

const fixture = openSubmissionFixture(Date.now());
const { stack } = fixture;
const proxy = await openFreezingProxy(stack.output(OUTPUTS.localDynamoDbEndpoint));
const tables = Object.entries(TABLE_VARIABLES).map(([tableKey, variable]) => [
  variable,
  stack.tables[tableKey as TableKey],
]);
Object.assign(process.env, Object.fromEntries(tables), {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${proxy.port}`,
  AWS_REGION: stack.output(OUTPUTS.region),
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

describe('after a freeze', () => {
  beforeEach(() => proxy.closeSockets());
  afterAll(() => proxy.close());

  /**
   * The function as it is deployed except for its time limits, warm, with more open sockets than its clients have
   * attempts.
   */
  async function warmFunction() {
    const { tables } = stack;
    const sockets = makePatientSocketPool();
    const [client, recordingClient] = [3, 1].map((maxAttempts) =>
      makeDocumentClient(sockets, { maxAttempts, timeoutMilliseconds: PATIENCE_MS }),
    ) as [DynamoDBDocumentClient, DynamoDBDocumentClient];
    const limits = { recordingMilliseconds: PATIENCE_MS, random: Math.random };
    const handler = makeIngestServer({
      ...ingestServerDependencies(process.env),
      ...makeIngestStores({ client, recordingClient, tables, ...limits }),
      tokens: tokenConfigurations({ client, tables }),
      deadlineMilliseconds: PATIENCE_MS,
      telemetry: makeTelemetry(Date.now, () => undefined),
    });
    const sender = await fixture.newSender();
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

  const lookUp = makeRejectionLookup({ client: fixture.observer, tables: stack.tables, now: Date.now });

  const reasonsOf = async ({ workspaceId }: Sender, requestId: string) =>
    (await lookUp(workspaceId, requestId, AbortSignal.timeout(PATIENCE_MS))).map(({ reason }) => reason);

  test('the first rejection is recorded, with no read before it', async () => {
    const { sender, send } = await warmFunction();
    const requestId = randomUUID();
    proxy.freeze();
    expect(await send({ body: '[]', requestId })).toEqual(REJECTED);
    expect(await reasonsOf(sender, requestId)).toEqual(['body_not_object']);
  });

  const WITH_OR_WITHOUT_KEY: [string, Record<string, string>][] = [
    ['without a key', {}],
    ['with a key', { 'X-SVC-Idempotency-Key': 'after-freeze' }],
  ];

  test.each(WITH_OR_WITHOUT_KEY)(
    'a lead is stored once if the answers of DynamoDB are lost, %s',
    async (_, headers) => {
      const { sender, send } = await warmFunction();
      const before = await fixture.leadIdsOf(sender.formId);
      proxy.freeze({ afterResponse: true });
      const leadId = submissionId(await send({ headers }));
      const leads = await fixture.leadIdsOf(sender.formId);
      expect(leads.filter((each) => !before.includes(each))).toEqual([leadId]);
    },
  );
});
