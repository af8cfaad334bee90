import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { TABLE_VARIABLES } from '#contract';
import { ingestServerDependencies } from '#submission/ingest-server/handler.ts';
import { REJECTED } from './workbench.ts';

const CANARY = 'canary-7f3a';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * The function's own entry in a process of its own, with its real timeouts, pointed at a DynamoDB that is not well.
 * Inside jest the SDK would not recognise Node's errors, which are of another realm there.
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
  const script = `
    const { handler } = await import(${JSON.stringify(entry)});
    const startedAt = performance.now();
    const answer = await handler(${JSON.stringify(event)}, {});
    console.log(JSON.stringify({ answer, tookMilliseconds: performance.now() - startedAt }));
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
  const { answer, tookMilliseconds } = JSON.parse(lines.pop() as string) as {
    answer: unknown;
    tookMilliseconds: number;
  };
  return { answer, lines, tookMilliseconds };
}

async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('when DynamoDB is not well, the answer is the opaque rejection within 5 seconds', () => {
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
    const { answer, lines, tookMilliseconds } = await sendTo(await endpoint());
    expect(answer).toEqual(REJECTED);
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

describe('when the environment is incomplete', () => {
  test('a function says at once which variables are missing', () => {
    expect(() => ingestServerDependencies({ LEADS_TABLE: 'x' })).toThrow(
      'Missing environment variables: WORKSPACES_TABLE, TOKENS_TABLE, FORMS_TABLE, IDEMPOTENCY_TABLE, REJECTIONS_TABLE, UNAUTHENTICATED_REJECTIONS_TABLE, DIAGNOSTICS_TABLE',
    );
  });
});
