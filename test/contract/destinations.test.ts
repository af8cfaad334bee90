import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receiver, respondWith, startReceiver, verify } from '../sending/receiver.ts';
import { until } from '../until.ts';
import { call, newOwner } from './owner-api.ts';
import { openContract, submissionId, submit, type Tenant } from './tenant.ts';

// Destinations over HTTP: what an owner sets up is what a real receiver gets.
const contract = openContract();
let mine: Tenant;
let token: string;
let receiver: Receiver;

const api = (method: string, path: string, body?: unknown) => call(token, method, path, body);

beforeAll(async () => {
  [mine, receiver] = await Promise.all([contract.newTenant(), startReceiver()]);
  token = (await newOwner(mine)).id;
});

afterAll(() => receiver.close());

/** A webhook of the receiver, with a path of its own. */
async function newWebhook(path: string, given: object = {}) {
  const { json } = await api('POST', '/destinations', {
    kind: 'webhook',
    url: receiver.url + path,
    ...given,
  });
  const received = () => receiver.received.filter((request) => request.path.endsWith(path));
  return {
    at: `/destinations/${json.destinationId}`,
    secret: json.signingSecret as string,
    received,
    receivedAtLeast: (count: number) =>
      until(
        async () => received(),
        (requests) => requests.length >= count,
      ),
  };
}

const messageWith = (messageId: string, status: string) =>
  until(
    () => api('GET', `/messages/${messageId}`),
    ({ json }) => json.status === status,
  );

describe('a destination', () => {
  test('gets test messages, signed with two secrets during a rotation', async () => {
    const { at, secret, receivedAtLeast } = await newWebhook('/test');
    const { status, json } = await api('POST', `${at}/test`);
    expect(status).toBe(202);
    const [first] = await receivedAtLeast(1);
    if (!first) throw new Error('nothing was received');
    expect(first.headers['webhook-id']).toBe(json.messageId);
    expect(verify(first, secret)).toMatchObject({ type: 'destination.test' });

    const { json: rotated } = await api('POST', `${at}/rotate`, { graceSeconds: 600 });
    await api('POST', `${at}/test`);
    const [, second] = await receivedAtLeast(2);
    if (!second) throw new Error('nothing was received');
    for (const each of [secret, rotated.signingSecret]) {
      expect(verify(second, each)).toMatchObject({ type: 'destination.test' });
    }
    expect(() => verify(second, 'whsec_AAAA')).toThrow();
  });

  test('gets leads once it exists, and its messages are listed and replayed', async () => {
    const { at, secret, received, receivedAtLeast } = await newWebhook('/leads', { forms: [mine.formId] });
    const leadId = submissionId(await submit('1a', mine));
    const [first] = await receivedAtLeast(1);
    if (!first) throw new Error('nothing was received');
    expect(verify(first, secret)).toMatchObject({
      type: 'lead.accepted',
      data: { lead: { submissionId: leadId } },
    });
    const messageId = String(first.headers['webhook-id']);
    const { json: message } = await messageWith(messageId, 'delivered');
    expect(message).toMatchObject({ submissionId: leadId, attempts: [{ status: 204 }] });
    expect((await api('GET', `${at}/messages?status=delivered`)).json.messages).toEqual([message]);
    expect((await api('GET', `/leads/${leadId}/messages`)).json.messages).toContainEqual(message);
    expect((await api('POST', `/messages/${messageId}/replay`)).status).toBe(202);
    const [, again] = await receivedAtLeast(2);
    expect(again).toMatchObject({ body: first.body, headers: { 'webhook-id': messageId } });
    expect((await api('DELETE', at)).status).toBe(204);
    expect((await api('GET', `/messages/${messageId}`)).status).toBe(404);
    const before = received().length;
    expect((await api('POST', `${at}/test`)).status).toBe(404);
    expect(received()).toHaveLength(before);
  });

  test('that returns 410 is disabled, and what failed since then is replayed once it is resumed', async () => {
    const { at, receivedAtLeast } = await newWebhook('/gone');
    receiver.play((response, request) =>
      respondWith(request.path.endsWith('/gone') ? 410 : 204)(response, request),
    );
    const { json: sent } = await api('POST', `${at}/test`);
    const { json: gone } = await until(
      () => api('GET', at),
      ({ json }) => json.status === 'disabled',
    );
    expect(gone).toMatchObject({ disabledReason: 'gone', disabledAt: expect.any(String) });
    expect((await api('POST', `${at}/test`)).status).toBe(409);
    receiver.play(respondWith(204));
    await api('PATCH', at, { status: 'active' });
    const since = new Date(Date.now() - 60 * 60 * 1000).toISOString();
    expect((await api('POST', `${at}/replay`, { since })).json.since).toBe(since);
    await receivedAtLeast(2);
    await messageWith(sent.messageId, 'delivered');
    await api('DELETE', at);
  });
});
