import type { Fact } from '../../enrichment/enrichment-item.ts';
import { InvalidRequest } from '../../owner-api/errors.ts';
import { neutralize } from './csv-cells.ts';

/** The columns about a lead, in the order of the file. */
export const LEAD_COLUMNS = [
  'submission_id',
  'received_at',
  'surface',
  'score',
  'grade',
  'clean',
  'scored_clean',
  'review',
  'reviewed_at',
  'enrichment',
] as const;
export type LeadColumn = (typeof LEAD_COLUMNS)[number];

/** The names are an interface: files and scripts depend on them. A fact without a name goes to `enrichment_other`. */
const FACT_COLUMNS: Readonly<Record<string, string>> = {
  enrichment_first_name: 'firstName',
  enrichment_last_name: 'lastName',
  enrichment_email: 'email',
  enrichment_mailbox: 'mailbox',
  enrichment_email_domain: 'emailDomain',
  enrichment_mail_class: 'mailClass',
  enrichment_mail_provider: 'mailProvider',
  enrichment_mail_hosts: 'mailHosts',
  enrichment_phone: 'phone',
  enrichment_phone_country: 'phoneCountry',
  enrichment_phone_type: 'phoneType',
  enrichment_country: 'country',
  enrichment_time_zone: 'timeZone',
  enrichment_company: 'company',
  enrichment_company_website: 'companyWebsite',
  enrichment_language: 'language',
};
/** Providers name their own facts, so these have no column unless one is chosen. */
const PROVIDER_COLUMN = /^enrichment_(provider\.[A-Za-z][A-Za-z0-9_-]{0,63})$/;
const BODY_PREFIX = 'body.';

export type ExportColumn = { readonly name: string } & (
  | { readonly kind: 'lead'; readonly column: LeadColumn }
  | { readonly kind: 'fact'; readonly fact: string }
  | { readonly kind: 'uncertainFacts' | 'otherFacts' | 'other' }
  | { readonly kind: 'key'; readonly key: string }
);

const FIXED: ReadonlyMap<string, ExportColumn> = new Map(
  [
    ...LEAD_COLUMNS.map((column) => ({ kind: 'lead', name: column, column }) as const),
    ...Object.entries(FACT_COLUMNS).map(([name, fact]) => ({ kind: 'fact', name, fact }) as const),
    { kind: 'uncertainFacts', name: 'enrichment_low_confidence' } as const,
    { kind: 'otherFacts', name: 'enrichment_other' } as const,
    { kind: 'other', name: 'other' } as const,
  ].map((column) => [column.name, column]),
);

/** The columns of a file, and what the columns for the rest need to leave out. */
export interface ExportLayout {
  readonly columns: readonly ExportColumn[];
  readonly keys: ReadonlySet<string>;
  readonly facts: ReadonlySet<string>;
  /** Whether a nested value is shown in its key's column, as JSON. Otherwise it goes to `other`. */
  readonly nested: boolean;
}

/** Everything: what we know, the keys, and `other` for the rest. */
export function wholeLayout(keys: readonly string[]): ExportLayout {
  const fixed = [...FIXED.values()];
  const [last] = fixed.splice(-1) as [ExportColumn];
  return layoutOf([...fixed, ...keys.map(keyColumn), last], false);
}

/** `a,b,c`. In a name, a comma is written %2C and a percent sign before such digits %25. Throws InvalidColumns. */
export function readColumnNames(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.replace(/%2C|%25/gi, (escaped) => (escaped === '%25' ? '%' : ',')));
  if (names.includes('')) throw new InvalidColumns('Separate the names of the columns by single commas.');
  return names;
}

/** The columns that the owner chose, in that order. Throws InvalidColumns. */
export function chosenLayout(names: readonly string[]): ExportLayout {
  const columns = names.map(columnOf);
  const unique = new Set(columns.map(({ name }) => name));
  if (unique.size < columns.length) throw new InvalidColumns('The columns include one twice.');
  return layoutOf(columns, true);
}

/** Chosen names that are no known column: keys of leads, or typing errors, which would be empty columns. */
export function unprovenKeys(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(BODY_PREFIX) && columnOf(name).kind === 'key');
}

function columnOf(name: string): ExportColumn {
  const fixed = FIXED.get(name);
  if (fixed) return fixed;
  const fact = PROVIDER_COLUMN.exec(name)?.[1];
  if (fact !== undefined) return { kind: 'fact', name, fact };
  return keyColumn(name.startsWith(BODY_PREFIX) ? name.slice(BODY_PREFIX.length) : name);
}

/** A key gets a prefix if its name would mean something else: two columns of one name would hide each other. */
function keyColumn(key: string): ExportColumn {
  const isTaken = FIXED.has(key) || PROVIDER_COLUMN.test(key) || key.startsWith(BODY_PREFIX);
  return { kind: 'key', name: isTaken ? BODY_PREFIX + key : key, key };
}

function layoutOf(columns: readonly ExportColumn[], nested: boolean): ExportLayout {
  return {
    columns: withSafeNames(columns),
    keys: new Set(columns.flatMap((column) => (column.kind === 'key' ? column.key : []))),
    facts: new Set(columns.flatMap((column) => (column.kind === 'fact' ? column.fact : []))),
    nested,
  };
}

/** Neutralizing can make two keys the same, `=a` and `'=a`. */
function withSafeNames(columns: readonly ExportColumn[]): ExportColumn[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    if (column.kind !== 'key') return column;
    let name = neutralize(column.name);
    while (taken.has(name)) name = BODY_PREFIX + name;
    taken.add(name);
    return { ...column, name };
  });
}

/** An empty list is `none`, since an empty cell means that nothing is known. */
export function factCell(fact: Fact | undefined): string {
  const value = fact?.value ?? '';
  return typeof value === 'object' ? value.join(' ') || 'none' : String(value);
}

export class InvalidColumns extends InvalidRequest {
  constructor(problem: string) {
    super('invalid_columns', problem);
    this.name = 'InvalidColumns';
  }
}
