import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { makeAlertStore } from '#alerts/alerts-store.ts';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { toEnrichmentItem } from '#enrichment/enrichment-item.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { type Lead, makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { toReviewItem } from '#model/review-item.ts';
import { type BackedUp, makeRestorer } from '#operator/restore-store.ts';
import type { Item } from '#operator/table-items-store.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import { countedMark, countedMarkKey } from '#stats/stats-items.ts';
import { localStack } from '../../local-stack.ts';
import { itemAt, itemsOf } from '../../stored-items.ts';
import { insertOf, newShard, putWorkspace } from '../stats/stream-records.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const HOUR = 60 * 60 * 1000;

const stack = localStack();
const rawClient = stack.newClient();
const calls = recordCalls(rawClient);
const client = toDocumentClient(rawClient);
// Without a stream: the stack's own functions would be faster than the test.
const tables = { ...stack.tables, leads: await copyTable(rawClient, stack.tables.leads) };
const restorer = makeRestorer({ client, tables, now: () => NOW });
const countLeads = makeStats({
  ...statsStores({ client, tables }),
  log: { write: () => undefined },
  now: () => NOW,
});
const signal = AbortSignal.timeout(100_000);

beforeEach(() => calls.reset());
afterAll(() => rawClient.send(new DeleteTableCommand({ TableName: tables.leads })));

function leadOf(workspaceId: string, receivedAt: number, rest: Partial<Lead> = {}): Lead {
  return {
    leadId: makeLeadId(receivedAt, randomBytes(10)),
    workspaceId,
    formId: 'form_1',
    surface: '1a',
    receivedAt: new Date(receivedAt).toISOString(),
    body: '{}',
    score: 70,
    grade: 'B',
    clean: true,
    signals: [],
    ...rest,
  };
}

async function putBack(tableKey: BackedUp, items: readonly Item[], takenAt = NOW) {
  const tally = { restored: 0, present: 0, expired: 0 };
  await restorer.put(tableKey, items, takenAt, tally, signal);
  return tally;
}

/** How many of these leads the stats function counts when the stream delivers them. */
async function countedAfter(workspaceId: string, leads: readonly Lead[]): Promise<number> {
  await putWorkspace({ client, tables }, workspaceId);
  await countLeads(
    newShard()(leads.map(({ surface: _, body: __, signals: ___, ...lead }) => insertOf(lead))),
  );
  const hours = await itemsOf(client, tables.stats, { workspaceId }, { sk: 'hour#' });
  return hours.reduce((sum, { accepted }) => sum + Number(accepted), 0);
}

const stored = ({ leadId }: Lead, part = 'lead') => itemAt(client, tables.leads, { leadId, part });

test('restores what is missing, leaves what exists, and can be repeated', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const [missing, changed] = [leadOf(workspaceId, NOW), leadOf(workspaceId, NOW)];
  await client.send(new PutCommand({ TableName: tables.leads, Item: toLeadItem({ ...changed, score: 99 }) }));
  const done = { at: missing.receivedAt, by: 'member:m1' };
  const followed = { ...toLeadItem(missing), opened: done, handled: { ...done, note: 'Called back.' } };
  const items = [followed, toLeadItem(changed)];
  expect(await putBack('leads', items)).toEqual({ restored: 1, present: 1, expired: 0 });
  expect(await stored(missing)).toEqual(followed);
  expect(await stored(changed)).toMatchObject({ score: 99 });
  expect(await putBack('leads', items)).toEqual({ restored: 0, present: 2, expired: 0 });
});

test('does not overwrite concurrent writes', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const item = { workspaceId, name: 'Old', status: 'active', configVersion: 3, v: 1 };
  const observer = toDocumentClient(stack.newClient());
  const newer = { ...item, name: 'New', configVersion: 4 };
  calls.injectBefore(async (command) => {
    if (command === 'PutItem') {
      await observer.send(new PutCommand({ TableName: tables.workspaces, Item: newer }));
    }
    return undefined;
  });
  expect(await putBack('workspaces', [item])).toEqual({ restored: 0, present: 1, expired: 0 });
  calls.injectBefore(undefined);
  const Key = { workspaceId };
  expect(await itemAt(observer, tables.workspaces, Key)).toEqual(newer);
  await observer.send(new DeleteCommand({ TableName: tables.workspaces, Key }));
  observer.destroy();
});

test('leads that were counted before the backup are not counted again', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const old = leadOf(workspaceId, NOW - 25 * HOUR);
  const young = leadOf(workspaceId, NOW - HOUR);
  const marked = countedMark(young, NOW - HOUR);
  expect(await putBack('stats', [marked])).toMatchObject({ restored: 1 });
  await putBack('leads', [old, young].map(toLeadItem));
  expect(await countedAfter(workspaceId, [old, young])).toBe(0);
});

test('leads that arrived just before the backup are counted once', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const takenAt = NOW - 240 * HOUR;
  const uncounted = leadOf(workspaceId, takenAt - 1_000);
  await putBack('leads', [toLeadItem(uncounted)], takenAt);
  expect(await countedAfter(workspaceId, [uncounted])).toBe(1);
});

test('leads are counted once if the counters of the backup had not got to them', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const [first, second, third] = [3, 2, 1].map((minutes) =>
    leadOf(workspaceId, NOW - HOUR - minutes * 60_000),
  );
  const leads = [first, second, third] as Lead[];
  const counter = {
    workspaceId,
    sk: `hour#2026-11-15T10Z#form_1#shard`,
    accepted: 2,
    seq: '2'.padStart(40, '0'),
    latest: second?.receivedAt,
    v: 2,
  };
  // Of another form whose name begins alike.
  const other = {
    ...counter,
    sk: `hour#2026-11-15T10Z#form_10#shard`,
    accepted: 0,
    latest: third?.receivedAt,
  };
  await putBack('stats', [counter, other]);
  await putBack('leads', leads.map(toLeadItem));
  expect(await countedAfter(workspaceId, leads)).toBe(3);
});

test('renews the marks of counted leads, because the stream may deliver them for a day', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const lead = leadOf(workspaceId, NOW - 240 * HOUR);
  const expired = { ...countedMark(lead, NOW - 240 * HOUR) };
  expect(await putBack('stats', [expired])).toEqual({ restored: 1, present: 0, expired: 0 });
  expect(await itemAt(client, tables.stats, countedMarkKey(lead))).toEqual(countedMark(lead, NOW));
});

test('keeps an open alert open, and does not announce it again', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const facts = { formId: 'form_1' };
  const about = { alertId: randomUUID(), kind: 'silence', subject: 'form_1', facts } as const;
  const at = new Date(NOW - HOUR).toISOString();
  const state = { workspaceId, sk: 'state#silence#form_1', ...about, since: at, openedAt: at, v: 1 };
  const items = [
    { ...state, pending: ['alert.opened'] },
    { workspaceId, sk: 'settings', v: 1 },
  ];
  expect(await putBack('alerts', items)).toEqual({ restored: 2, present: 0, expired: 0 });
  const { states } = await makeAlertStore({ client, tables }).read(workspaceId, signal);
  expect(states).toEqual([{ ...about, since: at, openedAt: at }]);
});

test('restores an enrichment before its lead, so that it is not looked up again', async () => {
  const lead = leadOf(`ws_${randomUUID()}`, NOW);
  const enrichment = toEnrichmentItem(
    {
      leadId: lead.leadId,
      state: 'enriched',
      facts: {},
      attempts: 1,
      enrichedAt: '2026-11-15T12:00:01.000Z',
    },
    lead,
  );
  const parts: unknown[] = [];
  calls.injectBefore((command, input) => {
    if (command === 'PutItem') parts.push((input as { Item: Item }).Item.part);
    return undefined;
  });
  await putBack('leads', [toLeadItem(lead), enrichment]);
  calls.injectBefore(undefined);
  expect(parts).toEqual(['enrichment', 'lead']);
  expect(await stored(lead, 'enrichment')).toEqual(enrichment);
});

test('restores a review without what would announce the lead once more', async () => {
  const lead = leadOf(`ws_${randomUUID()}`, NOW);
  const { leadId, workspaceId, formId, score } = lead;
  const note = { leadId, workspaceId, formId, score, clean: true, verdict: 'good', at: 'now' } as const;
  await putBack('leads', [toLeadItem(lead), toReviewItem({ ...note, madeClean: true })]);
  expect(await stored(lead, 'review')).toEqual(toReviewItem({ ...note, madeClean: false }));
});

test('leaves out notes of erasures, which would announce them again', async () => {
  const lead = leadOf(`ws_${randomUUID()}`, NOW);
  const note = { leadId: lead.leadId, part: 'erased', expiresAt: NOW / 1000 + 3_600, v: 1 };
  expect(await putBack('leads', [note])).toEqual({ restored: 0, present: 0, expired: 0, erasureNotes: 1 });
  expect(await stored(lead, 'erased')).toBeUndefined();
});

test('leaves out what has expired', async () => {
  const workspaceId = `ws_${randomUUID()}`;
  const [gone, kept] = [
    leadOf(workspaceId, NOW, { expiresAt: NOW / 1000 }),
    leadOf(workspaceId, NOW, { expiresAt: NOW / 1000 + 1 }),
  ];
  expect(await putBack('leads', [gone, kept].map(toLeadItem))).toEqual({
    restored: 1,
    present: 0,
    expired: 1,
  });
  expect(await stored(gone)).toBeUndefined();
  const closed = { workspaceId, sk: 'alert#1', expiresAt: NOW / 1000 - 1 };
  expect(await putBack('alerts', [closed])).toEqual({ restored: 0, present: 0, expired: 1 });
});
