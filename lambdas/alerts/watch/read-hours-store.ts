import { readBackwards, type StoreContext } from '../../aws/dynamodb.ts';
import { hourOf } from '../../model/time-buckets.ts';
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
      const history = new Map<string, HourCount[]>();
      const keys = [`hour#${hourOf(now - BASELINE_DAYS * DAY)}`, `hour#${hourOf(now)}$`] as const;
      await readBackwards(
        client,
        { table: tables.stats, workspaceId, keys },
        (item) => {
          for (const { formSurface, ...count } of toCounts(item)) {
            history.set(formSurface, [...(history.get(formSurface) ?? []), count]);
          }
          return true;
        },
        signal,
      );
      return history;
    },
  };
}

/** `hour#2026-11-15T12Z#form_…` */
function toCounts(item: Readonly<Record<string, unknown>>): (HourCount & { readonly formSurface: string })[] {
  const [, at = '', ...form] = String(item.sk).split('#');
  const hour = Date.parse(`${at.slice(0, 13)}:00Z`) / HOUR;
  const count = (name: string) => Number(item[name] ?? 0);
  const byWebhook = count('accepted') - count('browser') - count('test') - count('server');
  return [
    { formSurface: `${form.join('#')}#1a`, hour, accepted: count('server') },
    { formSurface: `${form.join('#')}#1b`, hour, accepted: byWebhook },
  ].filter(({ accepted }) => accepted > 0);
}
