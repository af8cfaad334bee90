import type { FormField } from '#console/api/types.ts';
import { TEST_MARK } from '#model/limits.ts';
import { keyName } from '../lead-words.ts';

/** A column of a CSV file, by its name in the export API. */
interface ColumnOption {
  readonly value: string;
  readonly label: string;
}

const LEAD_COLUMNS: readonly ColumnOption[] = [
  { value: 'name', label: 'Name' },
  { value: 'company', label: 'Company' },
  { value: 'email', label: 'Email' },
  { value: 'phone', label: 'Phone' },
  { value: 'message', label: 'Message' },
  { value: 'received_at', label: 'Received' },
  { value: 'form_name', label: 'Form' },
  { value: 'form_id', label: 'Form ID' },
  { value: 'score', label: 'Score' },
  { value: 'grade', label: 'Grade' },
  { value: 'clean', label: 'Clean' },
  { value: 'review', label: 'Review' },
  { value: 'status', label: 'Status' },
  { value: 'handled_at', label: 'Handled' },
  { value: 'note', label: 'Note' },
  { value: 'submission_id', label: 'Submission ID' },
];

const FACT_COLUMNS: readonly ColumnOption[] = [
  { value: 'enrichment_first_name', label: 'First name' },
  { value: 'enrichment_last_name', label: 'Last name' },
  { value: 'enrichment_company', label: 'Company' },
  { value: 'enrichment_company_website', label: 'Company website' },
  { value: 'enrichment_email', label: 'Email' },
  { value: 'enrichment_email_domain', label: 'Email domain' },
  { value: 'enrichment_mail_class', label: 'Email type' },
  { value: 'enrichment_mail_provider', label: 'Mail provider' },
  { value: 'enrichment_phone', label: 'Phone' },
  { value: 'enrichment_phone_country', label: 'Phone country' },
  { value: 'enrichment_phone_type', label: 'Phone type' },
  { value: 'enrichment_country', label: 'Country' },
  { value: 'enrichment_time_zone', label: 'Time zone' },
  { value: 'enrichment_language', label: 'Language' },
  { value: 'enrichment_low_confidence', label: 'Facts with low confidence' },
];

/** The columns to choose from: configured fields in their order, then the other keys of recent leads. */
export function columnGroups(fields: readonly FormField[], recentKeys: readonly string[]) {
  const labels = new Map(fields.map(({ key, label }) => [key, label]));
  const keys = new Set([...labels.keys(), ...recentKeys]);
  keys.delete(TEST_MARK);
  const options = [...keys].map((key) => ({ value: keyColumn(key), label: labels.get(key) ?? keyName(key) }));
  return [
    { label: 'Lead', options: LEAD_COLUMNS },
    ...(options.length > 0 ? [{ label: 'Fields', options }] : []),
    { label: 'Enrichment', options: FACT_COLUMNS },
  ];
}

/** Separated by commas, so a comma within a key is escaped. */
function keyColumn(key: string): string {
  return `body.${key.replace(/%(?=25|2C)/gi, '%25').replaceAll(',', '%2C')}`;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const storeKey = (formId: string) => `lead-ingest.export.${formId}`;

/** The owner's choice for a form in this browser. Stores column names, never values. */
export function rememberedColumns(store: Store, formId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(storeKey(formId)) ?? 'null');
    return Array.isArray(kept) && kept.every((name) => typeof name === 'string') ? kept : [];
  } catch {
    return [];
  }
}

export function rememberColumns(store: Store, formId: string, columns: readonly string[]): void {
  try {
    store.setItem(storeKey(formId), JSON.stringify(columns));
  } catch {
    // Storage is full or blocked: the choice lasts for this export.
  }
}
