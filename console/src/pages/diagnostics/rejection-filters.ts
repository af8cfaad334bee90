import { REASONS, type Reason, type RecordedReason } from '#rejections/reasons.ts';
import { NO_FORM } from '#rejections/rejection-counts.ts';
import { SURFACES, type Surface } from '#submission/limits.ts';

/** The filters in the URL. */
export interface Filters {
  readonly surface: Surface | undefined;
  /** `NO_FORM` for rejections without a form. */
  readonly form: string | undefined;
  readonly reason: Reason | undefined;
}

const SPLITS = ['reason', 'surface', 'form'] as const;
export type Grouping = (typeof SPLITS)[number];

/** Invalid values count as not set. */
export function readFilters(parameters: URLSearchParams): Filters {
  return {
    surface: SURFACES.find((surface) => surface === parameters.get('surface')),
    form: parameters.get('form') || undefined,
    reason: REASONS.find((reason) => reason === parameters.get('reason')),
  };
}

export function readGrouping(parameters: URLSearchParams): Grouping {
  return SPLITS.find((split) => split === parameters.get('split')) ?? 'reason';
}

interface Rejected {
  readonly surface: Surface;
  readonly formId?: string | undefined;
  readonly reason: RecordedReason;
}

export function matchingRejections<T extends Rejected>(
  rejected: readonly T[],
  { surface, form, reason }: Filters,
): T[] {
  return rejected.filter(
    (each) =>
      (surface === undefined || each.surface === surface) &&
      (form === undefined || (each.formId ?? NO_FORM) === form) &&
      (reason === undefined || each.reason === reason),
  );
}

export function isFiltered({ surface, form, reason }: Filters): boolean {
  return surface !== undefined || form !== undefined || reason !== undefined;
}

const REQUEST_ID = /(?<![0-9a-f-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])/i;

/** The request ID in any pasted text, such as a log line. */
export function readRequestId(typed: string): string | undefined {
  return REQUEST_ID.exec(typed)?.[0].toLowerCase();
}
