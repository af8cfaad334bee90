import type { Role } from '#model/lead-fields.ts';
import { TEST_MARK } from '#model/limits.ts';
import { roleOf } from '#scoring/roles.ts';
import { ADDED_FIELDS } from '#sdk/read-lead.ts';

type ConfiguredField = NonNullable<Parameters<typeof roleOf>[1]>[number];

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
const CONTROLS: Readonly<Record<Role, Omit<PageField, 'key' | 'label'>>> = {
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

/** What visitors fill in. People who see a honeypot fill it in, so honeypots are left out: the SDK adds its own. */
export function pageFields(configured: readonly ConfiguredField[]): PageField[] {
  const fields = configured.length > 0 ? configured : USUAL_FIELDS;
  return fields.flatMap(({ key, label = '' }) => {
    const role = roleOf({ key, value: '' }, fields);
    if (role === 'honeypot' || key === TEST_MARK || ADDED_FIELDS.includes(key)) return [];
    return { key, label: label || labelOf(key), ...(role && role !== 'about' && CONTROLS[role]) };
  });
}

/** `work_email` is “Work email”. */
function labelOf(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim() || key;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
