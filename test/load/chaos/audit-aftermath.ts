import { isDeepStrictEqual } from 'node:util';
import type { Enrichment } from '#enrichment/enrichment-item.ts';
import { gatherFacts, rolesOf } from '#enrichment/gather-facts.ts';
import type { Lead } from '#submission/lead-item.ts';
import { type Finding, without } from '../findings.ts';
import type { StoredState } from './stored-state.ts';

/** What becomes of leads after their 202: enrichment and statistics. */
export function auditAftermath(stored: StoredState): Finding[] {
  const { leads, enrichments } = stored;
  const clean = leads.filter((lead) => lead.clean);
  const cleanIds = new Set(clean.map(({ leadId }) => leadId));
  const expected = expectedCounts(leads);
  const counted = new Map(stored.hourlyCounts.map((item) => [countKey(item), item]));
  return [
    without(
      'every clean lead is enriched',
      clean
        .filter((lead) => enrichments.get(lead.leadId)?.state !== finalState(lead))
        .map(({ leadId }) => leadId),
      clean.length,
      'clean leads',
    ),
    without(
      'nothing but clean leads is enriched',
      [...enrichments.keys()].filter((id) => !cleanIds.has(id)),
      enrichments.size,
      'enrichments',
    ),
    without(
      'the stats are exactly the leads, by hour, form and score band',
      [...new Set([...expected.keys(), ...counted.keys()])].filter(
        (key) => !isDeepStrictEqual(expected.get(key), numbersOf(counted.get(key))),
      ),
      expected.size,
      `counts of ${leads.length.toLocaleString('en')} leads`,
    ),
    without(
      'every lead is marked as counted',
      leads.map(({ leadId }) => leadId).filter((id) => !stored.countedMarks.has(id)),
      leads.length,
      'leads',
    ),
  ];
}

/** A clean lead may say nothing that the rules know, such as a phone number that nobody can have: that is final too. */
function finalState({ body, roles }: Lead): Enrichment['state'] {
  const { facts } = gatherFacts(rolesOf(JSON.parse(body), roles));
  return Object.keys(facts).length > 0 ? 'enriched' : 'failed';
}

/** Counted here once more, by hand: what the stats function counts with would agree with its own mistakes. */
function expectedCounts(leads: readonly Lead[]): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const { workspaceId, formId, receivedAt, score, clean } of leads) {
    const key = countKey({ workspaceId, sk: `hour#${receivedAt.slice(0, 13)}Z#${formId}` });
    const count = counts.get(key) ?? {};
    counts.set(key, count);
    // 0, 20, 40, 60, 80; a full score belongs to the last.
    const band = `band${Math.min(80, Math.floor(score / 20) * 20)}`;
    for (const name of ['accepted', band, ...(clean ? ['clean'] : [])]) count[name] = (count[name] ?? 0) + 1;
  }
  return counts;
}

function countKey({ workspaceId, sk }: Record<string, unknown>): string {
  return `${workspaceId} ${sk}`;
}

function numbersOf(item: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!item) return undefined;
  const { workspaceId: _workspaceId, sk: _sk, v: _v, ...numbers } = item;
  return numbers;
}
