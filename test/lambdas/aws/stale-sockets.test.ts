import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { OUTPUTS } from '#contract';
import { localStack } from '../../local-stack.ts';
import { PATIENCE_MS, startTimer } from '../../until.ts';
import { makePatientSocketPool, openFreezingProxy } from './freezing-proxy.ts';

const stack = localStack();
const proxy = await openFreezingProxy(stack.output(OUTPUTS.localDynamoDbEndpoint));
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${proxy.port}`,
  AWS_REGION: stack.output(OUTPUTS.region),
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

function newClients() {
  const sockets = makePatientSocketPool();
  const client = (maxAttempts: number) =>
    makeDocumentClient(sockets, { maxAttempts, timeoutMilliseconds: PATIENCE_MS });
  return { main: client(3), recording: client(1) };
}

const newKey = () => ({ workspaceId: `stale-sockets-${randomUUID()}`, sk: 'use#socket' });

function write(client: DynamoDBDocumentClient, abortSignal?: AbortSignal) {
  const command = new PutCommand({ TableName: stack.tables.diagnostics, Item: { ...newKey(), v: 1 } });
  return client.send(command, { abortSignal });
}

function read(client: DynamoDBDocumentClient) {
  return client.send(new GetCommand({ TableName: stack.tables.diagnostics, Key: newKey() }));
}

const sixTimes = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, call));

/** Opens six sockets and leaves them stale. */
async function freezeSix(client: DynamoDBDocumentClient) {
  await sixTimes(() => write(client));
  expect(proxy.openSockets()).toBe(6);
  proxy.freeze();
  proxy.clearRecord();
}

beforeEach(async () => {
  await proxy.closeSockets();
  proxy.setNewSockets('pass');
  proxy.clearRecord();
});

afterAll(() => proxy.close());

/** A stale socket may cut off the first. */
function expectSameTwiceAtMost() {
  for (const [first = '', ...repeats] of proxy.requestsByCall()) {
    expect(repeats.length).toBeLessThanOrEqual(1);
    for (const repeat of repeats) expect(repeat.slice(0, first.length)).toBe(first);
    expect(first).toContain('\r\n\r\n');
  }
}

describe('after a freeze', () => {
  test.each(['main', 'recording'] as const)('one reset makes %s drop six stale sockets', async (name) => {
    const client = newClients()[name];
    await freezeSix(client);
    await write(client);
    await sixTimes(() => write(client));
    expect(proxy.resets()).toBe(1);
    expect(proxy.requestsByCall()).toHaveLength(7);
    expectSameTwiceAtMost();
  });

  test('a read of one client also replaces the stale sockets of the other', async () => {
    const { main, recording } = newClients();
    await freezeSix(recording);
    await read(main);
    expect(proxy.resets()).toBe(1);
    await write(recording);
    await sixTimes(() => write(recording));
    expect(proxy.resets()).toBe(1);
    expectSameTwiceAtMost();
  });

  test('six writes at once succeed, each on a stale socket', async () => {
    const { recording } = newClients();
    await freezeSix(recording);
    await sixTimes(() => write(recording));
    expect(proxy.resets()).toBe(6);
    expect(proxy.requestsByCall().map((sent) => sent.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expectSameTwiceAtMost();
  });
});

describe('a repeat', () => {
  test.each([
    ['recording', 1],
    ['main', 3],
  ] as const)(
    'does not happen on a fresh socket: %s sends %d times, as the SDK does',
    async (name, times) => {
      const client = newClients()[name];
      proxy.setNewSockets('reset');
      await expect(write(client)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(proxy.requestsByCall().map((sent) => sent.length)).toEqual([times]);
    },
  );

  test('happens once: a reset on the fresh socket is reported', async () => {
    const { recording } = newClients();
    await write(recording);
    proxy.freeze();
    proxy.setNewSockets('reset');
    proxy.clearRecord();
    await expect(write(recording)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(proxy.requestsByCall().map((sent) => sent.length)).toEqual([2]);
    expectSameTwiceAtMost();
  });

  test('ends at the deadline of the call', async () => {
    const { recording } = newClients();
    await write(recording);
    proxy.freeze();
    proxy.setNewSockets('silent');
    proxy.clearRecord();
    const deadline = new AbortController();
    const written = write(recording, deadline.signal);
    await Promise.race([written.catch(() => undefined), proxy.requestsReach(2)]);
    deadline.abort();
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    expectSameTwiceAtMost();
  });

  test('does not begin after the deadline of the call', async () => {
    const { recording } = newClients();
    await write(recording);
    proxy.freeze({ delayMilliseconds: 100 });
    proxy.clearRecord();
    const deadline = new AbortController();
    const written = write(recording, deadline.signal);
    await proxy.requestsReach(1);
    deadline.abort();
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    while (proxy.resets() === 0) await sleep(1);
    expect(proxy.requestsByCall().map((sent) => sent.length)).toEqual([1]);
  });

  test('has only the rest of the timeout', async () => {
    const client = makeDocumentClient(makePatientSocketPool(), {
      maxAttempts: 1,
      timeoutMilliseconds: 1_500,
    });
    await write(client);
    proxy.freeze({ delayMilliseconds: 600 });
    proxy.setNewSockets('silent');
    const tookMilliseconds = startTimer();
    await expect(write(client)).rejects.toMatchObject({ name: 'TimeoutError' });
    // A whole second timeout would end after 2,100.
    expect(tookMilliseconds()).toBeLessThan(1_800);
  });
});
