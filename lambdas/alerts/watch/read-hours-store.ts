import { readBackwards, type StoreContext } from '../../aws/dynamodb.ts';
import { hourOf } from '../../model/time-buckets.ts';
import { readCounterKey } from '../../stats/stats-items.ts';
import { BASELINE_DAYS, type HourCount } from '../baseline.ts';
import { DAY, HOUR } from '../snapshot.ts';

export interface HourReader {
  /**
   * Accepted leads by hour, of each form and surface, without tests. Browsers are left out: strangers can send as many leads as
   * they like from there.
   */
  history(workspaceId: string, now: number, signal: AbortSignal): Promise<Map<string, HourCount[]>>;
}

/** What Stats has counted. */
export function makeHourReader({ client, tables }: StoreContext<'stats'>): HourReader {
  return {
    async history(workspaceId, now, signal) {
      /** Each shard of the stream counts on its own. */
      const history = new Map<string, Map<number, number>>();
      const keys = [`hour#${hourOf(now - BASELINE_DAYS * DAY)}`, `hour#${hourOf(now)}$`] as const;
      await readBackwards(
        client,
        { table: tables.stats, workspaceId, keys },
        (item) => {
          for (const { formSurface, hour, accepted } of toCounts(item)) {
            const hours = history.get(formSurface) ?? new Map<number, number>();
            history.set(formSurface, hours.set(hour, (hours.get(hour) ?? 0) + accepted));
          }
          return true;
        },
        signal,
      );
      const toList = (hours: Map<number, number>) =>
        [...hours].map(([hour, accepted]) => ({ hour, accepted }));
      return new Map([...history].map(([formSurface, hours]) => [formSurface, toList(hours)]));
    },
  };
}

function toCounts(item: Readonly<Record<string, unknown>>): (HourCount & { readonly formSurface: string })[] {
  const { hour: at, formId } = readCounterKey(item);
  const hour = Date.parse(`${at.slice(0, 13)}:00Z`) / HOUR;
  const count = (name: string) => Number(item[name] ?? 0);
  const byWebhook = count('accepted') - count('browser') - count('test') - count('server');
  return [
    { formSurface: `${formId}#1a`, hour, accepted: count('server') },
    { formSurface: `${formId}#1b`, hour, accepted: byWebhook },
  ].filter(({ accepted }) => accepted > 0);
}
