import { isDeepStrictEqual } from 'node:util';
import type { Enrichment } from '#enrichment/enrichment-item.ts';
import { contextOf, gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
import type { Lead } from '#model/lead-item.ts';
import { LIMITS, type RateWindows, rateWindowsAt } from '#model/limits.ts';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import type { Tenant } from '../../contract/tenant.ts';
import { type Finding, noExceptions } from '../findings.ts';
import { bodyOf, keyIn } from './plan.ts';
import type { Ledger } from './senders.ts';
import type { StoredState } from './settle.ts';

export interface Evidence {
  readonly ledger: Ledger;
  readonly stored: StoredState;
  readonly tenants: readonly Tenant[];
  /** The minutes that accepted fewer than the limit. */
  readonly rooms: readonly Room[];
}

/** Compares the tables with the responses that senders got. */
export function audit(evidence: Evidence): Finding[] {
  const { ledger, stored } = evidence;
  const histories = [...ledger.keys.values()];
  const acknowledged = histories.filter(({ acceptedIds }) => acceptedIds.size > 0);
  const leadsById = new Map(stored.leads.map((lead) => [lead.leadId, lead]));
  const leadsByKey = Map.groupBy(stored.leads, ({ body }) => keyIn(body) ?? 'none');

  /** What is wrong with the lead of an acknowledged id; undefined if nothing. */
  function faultOf(id: string, { plan }: (typeof histories)[number]): string | undefined {
    const lead = leadsById.get(id);
    if (!lead) return 'no lead';
    if (!plan.clients.some((client) => bodyOf(plan, client) === lead.body)) return 'another body';
    if (lead.formId !== evidence.tenants[plan.tenant]?.formId) return 'another form';
    return Number.isInteger(lead.score) ? undefined : 'no score';
  }

  return [
    noExceptions(
      'every 202 has a scored lead with the same bytes',
      acknowledged.flatMap((history) =>
        [...history.acceptedIds].flatMap((id) => {
          const fault = faultOf(id, history);
          return fault ? [`${history.plan.key}: ${fault}`] : [];
        }),
      ),
      acknowledged.length,
      'keys with a 202',
    ),
    noExceptions(
      'no key has two leads',
      [...leadsByKey].filter(([, leads]) => leads.length > 1).map(([key, { length }]) => `${key}: ${length}`),
      leadsByKey.size,
      'keys with a lead',
    ),
    noExceptions(
      'every 202 of a key names the same lead',
      acknowledged.filter(({ acceptedIds }) => acceptedIds.size > 1).map(({ plan }) => plan.key),
      acknowledged.length,
      'keys with a 202',
    ),
    noExceptions(
      "every lead matches its key's record",
      stored.leads.filter((lead) => !isNamedByItsKey(lead, evidence)).map(({ leadId }) => leadId),
      stored.leads.length,
      `leads, ${stored.leads.length - acknowledged.length} of them without a received 202`,
    ),
    noExceptions(
      'only 202 or the opaque 200',
      ledger.forbiddenResponses,
      ledger.attempts - ledger.lost,
      'answers',
    ),
    ...auditBackground(stored),
    ...auditCounters(stored, evidence.rooms),
  ];
}

function isNamedByItsKey(
  { leadId, workspaceId, body }: StoredState['leads'][number],
  { stored: { keyRecords } }: Evidence,
): boolean {
  const record = keyRecords.get(hashIdempotencyKey(workspaceId, keyIn(body) ?? ''));
  return record?.kind === 'accepted' && record.leadId === leadId;
}

/** A window that was filled before the run, so that only a few more fit in. */
export interface Room {
  readonly workspaceId: string;
  readonly counter: string;
  readonly left: number;
}

/** The gate counts before a lead is stored: never fewer than the leads, never more than the limit. */
function auditCounters({ leads, workspaces }: StoredState, rooms: readonly Room[]): Finding[] {
  const leadsBy = (counterOf: (windows: RateWindows) => string) =>
    Map.groupBy(leads, (lead) => `${lead.workspaceId} ${counterOf(windowsOf(lead))}`);
  const byMinute = leadsBy(({ minuteCounter }) => minuteCounter);
  const byDay = leadsBy(({ dayCounter }) => dayCounter);
  const roomOf = new Map(rooms.map(({ workspaceId, counter, left }) => [`${workspaceId} ${counter}`, left]));
  const limitOf = (window: string) => roomOf.get(window) ?? LIMITS.submissionsPerMinute;
  const standing = [...workspaces].flatMap(([workspaceId, item]) =>
    Object.entries(item)
      .filter(([name]) => /^n1[ab][md]\d+$/.test(name))
      .map(([name, count]) => ({ window: `${workspaceId} ${name}`, count: Number(count) })),
  );
  const limited = [...byMinute].filter(([window]) => roomOf.has(window));
  return [
    noExceptions(
      'never more leads in a minute than the limit',
      [...byMinute].filter(([window, { length }]) => length > limitOf(window)).map(([window]) => window),
      byMinute.size,
      `minutes of a workspace and surface, ${limited.length} with ${rooms[0]?.left ?? 0} permits left`,
    ),
    noExceptions(
      'never more leads in a day than the limit',
      [...byDay].filter(([, { length }]) => length > LIMITS.submissionsPerDay).map(([window]) => window),
      byDay.size,
      'days of a workspace and surface',
    ),
    noExceptions(
      'counters are at least the leads and at most the limit',
      standing
        .filter(({ window, count }) => {
          const isDay = /d\d+$/.test(window);
          const stored = (isDay ? byDay : byMinute).get(window)?.length ?? 0;
          const before = isDay ? 0 : LIMITS.submissionsPerMinute - limitOf(window);
          const limit = isDay ? LIMITS.submissionsPerDay : LIMITS.submissionsPerMinute;
          return count < before + stored || count > limit;
        })
        .map(({ window, count }) => `${window} = ${count}`),
      standing.length,
      'remaining counters',
    ),
    noExceptions(
      'every lead of the day was counted',
      [...byDay.keys()].filter((window) => !standing.some((counter) => counter.window === window)),
      byDay.size,
      'days of a workspace and surface',
    ),
  ];
}

function windowsOf({ surface, receivedAt }: Lead): RateWindows {
  return rateWindowsAt(surface, Date.parse(receivedAt));
}

/** Checks enrichment and statistics. */
function auditBackground(stored: StoredState): Finding[] {
  const { leads, enrichments } = stored;
  const clean = leads.filter((lead) => lead.clean);
  const cleanIds = new Set(clean.map(({ leadId }) => leadId));
  const expected = expectedCounts(leads);
  const counted = sumOfShards(stored.hourlyCounts);
  return [
    noExceptions(
      'every clean lead is enriched',
      clean
        .filter((lead) => enrichments.get(lead.leadId)?.state !== finalState(lead))
        .map(({ leadId }) => leadId),
      clean.length,
      'clean leads',
    ),
    noExceptions(
      'only clean leads are enriched',
      [...enrichments.keys()].filter((id) => !cleanIds.has(id)),
      enrichments.size,
      'enrichments',
    ),
    noExceptions(
      'the stats match the leads by hour, form and score band',
      [...new Set([...expected.keys(), ...counted.keys()])].filter(
        (key) => !isDeepStrictEqual(expected.get(key), counted.get(key)),
      ),
      expected.size,
      `counts of ${leads.length.toLocaleString('en')} leads`,
    ),
  ];
}

/** A clean lead may have no facts to enrich, such as only an impossible phone number: it ends as failed. */
function finalState({ body, roles }: Lead): Enrichment['state'] {
  const fields = JSON.parse(body);
  const { facts } = gatherFacts(rolesOf(fields, roles), contextOf(fields, roles));
  return Object.keys(facts).length > 0 ? 'enriched' : 'failed';
}

/** Counts independently: sharing code with the stats function would hide its bugs. */
function expectedCounts(leads: readonly Lead[]): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const { workspaceId, formId, receivedAt, score, clean } of leads) {
    const key = countKey({ workspaceId, sk: `hour#${receivedAt.slice(0, 13)}Z#${formId}` });
    const count = counts.get(key) ?? {};
    counts.set(key, count);
    // 0, 20, 40, 60, 80; a score of 100 belongs to the last.
    const band = `band${Math.min(80, Math.floor(score / 20) * 20)}`;
    for (const name of ['accepted', band, ...(clean ? ['clean'] : [])]) count[name] = (count[name] ?? 0) + 1;
  }
  return counts;
}

function countKey({ workspaceId, sk }: Record<string, unknown>): string {
  return `${workspaceId} ${sk}`;
}

/** Each shard of the stream has its own counters, whose keys end with its name. */
function sumOfShards(items: readonly Record<string, unknown>[]): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const { workspaceId, sk, ...rest } of items) {
    const key = countKey({ workspaceId, sk: String(sk).replace(/#[^#]+$/, '') });
    const count = counts.get(key) ?? {};
    counts.set(key, count);
    for (const [name, value] of Object.entries(rest)) {
      if (/^(accepted|clean|band\d+)$/.test(name)) count[name] = (count[name] ?? 0) + Number(value);
    }
  }
  return counts;
}
