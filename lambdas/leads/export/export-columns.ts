import type { Fact } from '../../enrichment/enrichment-item.ts';
import { InvalidRequest } from '../../owner-api/errors.ts';
import { neutralize } from './csv-cells.ts';

/** The columns about a lead, in the order of the file. */
const LEAD_COLUMNS = [
  'submission_id',
  'received_at',
  'surface',
  'score',
  'grade',
  'clean',
  'scored_clean',
  'review',
  'reviewed_at',
  'handling',
  'handled_at',
  'handling_note',
  'enrichment',
] as const;

/** The same for a file of all forms: first what a person looks for. */
const LISTED_COLUMNS = [
  'name',
  'company',
  'email',
  'phone',
  'message',
  'received_at',
  'form_id',
  'form_name',
  'score',
  'grade',
  'clean',
  'review',
  'status',
  'handled_at',
  'note',
  'submission_id',
] as const;
export type LeadColumn = (typeof LEAD_COLUMNS)[number] | (typeof LISTED_COLUMNS)[number];

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

/** All columns of a kind of file but those for keys, by their names. */
export type FixedColumns = ReadonlyMap<string, ExportColumn>;

function fixedColumns(columns: readonly LeadColumn[]): FixedColumns {
  const all = [
    ...columns.map((column) => ({ kind: 'lead', name: column, column }) as const),
    ...Object.entries(FACT_COLUMNS).map(([name, fact]) => ({ kind: 'fact', name, fact }) as const),
    { kind: 'uncertainFacts', name: 'enrichment_low_confidence' } as const,
    { kind: 'otherFacts', name: 'enrichment_other' } as const,
    { kind: 'other', name: 'other' } as const,
  ];
  return new Map(all.map((column) => [column.name, column]));
}

export const FORM_COLUMNS = fixedColumns(LEAD_COLUMNS);
export const LIST_COLUMNS = fixedColumns(LISTED_COLUMNS);

/** The columns of a file, and what the columns for the rest need to leave out. */
export interface ExportLayout {
  readonly columns: readonly ExportColumn[];
  readonly keys: ReadonlySet<string>;
  readonly facts: ReadonlySet<string>;
  /** Whether a nested value is shown in its key's column, as JSON. Otherwise it goes to `other`. */
  readonly nested: boolean;
}

/** Everything: what we know, the keys, and `other` for the rest. */
export function wholeLayout(keys: readonly string[], fixed = FORM_COLUMNS): ExportLayout {
  const known = [...fixed.values()];
  const [last] = known.splice(-1) as [ExportColumn];
  return layoutOf([...known, ...keys.map((key) => keyColumn(key, fixed)), last], false);
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
export function chosenLayout(names: readonly string[], fixed = FORM_COLUMNS): ExportLayout {
  const columns = names.map((name) => columnOf(name, fixed));
  const unique = new Set(columns.map(({ name }) => name));
  if (unique.size < columns.length) throw new InvalidColumns('The columns include one twice.');
  return layoutOf(columns, true);
}

/** Chosen names that are no known column: keys of leads, or typing errors, which would be empty columns. */
export function unprovenKeys(names: readonly string[], fixed: FixedColumns): string[] {
  return names.filter((name) => !name.startsWith(BODY_PREFIX) && columnOf(name, fixed).kind === 'key');
}

function columnOf(name: string, fixed: FixedColumns): ExportColumn {
  const known = fixed.get(name);
  if (known) return known;
  const fact = PROVIDER_COLUMN.exec(name)?.[1];
  if (fact !== undefined) return { kind: 'fact', name, fact };
  return keyColumn(name.startsWith(BODY_PREFIX) ? name.slice(BODY_PREFIX.length) : name, fixed);
}

/** A key gets a prefix if its name would mean something else: two columns of one name would hide each other. */
function keyColumn(key: string, fixed: FixedColumns): ExportColumn {
  const isTaken = fixed.has(key) || PROVIDER_COLUMN.test(key) || key.startsWith(BODY_PREFIX);
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
