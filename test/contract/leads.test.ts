import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { CLEAN, NOT_CLEAN } from '../../conformance/world/submission.ts';
import { makeLeadArchive, type WholeLead } from '../../lambdas/leads/whole-leads-store.ts';
import { localStack } from '../local-stack.ts';
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

const SPAM = 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top';
const send = async (email: string, surface: '1a' | '1b') =>
  submissionId(
    await submit(surface, mine, { body: JSON.stringify({ name: 'Ada Byron', email, message: SPAM }) }),
  );

test('a corrected lead is enriched and forwarded once, and the next lead of that company is clean', async () => {
  const [clean, all] = [await newWebhook('/clean', true), await newWebhook('/all', false)];
  const leadId = await send('ada@analytical-engines.co.uk', '1a');
  await until(
    async () => all(),
    (found) => found.length === 1,
  );
  expect(all()).toEqual([`lead.accepted ${leadId} false`]);

  const { status, json } = await api('POST', `/leads/${leadId}/review`, { verdict: 'good' });
  expect([status, json.review.verdict, json.clean]).toEqual([200, 'good', true]);
  await until(
    async () => clean(),
    (found) => found.length === 2,
  );
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
  await until(
    async () => clean(),
    (found) => found.length >= 4,
  );
  expect(clean()).toEqual(expected.toSorted());
  await until(
    async () => all(),
    (found) => found.length >= 4,
  );
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

test('a lead that was called spam and then not, at any time, is enriched', async () => {
  const tenant = await contract.newTenant();
  const owner = (await newOwner(tenant)).id;
  const review = (leadId: string, verdict: string | null) =>
    call(owner, 'POST', `/leads/${leadId}/review`, { verdict });
  const leadIds: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    // Of different companies: a blocked one sends no clean leads.
    const body = JSON.stringify({ ...JSON.parse(CLEAN), email: `ada@analytical-engines-${n}.co.uk` });
    const leadId = submissionId(await submit('1a', tenant, { body }));
    await sleep(n * 60);
    await review(leadId, 'spam');
    await sleep((n % 3) * 60);
    await review(leadId, null);
    leadIds.push(leadId);
  }
  const states = () =>
    Promise.all(leadIds.map(async (id) => (await call(owner, 'GET', `/leads/${id}`)).json.enrichment.state));
  await until(states, (found) => found.every((state) => state === 'enriched'));
  expect(await states()).toEqual(leadIds.map(() => 'enriched'));
});

describe('enrichment', () => {
  const archive = makeLeadArchive({ ...contract, now: Date.now });

  /** The bound is for a busy machine. */
  async function untilEnriched(leadId: string): Promise<WholeLead> {
    const read = () => archive.read(leadId, AbortSignal.timeout(5_000));
    const whole = await until(read, (found) => found?.state === 'enriched');
    if (whole?.state !== 'enriched') throw new Error('the lead was not enriched');
    return whole;
  }

  test('every clean lead of a burst is enriched', async () => {
    const tenant = await contract.newTenant();
    const ids = (
      await Promise.all(Array.from({ length: 60 }, () => submit('1a', tenant, { body: CLEAN })))
    ).map(submissionId);
    for (const id of ids) await untilEnriched(id);
  });

  describe('the queue', () => {
    const { queueClient, outputs } = openStack(localStack().outputsFile);
    const queue = (MessageBody: string) =>
      queueClient.send(new SendMessageCommand({ QueueUrl: outputs.enrichmentQueueUrl, MessageBody }));

    test('may contain a lead twice, a deleted lead and an unreadable message: every lead is enriched once', async () => {
      const tenant = await contract.newTenant();
      await queue('not a message of this service');
      await queue(JSON.stringify({ leadId: '01890a5d-ac96-774b-bcce-b302099a8057' }));
      const id = submissionId(await submit('1a', tenant, { body: CLEAN }));
      const first = await untilEnriched(id);
      await queue(JSON.stringify({ leadId: id }));
      const next = submissionId(await submit('1a', tenant, { body: CLEAN }));
      await untilEnriched(next);
      expect((await archive.read(id, AbortSignal.timeout(5_000)))?.enrichment).toEqual(first.enrichment);
    });
  });

  test('accepted leads are counted in the stats of their hour', async () => {
    const tenant = await contract.newTenant();
    for (let i = 0; i < 5; i += 1)
      submissionId(await submit('1a', tenant, { body: i % 2 ? CLEAN : NOT_CLEAN }));
    const sum = async (name: string) => {
      const { Items = [] } = await contract.client.send(
        new QueryCommand({
          TableName: contract.tables.stats,
          KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :hour)',
          ExpressionAttributeValues: { ':workspaceId': tenant.workspaceId, ':hour': 'hour#' },
          ConsistentRead: true,
        }),
      );
      return Items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
    };
    const sums = async () => [await sum('accepted'), await sum('clean')];
    expect(await until(sums, ([accepted]) => accepted === 5)).toEqual([5, 2]);
  });
});
