export type FactSource = 'body' | 'phone-metadata' | 'public-suffix-list' | 'mail-lists' | 'dns' | 'provider';

export type FactValue = string | number | boolean | readonly string[];

/** What is known, and how it came to be known, so that an owner can weigh it. */
export interface Fact {
  readonly value: FactValue;
  readonly source: FactSource;
}

/** What is not known is absent, never null. */
export type Facts = Readonly<Record<string, Fact>>;

/** The parts of a body that enrichment understands, whatever their keys were called. */
export type Role = 'email' | 'phone' | 'name' | 'firstName' | 'lastName' | 'company' | 'website' | 'country';

export type Roles = Readonly<Partial<Record<Role, string>>>;

/** Facts of one source from values of which some may be missing. */
export function factsFrom(
  source: FactSource,
  values: Readonly<Record<string, FactValue | undefined>>,
): Facts {
  const known = Object.entries(values).filter(
    (entry): entry is [string, FactValue] => entry[1] !== undefined && entry[1] !== '',
  );
  return Object.fromEntries(known.map(([name, value]) => [name, { value, source }]));
}

/** Trims, and turns every run of blanks and invisible characters into one space. */
export function tidyText(text: string | undefined, mostCharacters: number): string | undefined {
  const tidy = (text ?? '')
    .normalize('NFC')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  return tidy === '' || tidy.length > mostCharacters ? undefined : tidy;
}
