import { countersOf, eventItem, readCounterKey } from '#rejections/diagnostics-items.ts';
import { type RejectionRecord, readNewRejection } from '#rejections/rejection-record.ts';
import { plainValues } from '../double/attribute-value.ts';
import { RECORDERS } from '../service/recorders.ts';
import type { World } from '../service/world.ts';

type Values = Record<string, unknown>;

const MOST_EVENTS = 20;

/** Diagnostics against the records that the recorders saw: one that was written after their end is not counted yet. */
export function countedExactly(world: World, records: readonly RejectionRecord[]): string[] {
  const recorders = [...world.followed].filter(([name]) => name.startsWith(RECORDERS.rejections));
  if (recorders.length === 0) return [];
  const seen = new Set(
    recorders
      .flatMap(([, streamed]) => streamed.flatMap((each) => readNewRejection(each) ?? []))
      .map(({ record }) => idOf(record)),
  );
  const counted = records.filter((record) => seen.has(idOf(record)));
  const items = world.double.table('diagnostics').all().map(plainValues);
  return [...countersExact(items, counted), ...eventsTrue(items, records, counted)];
}

function countersExact(items: readonly Values[], counted: readonly RejectionRecord[]): string[] {
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

/** A sample, and a bounded one: but each of them happened, and the place of every record is taken. */
function eventsTrue(
  items: readonly Values[],
  records: readonly RejectionRecord[],
  counted: readonly RejectionRecord[],
): string[] {
  const events = items.filter(({ sk }) => /^(event|reused)#/.test(String(sk)));
  const poolOf = ({ workspaceId, reason, at, authenticated }: Values) =>
    [workspaceId, reason === 'idempotency_key_reused', String(at).slice(0, 16), authenticated].join(' ');
  const pools = Object.groupBy(events, poolOf);
  const places = new Set(events.map(({ workspaceId, sk }) => `${workspaceId} ${sk}`));
  return [
    ...events
      .filter((event) => !records.some((record) => isOf(event, record)))
      .map(({ sk, requestId }) => `the event ${sk} of ${requestId} is of no record`),
    ...Object.entries(pools).flatMap(([pool, ofPool = []]) =>
      ofPool.length > MOST_EVENTS ? [`${pool} has ${ofPool.length} events`] : [],
    ),
    ...counted
      .flatMap((record) => eventItem(record) ?? [])
      .filter(({ workspaceId, sk }) => !places.has(`${workspaceId} ${sk}`))
      .map(({ sk, requestId }) => `there is no event ${sk}, where ${requestId} could be`),
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
