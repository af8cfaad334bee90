import type { Lead } from './v1.module.d.ts';

/** Hidden from people. Scoring recognizes the name: whatever fills the field is a program. */
export const HONEYPOT_FIELD = 'website_confirm';
/** The time between showing and submitting the form, in whole milliseconds. */
export const ELAPSED_FIELD = 'form_elapsed_ms';
/** Not part of the page's own form. */
export const ADDED_FIELDS: readonly string[] = [HONEYPOT_FIELD, ELAPSED_FIELD];

/**
 * The lead of a form's entries. Values of one name are joined, because the service wants flat keys. Files and an empty
 * honeypot are left out.
 */
export function readLead(entries: Iterable<readonly [string, unknown]>): Lead {
  // Not a plain object: a field may be named __proto__.
  const fields = new Map<string, string>();
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || (name === HONEYPOT_FIELD && value === '')) continue;
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(fields);
}
