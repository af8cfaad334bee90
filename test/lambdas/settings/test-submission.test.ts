import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { sampleLead } from '#settings/leads/sample-lead.ts';
import { makeWebhookSender } from '#settings/webhook-sender.ts';

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

  test('bytes and headers arrive as given, and the answer comes back with the id of the request', async () => {
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

  test('a redirect is not followed: what is signed goes nowhere else', async () => {
    paths.length = 0;
    answer = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    expect(await sender.post({ url, headers, body }, patience())).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/']);
  });

  test('there is no answer after the time is up, also when only half of it came', async () => {
    const hasty = makeWebhookSender({ patienceMilliseconds: 100 });
    answer = () => {};
    expect(await hasty.post({ url, headers, body }, patience())).toBeUndefined();
    answer = (_request, response) => response.writeHead(200).write('{"stat');
    expect(await hasty.post({ url, headers, body }, patience())).toBeUndefined();
  });

  test('there is no answer after the time of the owner’s request is up', async () => {
    answer = () => {};
    expect(await sender.post({ url, headers, body }, AbortSignal.timeout(100))).toBeUndefined();
  });

  test('there is no answer from where nobody listens', async () => {
    const nobody = { url: 'http://127.0.0.1:1', headers, body };
    expect(await sender.post(nobody, patience())).toBeUndefined();
  });
});

describe('the sample lead', () => {
  const keysAndValues = (...fields: Parameters<typeof sampleLead>[0] & object) =>
    Object.entries(sampleLead(fields));

  test('a form without configured fields gets what most forms have', () => {
    expect(Object.keys(sampleLead())).toEqual(['name', 'email', 'company', 'message']);
    expect(sampleLead([])).toEqual(sampleLead());
  });

  test('fields come in their order, by role, by key or by label', () => {
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

  test('a role goes before what the key looks like, and one of another time is no role', () => {
    expect(keysAndValues({ key: 'email', role: 'message' })[0]?.[1]).toMatch(/^Sent from/);
    expect(keysAndValues({ key: 'email', role: 'toString' })[0]?.[1]).toMatch(/@example\.com$/);
  });

  test('honeypots stay empty, and the mark of a test is not ours to fill', () => {
    expect(keysAndValues({ key: 'url2', role: 'honeypot' }, { key: '_test' }, { key: 'a' })).toEqual([
      ['a', 'Sample of a'],
    ]);
  });

  test('`__proto__` is a field like any other', () => {
    expect(JSON.stringify(sampleLead([{ key: '__proto__' }]))).toBe('{"__proto__":"Sample of __proto__"}');
  });

  test('a sample is seen through, and so costs no enrichment', () => {
    const { clean, signals } = scoreLead({ ...sampleLead(), _test: true });
    expect(clean).toBe(false);
    expect(signals.map(({ name }) => name)).toContain('test_address');
  });
});
