import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { sampleLead } from '#workspaces/sample-lead.ts';
import { makeWebhookSender } from '#workspaces/webhook-sender.ts';

describe('the webhook sender', () => {
  const sender = makeWebhookSender();
  const body = Buffer.from('{"name":"Zoë"}');
  const headers = { 'Content-Type': 'application/json', 'X-SVC-Timestamp': '1' };
  const patience = () => AbortSignal.timeout(60_000);

  let answer: (request: IncomingMessage, response: ServerResponse, received: Buffer) => void;
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    paths.push(request.url ?? '');
    answer(request, response, Buffer.concat(await request.toArray()));
  });
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('sends bytes and headers as given, and returns the response with its request id', async () => {
    const seen: unknown[] = [];
    answer = (request, response, received) => {
      seen.push(
        request.method,
        request.headers['content-type'],
        request.headers['x-svc-timestamp'],
        received,
      );
      response.writeHead(202, { 'x-amzn-RequestId': 'request-1' }).end('{"submission_id":"1"}');
    };
    expect(await sender.post({ url, headers, body }, patience())).toEqual({
      status: 202,
      requestId: 'request-1',
      text: '{"submission_id":"1"}',
    });
    expect(seen).toEqual(['POST', 'application/json', '1', body]);
  });

  test('does not follow a redirect, which would send the signed body elsewhere', async () => {
    paths.length = 0;
    answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    expect(await sender.post({ url, headers, body }, patience())).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/']);
  });

  test('returns no response after its timeout, even if half of it has arrived', async () => {
    const hasty = makeWebhookSender({ patienceMilliseconds: 100 });
    answer = () => {};
    expect(await hasty.post({ url, headers, body }, patience())).toBeUndefined();
    answer = (_request, response) => response.writeHead(200).write('{"stat');
    expect(await hasty.post({ url, headers, body }, patience())).toBeUndefined();
  });

  test('returns no response after the deadline of the owner’s request', async () => {
    answer = () => {};
    expect(await sender.post({ url, headers, body }, AbortSignal.timeout(100))).toBeUndefined();
  });

  test('returns no response if nobody listens', async () => {
    const nobody = { url: 'http://127.0.0.1:1', headers, body };
    expect(await sender.post(nobody, patience())).toBeUndefined();
  });
});

describe('the sample lead', () => {
  const keysAndValues = (...fields: Parameters<typeof sampleLead>[0] & object) =>
    Object.entries(sampleLead(fields));

  test('has common fields if the form has none configured', () => {
    expect(Object.keys(sampleLead())).toEqual(['name', 'email', 'company', 'message']);
    expect(sampleLead([])).toEqual(sampleLead());
  });

  test('has the fields in order, by role, by key or by label', () => {
    expect(
      keysAndValues(
        { key: 'q1', role: 'phone' },
        { key: 'workEmail' },
        { key: 'company_name' },
        { key: 'Full Name' },
        { key: 'budget', label: 'Your budget' },
        { key: 'colour' },
      ),
    ).toEqual([
      ['q1', '+44 20 7946 0958'],
      ['workEmail', 'ada.byron@example.com'],
      ['company_name', 'Example Company'],
      ['Full Name', 'Ada Byron'],
      ['budget', 'Sample of Your budget'],
      ['colour', 'Sample of colour'],
    ]);
  });

  test('prefers the role to the key, and ignores an unknown role', () => {
    expect(keysAndValues({ key: 'email', role: 'message' })[0]?.[1]).toMatch(/^Sent from/);
    expect(keysAndValues({ key: 'email', role: 'toString' })[0]?.[1]).toMatch(/@example\.com$/);
  });

  test('leaves honeypots and the test mark empty', () => {
    expect(keysAndValues({ key: 'url2', role: 'honeypot' }, { key: '_test' }, { key: 'a' })).toEqual([
      ['a', 'Sample of a'],
    ]);
  });

  test('treats `__proto__` like any other field', () => {
    expect(JSON.stringify(sampleLead([{ key: '__proto__' }]))).toBe('{"__proto__":"Sample of __proto__"}');
  });

  test('is recognized as a test, and so is not enriched', () => {
    const { clean, signals } = scoreLead({ ...sampleLead(), _test: true });
    expect(clean).toBe(false);
    expect(signals.map(({ name }) => name)).toContain('test_address');
  });
});
