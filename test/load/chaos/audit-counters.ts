import type { Lead } from '#submission/lead-item.ts';
import { LIMITS, type RateWindows, rateWindowsAt } from '#submission/limits.ts';
import { type Finding, without } from '../findings.ts';
import type { StoredState } from './stored-state.ts';

/** A window that had been counted up to before the run, so that only so many more fit in. */
export interface Room {
  readonly workspaceId: string;
  readonly counter: string;
  readonly left: number;
}

/** The gate counts before a lead is stored: so never fewer than the leads, and never more than the limit. */
export function auditCounters({ leads, workspaces }: StoredState, rooms: readonly Room[]): Finding[] {
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
    without(
      'never more leads in a minute than the limit',
      [...byMinute].filter(([window, { length }]) => length > limitOf(window)).map(([window]) => window),
      byMinute.size,
      `minutes of a workspace and surface, ${limited.length} with ${rooms[0]?.left ?? 0} permits left`,
    ),
    without(
      'never more leads in a day than the limit',
      [...byDay].filter(([, { length }]) => length > LIMITS.submissionsPerDay).map(([window]) => window),
      byDay.size,
      'days of a workspace and surface',
    ),
    without(
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
      'counters that still stand',
    ),
    without(
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
