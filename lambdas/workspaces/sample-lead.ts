import type { FieldConfiguration } from '../model/lead-fields.ts';
import { TEST_MARK } from '../model/limits.ts';

/**
 * Not a real person: the domain is reserved for examples and the number for fiction, so that whatever a sample sets
 * in motion reaches no one.
 */
const SAMPLES = {
  email: 'ada.byron@example.com',
  phone: '+44 20 7946 0958',
  firstName: 'Ada',
  lastName: 'Byron',
  company: 'Example Company',
  website: 'https://example.com',
  country: 'GB',
  message: 'Sent from the console to try out this form.',
  name: 'Ada Byron',
} as const;

type SampleRole = keyof typeof SAMPLES;

/** In this order: a "company name" is a company. Scoring knows far more spellings. */
const SPELLINGS: readonly (readonly [RegExp, SampleRole])[] = [
  [/e-?mail/, 'email'],
  [/phone|mobile|^tel/, 'phone'],
  [/first|given/, 'firstName'],
  [/last|family|surname/, 'lastName'],
  [/company|organi[sz]ation/, 'company'],
  [/website|url/, 'website'],
  [/country/, 'country'],
  [/message|comment|question|enquiry|inquiry/, 'message'],
  [/name/, 'name'],
];

const USUAL_FIELDS: readonly FieldConfiguration[] = [
  { key: 'name' },
  { key: 'email' },
  { key: 'company' },
  { key: 'message' },
];

/** A lead as this form could send it, as far as its fields are configured; else with the fields that most forms have. */
export function sampleLead(configured: readonly FieldConfiguration[] = []): Record<string, unknown> {
  const fields = configured.length > 0 ? configured : USUAL_FIELDS;
  // Not by assignment: `__proto__` may be a field.
  return Object.fromEntries(
    fields
      .filter(({ key, role }) => role !== 'honeypot' && key !== TEST_MARK)
      .map((field) => [field.key, sampleOf(field)]),
  );
}

function sampleOf({ key, label, role }: FieldConfiguration): string {
  const known = isSampleRole(role) ? role : roleOfKey(key);
  return known ? SAMPLES[known] : `Sample of ${label ?? key}`;
}

function isSampleRole(role: string | undefined): role is SampleRole {
  return role !== undefined && Object.hasOwn(SAMPLES, role);
}

function roleOfKey(key: string): SampleRole | undefined {
  return SPELLINGS.find(([spelling]) => spelling.test(key.toLowerCase()))?.[1];
}
