import { type SampleRole, sampleRole } from '#settings/leads/sample-lead.ts';
import { TEST_MARK } from '#submission/limits.ts';

interface ConfiguredField {
  readonly key: string;
  readonly label?: string | undefined;
  readonly role?: Parameters<typeof sampleRole>[0]['role'] | undefined;
}

/** A field of the form on a page. */
export interface PageField {
  readonly key: string;
  readonly label: string;
  readonly type?: 'email' | 'tel';
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly isLong?: boolean;
}

/** No type for a website: browsers would insist on `https://`. */
const CONTROLS: Readonly<Record<SampleRole, Omit<PageField, 'key' | 'label'>>> = {
  name: { autocomplete: 'name', required: true },
  email: { type: 'email', autocomplete: 'email', required: true },
  phone: { type: 'tel', autocomplete: 'tel' },
  firstName: { autocomplete: 'given-name' },
  lastName: { autocomplete: 'family-name' },
  company: { autocomplete: 'organization' },
  website: { autocomplete: 'url' },
  country: { autocomplete: 'country-name' },
  message: { isLong: true },
};

const USUAL_FIELDS: readonly ConfiguredField[] = [{ key: 'name' }, { key: 'email' }, { key: 'message' }];

/** What visitors fill in. The SDK adds its own honeypot, so configured ones are left out. */
export function pageFields(configured: readonly ConfiguredField[]): PageField[] {
  const fields = configured.length > 0 ? configured : USUAL_FIELDS;
  return fields
    .filter(({ key, role }) => role !== 'honeypot' && key !== TEST_MARK)
    .map(({ key, label, role }) => {
      const known = sampleRole({ key, ...(role && { role }) });
      return { key, label: label || labelOf(key), ...(known && CONTROLS[known]) };
    });
}

/** `work_email` is “Work email”. */
function labelOf(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim() || key;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
