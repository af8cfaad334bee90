import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { NO_FORM } from '#rejections/rejection-counts.ts';
import type { Diagnostics, RecordedReason } from '../../api/types.ts';
import { type Series, stackSeries } from '../../shared/charts/stack-series.ts';
import type { Bucket } from '../../shared/charts/time-ranges.ts';
import { SURFACE_NAMES } from '../../shared/surface-names.ts';
import type { Grouping } from './rejection-filters.ts';

type Count = Diagnostics['rejected']['counts'][number];

export interface ReasonSum {
  readonly reason: RecordedReason;
  readonly count: number;
  /** The affected forms, most affected first. */
  readonly formIds: readonly string[];
}

/** The most frequent first. */
export function sumByReason(counts: readonly Count[]): ReasonSum[] {
  const byReason = Map.groupBy(counts, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, its]) => ({ reason, count: total(its), formIds: formsOf(its) }))
    .sort((a, b) => b.count - a.count);
}

export function total(counts: readonly Count[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function formsOf(counts: readonly Count[]): string[] {
  const byForm = Map.groupBy(counts, ({ formId }) => formId);
  return [...byForm]
    .flatMap(([formId, its]) => (formId === undefined ? [] : { formId, count: total(its) }))
    .sort((a, b) => b.count - a.count)
    .map(({ formId }) => formId);
}

interface SeriesOf {
  readonly range: Pick<Diagnostics, 'from' | 'to'>;
  readonly bucket: Bucket;
  readonly split: Grouping;
  readonly nameOfForm: (formId: string | undefined) => string;
}

export function rejectionSeries(
  counts: readonly Count[],
  { range: { from, to }, bucket, split, nameOfForm }: SeriesOf,
): Series[] {
  const titleOf: Readonly<Record<Grouping, (kind: string) => string>> = {
    reason: (kind) => REASON_GUIDE[kind as RecordedReason]?.title ?? kind,
    surface: (kind) => SURFACE_NAMES[kind as keyof typeof SURFACE_NAMES] ?? kind,
    form: (kind) => nameOfForm(kind === NO_FORM ? undefined : kind),
  };
  const kindOf = ({ reason, surface, formId }: Count) =>
    ({ reason, surface, form: formId ?? NO_FORM })[split];
  return stackSeries(
    counts.map((each) => ({ at: each.at, count: each.count, kind: kindOf(each) })),
    { from, to, bucket, titleOf: titleOf[split], rest: 'Other' },
  );
}
