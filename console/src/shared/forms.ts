import type { ListedForm, Stats } from '../api/types.ts';

interface NamedForm {
  readonly formId: string;
  readonly name: string;
  readonly slug: string;
  readonly archivedAt?: string | undefined;
}

/** Display names of forms, with the slug where names are not unique. */
export function formNames(forms: readonly NamedForm[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  for (const form of forms) seen.set(shortName(form), (seen.get(shortName(form)) ?? 0) + 1);
  return new Map(
    forms.map((form) => [form.formId, seen.get(shortName(form)) === 1 ? shortName(form) : longName(form)]),
  );
}

const shortName = ({ name, archivedAt }: NamedForm) =>
  archivedAt === undefined ? name : `${name} (archived)`;

const longName = ({ name, slug, archivedAt }: NamedForm) =>
  archivedAt === undefined ? `${name} (${slug})` : `${name} (${slug}, archived)`;

/** Shown until the archived forms are loaded. */
export const ARCHIVED_FORM = 'Archived form';

export function newestArchivedFirst<Form extends Pick<ListedForm, 'archivedAt'>>(
  forms: readonly Form[],
): Form[] {
  return forms.toSorted((a, b) => (b.archivedAt ?? '').localeCompare(a.archivedAt ?? ''));
}

/** Where the archived forms are listed. */
export const ARCHIVED_FORMS_PATH = '/forms?archived=shown';

/** A form's leads. */
export function leadsPath({ formId }: { readonly formId: string }): string {
  return `/leads?form=${encodeURIComponent(formId)}`;
}

export function formPath({ formId }: { readonly formId: string }): string {
  return `/forms/${encodeURIComponent(formId)}`;
}

const HOUR_MS = 60 * 60 * 1000;

/** A week ago, rounded to the hour so all callers share one cached query. */
export function weekAgo(now: number): string {
  return new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 7 * 24 * HOUR_MS).toISOString();
}

export function countLeadsByForm({ counts }: Pick<Stats, 'counts'>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { formId, accepted } of counts) sums.set(formId, (sums.get(formId) ?? 0) + accepted);
  return sums;
}
