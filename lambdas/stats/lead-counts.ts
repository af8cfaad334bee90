import { SCORE_BANDS } from './stats-items.ts';
import { type Bucket, bucketOf } from './time-buckets.ts';

export interface LeadTally {
  readonly accepted: number;
  readonly clean: number;
  /** One for each of SCORE_BANDS, in their order. */
  readonly bands: readonly number[];
}

export interface LeadCount extends LeadTally {
  /** When the hour or day begins. */
  readonly at: string;
  readonly formId: string;
}

interface GrowingTally {
  accepted: number;
  clean: number;
  bands: number[];
}

/** Adds the hours of Stats up by bucket and form. Fed newest first, it gives newest first. */
export function sumLeads(bucket: Bucket) {
  const sums = new Map<string, GrowingTally & { at: string; formId: string }>();
  const total = noLeads();
  return {
    add(item: Readonly<Record<string, unknown>>): void {
      const [, hour = '', ...form] = String(item.sk).split('#');
      const [at, formId] = [bucketOf(hour, bucket), form.join('#')];
      const key = `${at}#${formId}`;
      const sum = sums.get(key) ?? { at, formId, ...noLeads() };
      sums.set(key, sum);
      for (const tally of [sum, total]) raise(tally, item);
    },
    size: () => sums.size,
    result: (): { total: LeadTally; counts: LeadCount[] } => ({ total, counts: [...sums.values()] }),
  };
}

function noLeads(): GrowingTally {
  return { accepted: 0, clean: 0, bands: SCORE_BANDS.map(() => 0) };
}

function raise(tally: GrowingTally, item: Readonly<Record<string, unknown>>): void {
  const number = (name: string) => (typeof item[name] === 'number' ? item[name] : 0);
  tally.accepted += number('accepted');
  tally.clean += number('clean');
  for (const [index, from] of SCORE_BANDS.entries()) {
    tally.bands[index] = (tally.bands[index] ?? 0) + number(`band${from}`);
  }
}
