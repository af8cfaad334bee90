import { expect, test } from '@jest/globals';
import type { Lead } from '#model/lead-item.ts';
import { rateWindowsAt } from '#model/limits.ts';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import type { Tenant } from '../../contract/tenant.ts';
import { audit, type Evidence } from './audit.ts';
import { bodyOf, type Client, makePlan } from './plan.ts';
import { historyOf, newLedger } from './senders.ts';

const NOW = Date.parse('2026-11-15T12:00:10Z');
const TENANTS = [0, 1].map((at) => ({ workspaceId: `ws_${at}`, formId: `form_${at}` }) as Tenant);
const KEYS = 6;

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** A successful run: each key has one lead, with its enrichment, counters and stats. */
function evidence() {
  const ledger = newLedger();
  const leads: Changeable<Lead>[] = [];
  const keyRecords = new Map<string, Record<string, unknown>>();
  const hourlyCounts = new Map<string, Record<string, number | string>>();
  const workspaces = new Map(TENANTS.map(({ workspaceId }) => [workspaceId, {} as Record<string, number>]));
  for (let number = 1; number <= KEYS; number += 1) {
    const plan = makePlan(number, { seed: 5, tenants: TENANTS.length, tightTenant: 0 });
    const client = plan.clients[0] as Client;
    const { workspaceId, formId } = TENANTS[plan.tenant] as Tenant;
    const { surface } = client;
    const leadId = `lead-${number}`;
    ledger.attempts += 1;
    historyOf(ledger, plan).acceptedIds.add(leadId);
    leads.push({
      leadId,
      workspaceId,
      formId,
      surface,
      receivedAt: new Date(NOW).toISOString(),
      body: bodyOf(plan, client),
      score: 85,
      grade: 'A',
      clean: true,
      signals: [],
    });
    keyRecords.set(hashIdempotencyKey(workspaceId, plan.key), { kind: 'accepted', leadId });
    const sk = `hour#2026-11-15T12Z#${formId}#shard`;
    const count = hourlyCounts.get(sk) ?? { workspaceId, sk, v: 1, accepted: 0, band80: 0, clean: 0 };
    hourlyCounts.set(sk, count);
    for (const name of ['accepted', 'band80', 'clean']) count[name] = Number(count[name]) + 1;
    const windows = rateWindowsAt(surface, NOW);
    const counters = workspaces.get(workspaceId) as Record<string, number>;
    for (const name of [windows.minuteCounter, windows.dayCounter])
      counters[name] = (counters[name] ?? 0) + 1;
  }
  const enrichments = new Map(
    leads.map(({ leadId }) => [leadId, { state: 'enriched' } as { state: string }]),
  );
  const stored = {
    leads,
    enrichments,
    keyRecords,
    workspaces,
    hourlyCounts: [...hourlyCounts.values()],
  };
  return { ledger, stored, tenants: TENANTS, rooms: [] as Evidence['rooms'] };
}

type Case = ReturnType<typeof evidence>;

const failuresOf = (given: Case) =>
  audit(given as unknown as Evidence)
    .filter(({ held }) => held === false)
    .map(({ what }) => what);

const firstLead = ({ stored }: Case) => stored.leads[0] as Changeable<Lead>;
const firstHistory = ({ ledger }: Case) => [...ledger.keys.values()][0] as ReturnType<typeof historyOf>;
const firstOf = (items: Iterable<Record<string, unknown>>) => [...items][0] as Record<string, unknown>;

const changeLead = (change: (lead: Lead) => Partial<Lead>) => (given: Case) =>
  Object.assign(firstLead(given), change(firstLead(given)));
/** Of every window that has one. */
const setCounters =
  (count: number) =>
  ({ stored }: Case) => {
    for (const counters of stored.workspaces.values()) for (const name in counters) counters[name] = count;
  };

test('finds nothing in a correct run', () => {
  expect(failuresOf(evidence())).toEqual([]);
});

const LEAD_OF_202 = 'every 202 has a scored lead with the same bytes';
const STATS = 'the stats match the leads by hour, form and score band';
const COUNTERS = 'counters are at least the leads and at most the limit';

test.each<[string, (given: Case) => unknown, string]>([
  ['a lead is lost', ({ stored }) => stored.leads.pop(), LEAD_OF_202],
  ['a byte of a body differs', changeLead(({ body }) => ({ body: `${body} ` })), LEAD_OF_202],
  ['a lead belongs to another form', changeLead(() => ({ formId: 'form_9' })), LEAD_OF_202],
  [
    'a key has two leads',
    (given) => given.stored.leads.push({ ...firstLead(given), leadId: 'second' }),
    'no key has two leads',
  ],
  [
    'a key was answered with two ids',
    (given) => firstHistory(given).acceptedIds.add('another'),
    'every 202 of a key names the same lead',
  ],
  [
    'a lead has no key record',
    ({ stored }) => Object.assign(firstOf(stored.keyRecords.values()), { leadId: 'another' }),
    "every lead matches its key's record",
  ],
  ['a sender got a 503', ({ ledger }) => ledger.forbiddenResponses.push('503'), 'only 202 or the opaque 200'],
  [
    'a clean lead is not enriched',
    ({ stored }) => stored.enrichments.delete('lead-1'),
    'every clean lead is enriched',
  ],
  [
    'a lead that is not clean is enriched',
    changeLead(() => ({ clean: false })),
    'only clean leads are enriched',
  ],
  [
    'a lead was counted twice',
    ({ stored }) => Object.assign(firstOf(stored.hourlyCounts), { accepted: 99 }),
    STATS,
  ],
  ['a lead was not counted', ({ stored }) => stored.hourlyCounts.pop(), STATS],
  ['the gate counted fewer than were stored', setCounters(0), COUNTERS],
  ['the gate went over its limit', setCounters(1_001), COUNTERS],
  ['the gate never counted', ({ stored }) => stored.workspaces.clear(), 'every lead of the day was counted'],
  [
    'more were accepted than the window allowed',
    (given) => {
      const { workspaceId, surface } = firstLead(given);
      const counter = rateWindowsAt(surface, NOW).minuteCounter;
      given.rooms = [{ workspaceId, counter, left: 0 }];
    },
    'never more leads in a minute than the limit',
  ],
])('reports when %s', (_, spoil, expected) => {
  const given = evidence();
  spoil(given);
  expect(failuresOf(given)).toContain(expected);
});
