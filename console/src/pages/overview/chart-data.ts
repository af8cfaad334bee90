import type { Diagnostics, ListedForm, Stats } from '../../api/types.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/forms.ts';
import { type Bucket, type Series, stackSeries } from '../../shared/time-series.ts';

export function leadsByForm(stats: Stats, forms: readonly ListedForm[], bucket: Bucket): Series[] {
  const names = formNames(forms);
  const counts = stats.counts.map(({ at, formId, accepted }) => ({ at, kind: formId, count: accepted }));
  const titleOf = (formId: string) => names.get(formId) ?? `${ARCHIVED_FORM}s`;
  return stackSeries(counts, { from: stats.from, to: stats.to, bucket, titleOf, rest: 'Other forms' });
}

/** Always three series in the same order, so each keeps its color. */
export function acceptedAndRejected(stats: Stats, diagnostics: Diagnostics, bucket: Bucket): Series[] {
  const range = { from: stats.from, to: stats.to, bucket, rest: '' };
  const one = (title: string, counts: readonly { at: string; count: number }[]): Series => {
    const kinds = counts.length > 0 ? counts : [{ at: stats.from, count: 0 }];
    const [series] = stackSeries(
      kinds.map(({ at, count }) => ({ at, count, kind: title })),
      { ...range, titleOf: () => title },
    );
    return series as Series;
  };
  return [
    one(
      'Accepted',
      stats.counts.map(({ at, accepted }) => ({ at, count: accepted })),
    ),
    one('Rejected', diagnostics.rejected.counts),
    one('Rate limited', diagnostics.rateLimited.counts),
  ];
}

/** Bands such as `0–19`, from their lower ends. */
export function scoreBands({ scoreBandsFrom, total }: Stats): { readonly x: string; readonly y: number }[] {
  return scoreBandsFrom.map((from, at) => {
    const next = scoreBandsFrom[at + 1];
    return { x: `${from}–${next === undefined ? 100 : next - 1}`, y: total.bands[at] ?? 0 };
  });
}
