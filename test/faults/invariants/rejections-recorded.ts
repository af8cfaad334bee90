import { KEY_REUSED } from '#model/reasons.ts';
import { countersOf, eventItem, readCounterKey } from '#rejections/diagnostics-items.ts';
import { type RejectionRecord, readNewRejection } from '#rejections/rejection-record.ts';
import { plainValues } from '../double/wire-format.ts';
import { RECORDERS } from '../service/recorders.ts';
import { isDelivery, type SubmissionRecord } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { type Observed, submissionIdOf } from './observed.ts';

const TABLES = ['rejections', 'unauthenticatedRejections'];

/**
 * Every rejection is recorded once, with its reason, unless the recording itself failed. Diagnostics always counts the
 * records exactly.
 */
export function rejectionsRecorded(observed: Observed): string[] {
  const { world } = observed;
  const records = TABLES.flatMap((table) => recordsIn(world, table));
  return [
    ...world.submissions.flatMap((submission) => recordedOnce(observed, submission, records)),
    ...countedExactly(world, records),
  ];
}

function recordsIn({ double }: World, table: string): RejectionRecord[] {
  return double.table(table).all().map(plainValues) as unknown as RejectionRecord[];
}

function recordedOnce(
  { leads }: Observed,
  submission: SubmissionRecord,
  records: readonly RejectionRecord[],
): string[] {
  const { name, reason, responded, faults } = submission;
  const reasons = records.filter(({ requestId }) => requestId === name).map((record) => record.reason);
  const original = leads.find(({ lead }) => lead.leadId === submissionIdOf(submission))?.madeBy;
  // A provider may change the body between attempts.
  const isReuse = original && original !== submission && !isDelivery(submission);
  const wanted = reason ?? (isReuse ? KEY_REUSED : undefined);
  const mayBeMissing = !responded || faults.some(({ table }) => TABLES.includes(table));
  const isRight =
    (reasons.length === 0 && (wanted === undefined || mayBeMissing)) ||
    (reasons.length === 1 && (reasons[0] === wanted || !responded));
  return isRight ? [] : [`${name} should be recorded as ${wanted}, but is recorded as [${reasons}]`];
}

type Values = Record<string, unknown>;

const MAX_EVENTS = 20;

/** Compares Diagnostics with the records that the recorders saw; later records are not counted yet. */
function countedExactly(world: World, records: readonly RejectionRecord[]): string[] {
  const recorders = [...world.followed].filter(([name]) => name.startsWith(RECORDERS.rejections));
  if (recorders.length === 0) return [];
  const seen = new Set(
    recorders
      .flatMap(([, streamed]) => streamed.flatMap((each) => readNewRejection(each) ?? []))
      .map(({ record }) => idOf(record)),
  );
  const counted = records.filter((record) => seen.has(idOf(record)));
  const items = world.double.table('diagnostics').all().map(plainValues);
  return [...countersMatch(items, counted), ...eventsMatch(items, records, counted)];
}

function countersMatch(items: readonly Values[], counted: readonly RejectionRecord[]): string[] {
  const differences = new Map<string, number>();
  const add = (name: string, by: number) => differences.set(name, (differences.get(name) ?? 0) + by);
  for (const { workspaceId, sk, ...values } of items) {
    const { kind, hour, surface, formId, reason, authenticated } = readCounterKey(String(sk));
    for (const { minute, count } of countersOf(values)) {
      const at = `${hour.slice(0, -1)}:${String(minute).padStart(2, '0')}`;
      add([workspaceId, kind, at, surface, formId, reason, authenticated].join(' '), count);
    }
  }
  for (const record of counted) {
    const { at, surface, formId, reason, authenticated } = record;
    const kind = reason.startsWith('rate_limited') ? 'limited' : 'rejected';
    for (const workspaceId of partitionsOf(record)) {
      add(
        [workspaceId, kind, at.slice(0, 16), surface, formId ?? undefined, reason, authenticated].join(' '),
        -1,
      );
    }
  }
  return [...differences]
    .filter(([, difference]) => difference !== 0)
    .map(([name, difference]) => `the counter ${name} is off by ${difference}`);
}

/** Events are the first of a minute: each must be a real rejection, once, and none may be missing while there is room. */
function eventsMatch(
  items: readonly Values[],
  records: readonly RejectionRecord[],
  counted: readonly RejectionRecord[],
): string[] {
  const events = items.filter(({ sk }) => /^(event|reused)#/.test(String(sk)));
  const poolOf = ({ workspaceId, reason, at, authenticated }: Values) =>
    [workspaceId, reason === 'idempotency_key_reused', String(at).slice(0, 16), authenticated].join(' ');
  const pools = Object.groupBy(events, poolOf);
  const ids = events.map(({ requestId, suffix }) => `${requestId} ${suffix}`);
  const counts = Object.groupBy(
    counted.flatMap((record) => eventItem(record) ?? []),
    (event) => poolOf({ ...event }),
  );
  return [
    ...events
      .filter((event) => !records.some((record) => isOf(event, record)))
      .map(({ sk, requestId }) => `the event ${sk} of ${requestId} has no record`),
    ...Object.entries(pools).flatMap(([pool, ofPool = []]) =>
      ofPool.length > MAX_EVENTS ? [`${pool} has ${ofPool.length} events`] : [],
    ),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `the event of ${id} is there twice`),
    ...Object.entries(counts).flatMap(([pool, ofPool = []]) => {
      const kept = pools[pool]?.length ?? 0;
      return kept < Math.min(MAX_EVENTS, ofPool.length)
        ? [`${pool} has ${kept} events of ${ofPool.length}`]
        : [];
    }),
  ];
}

function isOf(event: Values, record: RejectionRecord): boolean {
  const facts = ['requestId', 'at', 'surface', 'reason', 'authenticated', 'bodySha256'] as const;
  return (
    !record.sharedBy &&
    event.workspaceId === partitionsOf(record)[0] &&
    facts.every((name) => (event[name] ?? null) === record[name])
  );
}

function partitionsOf({ sk, sharedBy }: RejectionRecord): readonly string[] {
  const owner = sk.split('#')[0] as string;
  return sharedBy ?? [owner === 'none' ? 'unattributed' : owner];
}

function idOf({ requestId, sk }: RejectionRecord): string {
  return `${requestId}/${sk}`;
}
