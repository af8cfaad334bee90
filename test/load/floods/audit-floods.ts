import { countersOf, EVENT_POOLS, EVENT_SLOTS_PER_MINUTE } from '#rejections/diagnostics-items.ts';
import { type Finding, judged, measured } from '../findings.ts';
import type { FailedGateWrite, Weight } from '../stack/tap-protocol.ts';
import type { Experience } from './floods.ts';

/** How many rejections an item of Diagnostics counts. */
export function rejectionsIn(item: Readonly<Record<string, unknown>>): number {
  return countersOf(item).reduce((sum, { count }) => sum + count, 0);
}

/** Over the limit, an environment asks the gate once per window and caches the result. */
export function auditGateWrites(failed: readonly FailedGateWrite[], limited: number): Finding {
  const groups = Map.groupBy(failed, ({ environment, window }) => `${environment} ${window}`);
  const most = Math.max(0, ...[...groups.values()].map(({ length }) => length));
  return judged(
    'at most one failing gate write per environment and window',
    // Zero would mean that the tap saw nothing.
    most === 1,
    `${failed.length} for ${limited.toLocaleString('en')} limited submissions, in ${groups.size} pairs of environment and window, at most ${most} each`,
  );
}

export interface Partition {
  readonly name: string;
  readonly items: readonly Record<string, unknown>[];
  /** The maximum number of counters per hour. */
  readonly counters: number;
}

export function countedIn(partitions: readonly Partition[]): number {
  return partitions.flatMap(({ items }) => items).reduce((sum, item) => sum + rejectionsIn(item), 0);
}

/** Regardless of the number of rejections: 40 events per minute, and a few counters per kind and hour. */
export function auditDiagnostics(
  partitions: readonly Partition[],
  { rejected, recorded }: { readonly rejected: number; readonly recorded: number },
): Finding[] {
  let mostEvents = 0;
  let tooManyCounters = 0;
  const counted = countedIn(partitions);
  for (const { items, counters } of partitions) {
    const byTime = (kinds: RegExp) =>
      Map.groupBy(
        items.filter(({ sk }) => kinds.test(String(sk))),
        ({ sk }) => String(sk).split('#')[1],
      ).values();
    for (const inMinute of byTime(/^event#/)) mostEvents = Math.max(mostEvents, inMinute.length);
    for (const inHour of byTime(/^(?:rejected|limited)#/)) {
      if (inHour.length > counters) tooManyCounters += 1;
    }
  }
  const items = partitions.reduce((sum, partition) => sum + partition.items.length, 0);
  return [
    judged(
      'diagnostics stay bounded',
      mostEvents > 0 && mostEvents <= EVENT_POOLS * EVENT_SLOTS_PER_MINUTE && tooManyCounters === 0,
      `${items} items in ${partitions.length} partitions, at most ${mostEvents} events per minute and partition`,
    ),
    judged(
      'every recorded rejection is counted once',
      counted > 0 && counted === recorded && recorded <= rejected,
      `${counted.toLocaleString('en')} counted, ${recorded.toLocaleString('en')} recorded of ${rejected.toLocaleString('en')}; the rest took too long and were dropped`,
    ),
  ];
}

/** A leak of one record per request would be many times this. */
const GROWTH_LIMIT_BYTES = 2_000_000;

export function auditMemory(before: readonly Weight[], after: readonly Weight[], requests: number): Finding {
  const earlier = new Map(before.map(({ environment, heapBytes }) => [environment, heapBytes]));
  const growths = after
    .filter(({ environment }) => earlier.has(environment))
    .map(({ environment, heapBytes }) => heapBytes - (earlier.get(environment) as number));
  const most = Math.max(...growths);
  return judged(
    'the memory of the environments stays flat',
    growths.length > 0 && most < GROWTH_LIMIT_BYTES,
    `${growths.length} environments, ${requests.toLocaleString('en')} requests: live heap grew by ${kilobytes(most)} KB at most`,
  );
}

/** The slowdown depends on the machine's shared cores, so this only bounds starvation. */
const STARVATION_MILLISECONDS = 20_000;

export function auditHonest(quiet: Experience, flooded: Experience): Finding[] {
  const ratio = (by: (experience: Experience) => number) => (by(flooded) / by(quiet)).toFixed(1);
  const figures = ({ sent, medianMilliseconds, p99Milliseconds }: Experience) =>
    `median ${medianMilliseconds.toFixed(0)} ms, p99 ${p99Milliseconds.toFixed(0)} ms of ${sent}`;
  return [
    judged(
      'other senders are accepted meanwhile',
      flooded.sent > 0 && flooded.accepted === flooded.sent && quiet.accepted === quiet.sent,
      `${flooded.accepted} of ${flooded.sent}`,
    ),
    judged(
      'other senders do not starve meanwhile',
      flooded.slowestMilliseconds < STARVATION_MILLISECONDS,
      `slowest ${(flooded.slowestMilliseconds / 1000).toFixed(2)} s`,
    ),
    measured('other senders without the flood', figures(quiet)),
    measured(
      'other senders during the flood',
      `${figures(flooded)}: ${ratio((each) => each.medianMilliseconds)} and ${ratio((each) => each.p99Milliseconds)} times as long`,
    ),
  ];
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}
