import { readBackwards, type StoreContext } from '../../aws/dynamodb.ts';
import { hourOf, type TimeRange } from '../../stats/time-buckets.ts';
import { BASELINE_DAYS, type HourCount } from '../baseline.ts';
import { browserUse, DAY, HOUR, type SenderUse } from '../snapshot.ts';

export interface HourReader {
  /** Accepted leads by hour, of each form, without tests and those from browsers. */
  history(workspaceId: string, now: number, signal: AbortSignal): Promise<Map<string, HourCount[]>>;
  /** The last lead from a browser of each of these forms, if there is one. Read only while they seem to be silent. */
  browserUses(
    workspaceId: string,
    formIds: ReadonlySet<string>,
    range: TimeRange,
    signal: AbortSignal,
  ): Promise<SenderUse[]>;
}

interface CountedHour extends HourCount {
  readonly formId: string;
  readonly browser: number;
}

/** What Stats has counted. */
export function makeHourReader({ client, tables }: StoreContext<'stats'>): HourReader {
  /** Newest first, until `take` returns false. */
  async function readHours(
    workspaceId: string,
    { from, to }: TimeRange,
    take: (count: CountedHour) => boolean,
    signal: AbortSignal,
  ) {
    const keys = [`hour#${hourOf(from)}`, `hour#${hourOf(to)}$`] as const;
    const where = { table: tables.stats, workspaceId, keys };
    await readBackwards(client, where, (item) => take(toCountedHour(item)), signal);
  }

  return {
    async history(workspaceId, now, signal) {
      const history = new Map<string, HourCount[]>();
      await readHours(
        workspaceId,
        { from: now - BASELINE_DAYS * DAY, to: now },
        ({ formId, hour, accepted, server }) => {
          history.set(formId, [...(history.get(formId) ?? []), { hour, accepted, server }]);
          return true;
        },
        signal,
      );
      return history;
    },

    async browserUses(workspaceId, formIds, range, signal) {
      const uses = new Map<string, SenderUse>();
      await readHours(
        workspaceId,
        range,
        ({ formId, hour, browser }) => {
          // Only the hour is known. Its end is taken, so that no form seems silent that is not.
          const lastUsedAt = Math.min((hour + 1) * HOUR, range.to);
          const isNewest = browser > 0 && formIds.has(formId) && !uses.has(formId);
          if (isNewest) uses.set(formId, browserUse(formId, lastUsedAt));
          return uses.size < formIds.size;
        },
        signal,
      );
      return [...uses.values()];
    },
  };
}

/** `hour#2026-11-15T12Z#form_…` */
function toCountedHour(item: Readonly<Record<string, unknown>>): CountedHour {
  const [, at = '', ...form] = String(item.sk).split('#');
  const browser = Number(item.browser ?? 0);
  return {
    formId: form.join('#'),
    hour: Date.parse(`${at.slice(0, 13)}:00Z`) / HOUR,
    accepted: Number(item.accepted ?? 0) - browser - Number(item.test ?? 0),
    server: Number(item.server ?? 0),
    browser,
  };
}
