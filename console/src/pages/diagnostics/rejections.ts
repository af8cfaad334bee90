import { MISTAKES } from '#debugger/mistakes.ts';
import { ALL_SURFACES, type AnySurface } from '#model/limits.ts';
import { REASONS, type Reason, type RecordedReason } from '#model/reasons.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { NO_FORM } from '#rejections/rejection-counts.ts';
import { likelyCause } from '#sources/explain-rejection.ts';
import { PROVIDERS } from '#sources/providers.ts';
import type { Diagnostics, ListedForm, RejectionEvent } from '../../api/types.ts';
import { SURFACE_NAMES } from '../../shared/display-text.ts';
import { ARCHIVED_FORM, formNames } from '../../shared/forms.ts';
import { type Bucket, type Series, stackSeries } from '../../shared/time-series.ts';

/** Names of the forms in rejections, including archived ones. */
export interface KnownForms {
  /** Some rejections have no form, such as those of an unknown token. */
  nameOf(formId: string | undefined): string;
  /** The given forms that aren't archived. */
  takingLeads(formIds: readonly string[]): { readonly formId: string; readonly name: string }[];
  /** All forms, archived ones last. */
  readonly all: readonly { readonly formId: string; readonly name: string }[];
}

/** `archived` is undefined until it is loaded. */
export function knownForms(
  live: readonly ListedForm[],
  archived: readonly ListedForm[] | undefined,
): KnownForms {
  const names = formNames([...live, ...(archived ?? [])]);
  const unknown = archived === undefined ? ARCHIVED_FORM : 'Unknown form';
  const nameOf = (formId: string | undefined) =>
    formId === undefined ? 'No form' : (names.get(formId) ?? unknown);
  const isLive = (formId: string) => live.some((form) => form.formId === formId);
  return {
    nameOf,
    takingLeads: (formIds) => formIds.filter(isLive).map((formId) => ({ formId, name: nameOf(formId) })),
    all: [...names].map(([formId, name]) => ({ formId, name })),
  };
}

/** The filters in the URL. */
export interface Filters {
  readonly surface: AnySurface | undefined;
  /** `NO_FORM` for rejections without a form. */
  readonly form: string | undefined;
  readonly reason: Reason | undefined;
}

const SPLITS = ['reason', 'surface', 'form'] as const;
export type Grouping = (typeof SPLITS)[number];

/** Invalid values count as not set. */
export function readFilters(parameters: URLSearchParams): Filters {
  return {
    surface: ALL_SURFACES.find((surface) => surface === parameters.get('surface')),
    form: parameters.get('form') || undefined,
    reason: REASONS.find((reason) => reason === parameters.get('reason')),
  };
}

export function readGrouping(parameters: URLSearchParams): Grouping {
  return SPLITS.find((split) => split === parameters.get('split')) ?? 'reason';
}

interface Rejected {
  readonly surface: AnySurface;
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

type Count = Diagnostics['rejected']['counts'][number];

export interface ReasonSum {
  readonly reason: RecordedReason;
  readonly count: number;
  /** The affected forms, most affected first. */
  readonly formIds: readonly string[];
  readonly surfaces: readonly AnySurface[];
}

/** The most frequent first. */
export function sumByReason(counts: readonly Count[]): ReasonSum[] {
  const byReason = Map.groupBy(counts, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, its]) => ({
      reason,
      count: total(its),
      formIds: formsOf(its),
      surfaces: ALL_SURFACES.filter((surface) => its.some((each) => each.surface === surface)),
    }))
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

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly copy?: boolean;
}

const DETAIL_NAMES: Readonly<Record<string, string>> = {
  likelyMistake: 'Likely cause',
  skewSeconds: 'Timestamp offset',
  length: 'Length',
  contentType: 'Content type',
  contentEncoding: 'Content encoding',
  problem: 'Problem',
  type: 'Type',
  header: 'Header',
  provider: 'Provider',
  ageSeconds: 'Age',
  originalSubmissionId: 'Original submission',
};

/** What was wrong with this request. */
export function detailFacts(event: Pick<RejectionEvent, 'detail' | 'reason' | 'surface'>): Fact[] {
  const cause = event.surface === '1c' ? likelyCause(event) : undefined;
  const { looksLike: _, ...detail } = event.detail;
  return [
    ...(cause === undefined ? [] : [{ name: 'Likely cause', value: cause }]),
    ...Object.entries(detail).map(([name, value]) => ({
      name: DETAIL_NAMES[name] ?? name,
      value: detailValue(name, value),
    })),
  ];
}

function detailValue(name: string, value: string | number): string {
  if (name === 'likelyMistake' && Object.hasOwn(MISTAKES, value))
    return MISTAKES[value as keyof typeof MISTAKES];
  if (name === 'skewSeconds') return `${Math.abs(Number(value))} s ${Number(value) > 0 ? 'behind' : 'ahead'}`;
  if (name === 'provider') return PROVIDERS.get(String(value))?.displayName ?? String(value);
  if (name === 'ageSeconds') return `${Math.floor(Number(value) / 86_400)} days`;
  return String(value);
}

/** Facts about the request. The body isn't stored. */
export function requestFacts(event: RejectionEvent): Fact[] {
  const {
    requestId,
    extendedRequestId,
    authenticated,
    sourceAddress,
    userAgent,
    bodyBytes,
    bodySha256,
    keyNames,
  } = event;
  return [
    { name: 'Request ID', value: requestId, copy: true },
    ...(extendedRequestId === undefined
      ? []
      : [{ name: 'API Gateway request ID', value: extendedRequestId }]),
    { name: 'Sender authenticated', value: authenticated ? 'Yes' : 'No' },
    { name: 'IP address', value: sourceAddress ?? 'Unknown' },
    { name: 'User agent', value: userAgent ?? 'Not sent' },
    {
      name: 'Body size',
      value: `${new Intl.NumberFormat().format(bodyBytes)} ${bodyBytes === 1 ? 'byte' : 'bytes'}`,
    },
    ...(bodySha256 === undefined ? [] : [{ name: 'Body SHA-256', value: bodySha256, copy: true }]),
    ...(keyNames === undefined ? [] : [{ name: 'Body keys', value: keyNames.join(', ') || 'None' }]),
  ];
}
