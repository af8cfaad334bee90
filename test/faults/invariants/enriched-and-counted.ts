import { hourlyCounts } from '#stats/stats-items.ts';
import { readNewLead, type StreamedLead } from '#submission/lead-item.ts';
import { plainValues } from '../double/plain-values.ts';
import type { World } from '../service/world.ts';
import type { Observed } from './observed.ts';

/**
 * The rest of invariant 1: a clean lead is enriched, another is not; and every lead is counted once. For the leads
 * that were on the stream when those who follow it had done their work.
 */
export function enrichedAndCounted({ world, leads }: Observed): string[] {
  const problems = world.queue.deadLetters.map(({ body }) => `a message became a dead letter: ${body}`);
  for (const { leadId, clean } of leadsSeenBy(world, 'relay')) {
    const enrichment = leads.find(({ lead }) => lead.leadId === leadId)?.enrichment;
    if (clean && enrichment?.state !== 'enriched') problems.push(`the clean lead ${leadId} is not enriched`);
    if (!clean && enrichment) problems.push(`the lead ${leadId} is not clean, and is enriched`);
  }
  return [...problems, ...statsExact(world)];
}

function leadsSeenBy({ followed }: World, follower: string): StreamedLead[] {
  return (followed.get(follower) ?? []).flatMap((record) => readNewLead(record) ?? []);
}

function statsExact(world: World): string[] {
  const counted = Object.fromEntries(
    world.double
      .table('stats')
      .all()
      .map(plainValues)
      .filter(({ sk }) => String(sk).startsWith('hour#'))
      .map(({ sk, workspaceId: _, v: __, ...counts }) => [sk, sorted(counts)]),
  );
  const expected = Object.fromEntries(
    hourlyCounts(leadsSeenBy(world, 'stats')).map(({ sk, increments }) => [sk, sorted(increments)]),
  );
  const [is, shouldBe] = [JSON.stringify(sorted(counted)), JSON.stringify(sorted(expected))];
  return is === shouldBe ? [] : [`stats are ${is} and should be ${shouldBe}`];
}

function sorted(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => a.localeCompare(b)));
}
