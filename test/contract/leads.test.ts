import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CLEAN, NOT_CLEAN } from '../../conformance/world/submission.ts';
import { type Receiver, startReceiver, verify } from '../sending/receiver.ts';
import { until } from '../until.ts';
import { call, newOwner } from './owner-api.ts';
import { openContract, submissionId, submit, type Tenant } from './tenant.ts';

interface Message {
  readonly status: string;
}

// Reviews over HTTP: the relay follows them, and the next lead of the company needs none.
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

async function newWebhook(path: string, onlyClean: boolean) {
  const events = ['lead.accepted', 'lead.enriched'];
  const url = receiver.url + path;
  const { json } = await api('POST', '/destinations', { kind: 'webhook', url, events, onlyClean });
  const secret = json.signingSecret as string;
  /** Types and leads of what was received, sorted. */
  return () =>
    receiver.received
      .filter((request) => request.path.endsWith(path))
      .map((request) => verify(request, secret) as { type: string; data: { lead: Record<string, unknown> } })
      .map(({ type, data: { lead } }) => `${type} ${lead.submissionId} ${lead.clean}`)
      .toSorted();
}

const untilSome = (count: number, read: () => string[]) =>
  until(
    async () => read(),
    (found) => found.length >= count,
  );

const SPAM = 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top';
const send = async (email: string, surface: '1a' | '1b') =>
  submissionId(
    await submit(surface, mine, { body: JSON.stringify({ name: 'Ada Byron', email, message: SPAM }) }),
  );

test('a corrected lead is enriched and forwarded once, and the next lead of that company is clean', async () => {
  const [clean, all] = [await newWebhook('/clean', true), await newWebhook('/all', false)];
  const leadId = await send('ada@analytical-engines.co.uk', '1a');
  await untilSome(1, all);
  expect(all()).toEqual([`lead.accepted ${leadId} false`]);

  const { status, json } = await api('POST', `/leads/${leadId}/review`, { verdict: 'good' });
  expect([status, json.review.verdict, json.clean]).toEqual([200, 'good', true]);
  await untilSome(2, clean);
  expect(clean()).toEqual([`lead.accepted ${leadId} true`, `lead.enriched ${leadId} true`]);
  await until(
    () => api('GET', `/leads/${leadId}`),
    ({ json: lead }) => lead.enrichment.state === 'enriched',
  );

  // Nothing happens a second time, to the lead or to anything else.
  await api('POST', `/leads/${leadId}/review`, { verdict: null });
  await api('POST', `/leads/${leadId}/review`, { verdict: 'good' });

  const next = await send('grace@analytical-engines.co.uk', '1b');
  expect((await api('GET', `/leads/${next}`)).json).toMatchObject({ clean: true, sender: 'trusted' });
  const expected = [leadId, next].flatMap((id) => [`lead.accepted ${id} true`, `lead.enriched ${id} true`]);
  await untilSome(4, clean);
  expect(clean()).toEqual(expected.toSorted());
  await untilSome(4, all);
  expect(all().filter((each) => each.includes(leadId))).toEqual([
    `lead.accepted ${leadId} false`,
    `lead.enriched ${leadId} true`,
  ]);
});

test('a lead that was called spam while its messages waited, and then not, is forwarded with its enrichment', async () => {
  const tenant = await contract.newTenant();
  const owner = (await newOwner(tenant)).id;
  const ask = (method: string, path: string, body?: unknown) => call(owner, method, path, body);
  const url = `${receiver.url}/undone`;
  const events = ['lead.accepted', 'lead.enriched'];
  const { json: made } = await ask('POST', '/destinations', {
    kind: 'webhook',
    url,
    events,
    onlyClean: true,
  });
  const destination = `/destinations/${made.destinationId}`;
  const statuses = async () =>
    (await ask('GET', `${destination}/messages`)).json.messages.map(({ status }: Message) => status);
  await ask('PATCH', destination, { status: 'paused' });
  const leadId = submissionId(await submit('1a', tenant, { body: CLEAN }));
  await until(statuses, (found) => found.length === 2);

  await ask('POST', `/leads/${leadId}/review`, { verdict: 'spam' });
  await ask('PATCH', destination, { status: 'active' });
  await until(statuses, (found) => found.every((status: string) => status === 'cancelled'));
  await ask('POST', `/leads/${leadId}/review`, { verdict: null });
  await until(statuses, (found) => found.every((status: string) => status === 'delivered'));
  expect(await statuses()).toEqual(['delivered', 'delivered']);
  const { json: lead } = await ask('GET', `/leads/${leadId}`);
  expect(lead.enrichment.state).toBe('enriched');
});

test('accepted leads are counted in the stats of their hour', async () => {
  const tenant = await contract.newTenant();
  const owner = (await newOwner(tenant)).id;
  for (const body of [CLEAN, NOT_CLEAN, CLEAN]) submissionId(await submit('1a', tenant, { body }));
  const { json } = await until(
    () => call(owner, 'GET', '/stats'),
    ({ json: { total } }) => total.accepted === 3,
  );
  expect(json.total).toMatchObject({ accepted: 3, clean: 2 });
});
