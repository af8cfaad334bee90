import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeLeadId } from '#model/lead-item.ts';
import { type Message, messageId, parseMessageId } from '#sending/message.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { until } from '../../until.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { submissionId } from '../submission/submission-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const NOW = Date.parse(NOON);
const fixture = openOwnerFixture(NOW);
const { write } = makeMessages({ client: fixture.observer, tables: fixture.stack.tables });

let owner: Owner;
let destinationId: string;
let at: string;

beforeAll(async () => {
  owner = await fixture.newOwner();
  ({ destinationId, at } = await newDestination());
});

/** Of alerts alone: the stack's own dispatch must not add messages about leads. */
async function newDestination(of = owner) {
  const body = { kind: 'webhook', url: 'https://receiver.example.com/', events: ['alert.opened'] };
  const { body: made } = await of.post('/destinations', { body });
  return { destinationId: made.destinationId as string, at: `/destinations/${made.destinationId}` };
}

const leadIdAt = (minutesAgo: number) => makeLeadId(NOW - minutesAgo * 60_000, Buffer.alloc(10, minutesAgo));

/** As the send function writes it. */
async function putMessage(changes: Partial<Message> = {}): Promise<Message> {
  const message: Message = {
    workspaceId: owner.workspaceId,
    destinationId,
    leadId: leadIdAt(0),
    type: 'lead.accepted',
    formId: 'form_1',
    status: 'delivered',
    attempts: [{ at: NOON, milliseconds: 12, status: 200 }],
    countedAttempts: 1,
    createdAt: NOON,
    revision: 1,
    ...changes,
  };
  await write(message, undefined, AbortSignal.timeout(10_000));
  return message;
}

describe('a message', () => {
  test.each(['alert.opened', 'alert.closed'] as const)(
    '%s names its alert, and no submission',
    async (type) => {
      const message = await putMessage({ leadId: leadIdAt(3), type });
      const { body } = await owner.get(`/messages/${messageId(message)}`);
      expect(body).toMatchObject({ type, alertId: message.leadId, formId: 'form_1' });
      expect(body).not.toHaveProperty('submissionId');
    },
  );

  test('is shown with its attempts, and with nothing else that is stored', async () => {
    const message = await putMessage({
      leadId: leadIdAt(1),
      status: 'waiting',
      attempts: [
        { at: NOON, milliseconds: 10_000, error: 'timeout' },
        { at: NOON, milliseconds: 3, status: 500 },
      ],
      nextAttemptAt: '2026-11-15T12:05:10.000Z',
      answerExcerpt: 'Out of order',
      expiresAt: NOW / 1000 + 60,
    });
    const { body } = await owner.get(`/messages/${messageId(message)}`);
    expect(body).toEqual({
      messageId: messageId(message),
      destinationId,
      type: 'lead.accepted',
      submissionId: message.leadId,
      formId: 'form_1',
      status: 'waiting',
      createdAt: NOON,
      attempts: message.attempts,
      nextAttemptAt: '2026-11-15T12:05:10.000Z',
      answerExcerpt: 'Out of order',
    });
  });

  test('that has expired is not found', async () => {
    const message = await putMessage({ leadId: leadIdAt(2), expiresAt: NOW / 1000 - 1 });
    expect((await owner.get(`/messages/${messageId(message)}`)).status).toBe(404);
  });

  test.each(['x', 'msg_', `msg_${'a'.repeat(300)}`, '%00'])('is not found by the id %j', async (id) => {
    expect((await owner.get(`/messages/${id}`)).status).toBe(404);
    expect((await owner.post(`/messages/${id}/replay`)).status).toBe(404);
  });

  test('is replayed as it was', async () => {
    const { leadId, ...message } = await putMessage({ leadId: leadIdAt(3), status: 'failed' });
    const id = messageId({ ...message, leadId });
    fixture.queued.length = 0;
    const { status, body } = await owner.post(`/messages/${id}/replay`);
    expect([status, body]).toEqual([202, { messageId: id }]);
    const { workspaceId } = owner;
    const key = { destinationId, leadId, type: 'lead.accepted' };
    expect(fixture.queued).toEqual([
      { task: 'send', mode: 'replay', workspaceId, ...key, formId: 'form_1', at: NOON },
    ]);
  });
});

test('a test message is queued under an id of its own', async () => {
  fixture.queued.length = 0;
  const { status, body } = await owner.post(`${at}/test`);
  expect(status).toBe(202);
  const key = parseMessageId(body.messageId);
  expect(key).toMatchObject({ destinationId, type: 'destination.test' });
  expect(fixture.queued).toEqual([{ task: 'send', workspaceId: owner.workspaceId, ...key, at: NOON }]);
  expect((await owner.post(`${at}/test`, { body: {} })).body.messageId).not.toBe(body.messageId);
});

test('what waits is shown, and the oldest is tried at once; with nothing to try, a try is refused', async () => {
  const { at: of, ...destination } = await newDestination();
  await putMessage({ ...destination, leadId: leadIdAt(1) });
  expect((await owner.post(`${of}/try`)).status).toBe(409);
  const due = { status: 'waiting', attempts: [], nextAttemptAt: NOON, dueAt: NOW } as const;
  const waiting = await putMessage({ ...destination, leadId: leadIdAt(1), type: 'lead.enriched', ...due });
  const { body } = await until(
    () => owner.get(of),
    ({ body: shown }) => shown.waiting !== undefined,
  );
  expect(body.waiting).toEqual({ since: NOON, nextAttemptAt: NOON });
  const tried = await owner.post(`${of}/try`);
  expect([tried.status, tried.body]).toEqual([202, { messageId: messageId(waiting) }]);
  expect(fixture.queued.at(-1)).toMatchObject({ task: 'send', mode: 'try', type: 'lead.enriched' });
});

describe('replaying since a time', () => {
  test('begins at the first lead of that time', async () => {
    fixture.queued.length = 0;
    const body = { since: '2026-11-15T10:00:00+01:00' };
    const response = await owner.post(`${at}/replay`, { body });
    expect([response.status, response.body]).toEqual([
      202,
      { destinationId, since: '2026-11-15T09:00:00.000Z' },
    ]);
    const from = makeLeadId(Date.parse(body.since), new Uint8Array(10));
    expect(fixture.queued).toEqual([{ task: 'replay', workspaceId: owner.workspaceId, destinationId, from }]);
  });

  test.each([undefined, 'yesterday', '2026-11-15', 1_700_000_000])('refuses since %j', async (since) => {
    const { body } = await owner.post(`${at}/replay`, { body: { since } });
    expect(body.errors).toEqual([{ field: 'since', problem: expect.any(String) }]);
  });
});

describe('the messages of a destination', () => {
  let list: Awaited<ReturnType<typeof newDestination>>;
  const ids = async (query: Record<string, string> = {}) => {
    const { body } = await owner.get(`${list.at}/messages`, { query });
    return {
      minutesAgo: body.messages.map(({ submissionId: id }: { submissionId: string }) =>
        Math.round((NOW - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) / 60_000),
      ),
      cursor: body.cursor as string | undefined,
    };
  };

  beforeAll(async () => {
    list = await newDestination();
    for (let minutesAgo = 0; minutesAgo < 6; minutesAgo += 1) {
      const status = minutesAgo % 2 === 0 ? 'delivered' : 'failed';
      await putMessage({ destinationId: list.destinationId, leadId: leadIdAt(minutesAgo), status });
    }
  });

  test('are listed newest first, page by page', async () => {
    expect((await ids()).minutesAgo).toEqual([0, 1, 2, 3, 4, 5]);
    const first = await ids({ limit: '4' });
    expect(first.minutesAgo).toEqual([0, 1, 2, 3]);
    expect((await ids({ limit: '4', cursor: first.cursor ?? '' })).minutesAgo).toEqual([4, 5]);
  });

  test('are listed by status', async () => {
    const first = await ids({ status: 'failed', limit: '2' });
    expect(first.minutesAgo).toEqual([1, 3]);
    const rest = await ids({ status: 'failed', limit: '2', cursor: first.cursor ?? '' });
    expect(rest).toEqual({ minutesAgo: [5], cursor: undefined });
    expect((await ids({ status: 'parked' })).minutesAgo).toEqual([]);
  });

  test('have cursors for one destination and one filter', async () => {
    const { cursor = '' } = await ids({ limit: '1' });
    const options = { beyondSchema: true };
    const wrong = [
      await owner.get(`${at}/messages`, { query: { cursor }, ...options }),
      await owner.get(`${list.at}/messages`, { query: { cursor, status: 'failed' }, ...options }),
      await owner.get(`${list.at}/messages`, { query: { cursor: 'bm90IG91cnM' }, ...options }),
    ];
    for (const { body } of wrong) expect(body.errors).toMatchObject([{ field: 'cursor' }]);
  });

  test.each([
    ['status', 'sent'],
    ['limit', '0'],
    ['limit', '101'],
    ['before', 'x'],
  ])('are not listed with %s=%s', async (field, value) => {
    const { body } = await owner.get(`${list.at}/messages`, { query: { [field]: value } });
    expect(body.errors).toEqual([{ field, problem: expect.any(String) }]);
  });
});

describe('the messages of a lead', () => {
  test('are those to every destination, also once the lead is erased', async () => {
    const sender = await fixture.newSender('Leads');
    const own = fixture.ownerOf(sender.workspaceId);
    const leadId = submissionId(await fixture.newEnvironment().server(sender));
    expect((await own.get(`/leads/${leadId}/messages`)).body).toEqual({ messages: [] });
    const [first, second] = [await newDestination(own), await newDestination(own)];
    const { workspaceId } = sender;
    await putMessage({ workspaceId, destinationId: first.destinationId, leadId });
    await putMessage({ workspaceId, destinationId: second.destinationId, leadId, type: 'lead.enriched' });
    const types = async () => {
      const { body } = await own.get(`/leads/${leadId}/messages`);
      return body.messages.map(({ type }: { type: string }) => type).sort();
    };
    expect(await types()).toEqual(['lead.accepted', 'lead.enriched']);
    await own.delete(`/leads/${leadId}`);
    expect(await types()).toEqual(['lead.accepted', 'lead.enriched']);
  });

  test.each(['x', '019a0000-0000-7000-8000-000000000000'])('are not found for %s', async (leadId) => {
    expect((await owner.get(`/leads/${leadId}/messages`)).status).toBe(404);
  });
});
