import { OPAQUE_REJECTION, REPEATABLE_REJECTION } from '#contract';
import { readNewLead, type StreamedLead } from '#model/lead-item.ts';
import { hourCounters, incrementsOf, readCounterKey } from '#stats/stats-items.ts';
import { plainValues } from '../double/wire-format.ts';
import type { SubmissionRecord } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { mayComeBack } from './nothing-is-left.ts';
import { isExcused, type Observed, type StoredLead } from './observed.ts';

/**
 * The rest of invariant 1: only clean leads are enriched, no enrichment outlives its lead, and every lead is counted
 * once and indexed as it is. Checks the leads that were on the stream when its followers finished.
 */
export function enrichedAndCounted({ world, leads }: Observed): string[] {
  const problems = world.queue.deadLetters.map(({ body }) => `a message became a dead letter: ${body}`);
  for (const { leadId } of leadsSeenBy(world, 'relay')) {
    const stored = leads.find(({ lead }) => lead.leadId === leadId);
    if (!stored) continue;
    const { lead, enrichment } = stored;
    if (lead.clean && enrichment?.state !== 'enriched')
      problems.push(`the clean lead ${leadId} is not enriched`);
    const wasAlways = lead.scoredClean === undefined;
    if (!lead.clean && wasAlways && enrichment) problems.push(`the lead ${leadId} is enriched but not clean`);
  }
  for (const { leadId, part } of world.double.table('leads').all().map(plainValues)) {
    const isOrphan = part === 'enrichment' && !leads.some(({ lead }) => lead.leadId === leadId);
    if (isOrphan && !mayComeBack(world, String(leadId)))
      problems.push(`the enrichment of ${leadId} has outlived its lead`);
  }
  // A lead that is erased, counted and restored within seconds may count twice.
  return [...problems, ...indexedAsStored(world, leads), ...(world.restored ? [] : statsExact(world))];
}

/** Every lead is listed as it is, and found by its address. Not checked after a change that nobody has relayed. */
function indexedAsStored(world: World, leads: Observed['leads']): string[] {
  const entries = world.double.table('leadIndex').all().map(plainValues);
  if (entries.length === 0 || world.indexQueue.deadLetters.length > 0) return [];
  const unread = world.streams.leads.shards.flatMap(({ shardId, records }) =>
    records.slice(world.followed.get(`relay ${shardId}`)?.length ?? 0),
  );
  const isSettled = ({ lead }: StoredLead) =>
    !unread.some(({ dynamodb }) => dynamodb?.Keys?.leadId?.S === lead.leadId);
  return leads.filter(isSettled).flatMap(({ lead: { leadId, clean, review } }) => {
    const own = entries.filter((entry) => entry.leadId === leadId);
    const listed = own.find(({ bucket }) => String(bucket).startsWith('list#'));
    const isFound = own.some(({ bucket }) => String(bucket).startsWith('person#'));
    const isRight = listed?.clean === clean && listed.review === review?.verdict;
    return isRight && isFound ? [] : [`the lead ${leadId} is indexed as ${JSON.stringify(own)}`];
  });
}

function leadsSeenBy({ followed }: World, follower: string): StreamedLead[] {
  return [...followed]
    .filter(([name]) => name.startsWith(`${follower} `))
    .flatMap(([, records]) => records.flatMap((record) => readNewLead(record) ?? []));
}

function statsExact(world: World): string[] {
  const counted: Record<string, Record<string, number>> = {};
  const items = world.double.table('stats').all().map(plainValues);
  for (const item of items.filter(({ sk }) => String(sk).startsWith('hour#'))) {
    const { sk: _, workspaceId: __, v: ___, seq: ____, latest: _____, ...counts } = item;
    const { hour, formId } = readCounterKey(item);
    const sum = counted[`${hour} ${formId}`] ?? {};
    counted[`${hour} ${formId}`] = sum;
    for (const [name, by] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(by);
  }
  const expected = hourCounters(leadsSeenBy(world, 'stats'), '').map(({ sk, leads }) => {
    const { hour, formId } = readCounterKey({ sk, seq: '' });
    return [`${hour} ${formId}`, incrementsOf(leads)];
  });
  const text = (sums: object) =>
    JSON.stringify(sorted(Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, sorted(sum)]))));
  const [is, shouldBe] = [text(counted), text(Object.fromEntries(expected))];
  return is === shouldBe ? [] : [`stats are ${is}, expected ${shouldBe}`];
}

function sorted(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => a.localeCompare(b)));
}

const ACCEPTANCE = /^\{"submission_id":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"\}$/;
const MAX_MS = 5_000;

/** Invariant 4: the sender always gets `202` or the opaque `200`, on Surface 1c `200` or `503`, within five seconds. */
export function twoResponsesInTime({ world: { submissions } }: Observed): string[] {
  return submissions.flatMap((submission) => [
    ...shape(submission),
    ...time(submission),
    ...unexpectedErrors(submission),
  ]);
}

const HEADERS = { 'Content-Type': 'application/json' };
const HEADERS_FOR_PAGES = { ...HEADERS, 'Access-Control-Allow-Origin': '*' };

function shape({ name, surface, died, response, flawed }: SubmissionRecord): string[] {
  if (died) return [];
  if (!response) return [`${name} got no answer`];
  const usual = surface === '2' ? HEADERS_FOR_PAGES : HEADERS;
  const headersAreUsual = JSON.stringify(response.headers) === JSON.stringify(usual);
  const [opaque, accepted] = surface === '1c' ? [REPEATABLE_REJECTION, 200] : [OPAQUE_REJECTION, 202];
  const isRejection = response.statusCode === opaque.statusCode && response.body === opaque.body;
  const isAcceptance = response.statusCode === accepted && ACCEPTANCE.test(response.body);
  const isIgnored =
    surface === '1c' && flawed && response.statusCode === 200 && response.body === '{"status":"ignored"}';
  return headersAreUsual && (isRejection || isAcceptance || isIgnored)
    ? []
    : [`${name} got ${response.statusCode} ${response.body}`];
}

function time({ name, started, responded }: SubmissionRecord): string[] {
  const took = (responded?.at ?? started.at) - started.at;
  return took > MAX_MS ? [`${name} got its answer after ${took} ms`] : [];
}

/** An internal rule: no unexpected errors unless stores failed more than once. */
function unexpectedErrors(submission: SubmissionRecord): string[] {
  const { name, defect } = submission;
  return defect !== undefined && !isExcused(submission) ? [`${name} had an unexpected error: ${defect}`] : [];
}
