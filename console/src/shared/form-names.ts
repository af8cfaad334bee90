interface NamedForm {
  readonly formId: string;
  readonly name: string;
  readonly slug: string;
}

/** What to call each form: its name, with the slug where several have the same name. */
export function formNames(forms: readonly NamedForm[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  for (const { name } of forms) seen.set(name, (seen.get(name) ?? 0) + 1);
  return new Map(
    forms.map(({ formId, name, slug }) => [formId, seen.get(name) === 1 ? name : `${name} (${slug})`]),
  );
}

/** Archived forms are in no list, and their counts stay. */
export const ARCHIVED_FORM = 'Archived form';
