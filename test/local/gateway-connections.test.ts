import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '../until.ts';
import {
  openTestGateway,
  REJECTED,
  rawConnect,
  rawExchange,
  responsesIn,
  type TestGateway,
  untilClosed,
} from './support/test-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.close());

describe("malformed HTTP gets the API's response to bad requests, never one of Node's", () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a method that does not exist', 'PO ST / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no Host', 'POST /api/v1/ingest HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a broken chunk', 'POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header over 64 KB', `POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a null byte', 'POST /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['CONNECT', 'CONNECT h:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s', async (_, request) => {
    const events = gateway.serve();
    const responses = responsesIn(await rawExchange(gateway.url, request));
    expect(responses.at(-1)).toEqual({ status: 'HTTP/1.1 200 OK', body: REJECTED });
    expect(responses).toHaveLength(1);
    expect(events).toEqual([]);
  });
});

describe('a connection', () => {
  const request = (path: string, extra = '') =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${extra}\r\n`;

  test('carries pipelined requests, with responses in order', async () => {
    gateway.serve(async (event) => {
      // The first takes longest.
      await new Promise((resolve) => setTimeout(resolve, event.pathParameters?.slug === 'one' ? 50 : 0));
      return { body: event.pathParameters?.slug };
    });
    const text = await rawExchange(
      gateway.url,
      request('/api/v1/ingest/one') + request('/api/v1/ingest/two', 'Connection: close\r\n'),
    );
    expect(responsesIn(text).map(({ body }) => body)).toEqual(['one', 'two']);
  });

  test('says "continue" to a pipelined request before its response, not in the middle of it', async () => {
    gateway.serve(async (event) => {
      await new Promise((resolve) => setTimeout(resolve, event.pathParameters?.slug === 'one' ? 50 : 0));
      return { body: event.pathParameters?.slug };
    });
    const text = await rawExchange(
      gateway.url,
      request('/api/v1/ingest/one') +
        request('/api/v1/ingest/two', 'Expect: 100-continue\r\nConnection: close\r\n'),
    );
    expect(text).toMatch(
      /^HTTP\/1\.1 200 .*\r\n\r\noneHTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*\r\n\r\ntwo$/s,
    );
  });

  test('that sends garbage still gets the responses to earlier requests', async () => {
    gateway.serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { body: 'answer' };
    });
    const text = await rawExchange(gateway.url, `${request('/api/v1/ingest/one')}nonsense\r\n\r\n`);
    expect(responsesIn(text).map(({ body }) => body)).toEqual(['answer', REJECTED]);
  });

  test('that keeps sending garbage is rejected once', async () => {
    const finish = Promise.withResolvers<void>();
    gateway.serve(async () => {
      await finish.promise;
      return { body: 'answer' };
    });
    const accepted = Promise.withResolvers<Socket>();
    const note = (message: unknown) => accepted.resolve((message as { socket: Socket }).socket);
    subscribe('net.server.socket', note);
    const socket = await rawConnect(gateway.url);
    const served = await accepted.promise;
    unsubscribe('net.server.socket', note);
    const closed = untilClosed(socket);
    const pieces = [request('/api/v1/ingest/one'), ...Array<string>(20).fill('nonsense\r\n\r\n')];
    for (const piece of pieces) {
      const before = served.bytesRead;
      socket.write(piece);
      await waitFor(() => served.bytesRead > before);
    }
    expect(served.listenerCount('error')).toBeLessThan(5);
    finish.resolve();
    expect(responsesIn(await closed).map(({ body }) => body)).toEqual(['answer', REJECTED]);
  });

  test('that is cut in the middle of a body does no harm', async () => {
    const events = gateway.serve();
    const socket = await rawConnect(gateway.url);
    socket.write('POST /api/v1/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
    socket.resetAndDestroy();
    expect((await gateway.post('{}')).status).toBe(202);
    expect(events).toHaveLength(1);
  });

  test('that is cut before the response does no harm', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    gateway.serve(async () => {
      started.resolve();
      await finish.promise;
      return { body: '' };
    });
    const socket = await rawConnect(gateway.url);
    const closed = untilClosed(socket);
    socket.write(request('/api/v1/ingest/one'));
    await started.promise;
    socket.resetAndDestroy();
    await closed;
    finish.resolve();
    gateway.serve();
    expect((await gateway.post('{}')).status).toBe(202);
  });
});

test('closing lets running requests finish and closes idle connections', async () => {
  const closing = await openTestGateway();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  closing.serve(async () => {
    started.resolve();
    await finish.promise;
    return { statusCode: 202 };
  });
  const lingering = await rawConnect(closing.url);
  lingering.write('CONNECT h:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const response = closing.post('{}');
  await started.promise;
  const closed = Promise.all([closing.close(), closing.close()]);
  finish.resolve();
  expect((await response).status).toBe(202);
  await closed;
  lingering.destroy();
});
