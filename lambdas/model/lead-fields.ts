import { TEST_MARK } from './limits.ts';

/** What an owner says about a field of a form: its name for people, and what it contains. */
export interface FieldConfiguration {
  readonly key: string;
  readonly label?: string;
  readonly role?: string;
}

export type LeadFields = Readonly<Record<string, unknown>>;

/** What a field of a lead is, whatever its key. */
export type Role =
  | 'email'
  | 'phone'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'company'
  | 'message'
  | 'website'
  | 'country';

/** Which key has which role. Kept with a lead whose form says something else than its keys and values do. */
export type LeadRoles = Readonly<Partial<Record<Role, string>>>;

/** A provider's payload as sent, and the flat fields made of it where they differ. Both are JSON. */
export interface SentText {
  readonly body: string;
  readonly fields?: string | undefined;
}

/** The JSON of a lead's fields, with every digit of its numbers. */
export function fieldsTextOf({ body, fields }: SentText): string {
  return fields ?? body;
}

/** What a lead says, for everything that looks for people, columns or values in it. Undefined if it is damaged. */
export function fieldsOfLead(sent: SentText): LeadFields | undefined {
  return objectIn(fieldsTextOf(sent));
}

/** What was sent, whatever was made of it. Undefined if it is damaged. */
export function objectIn(text: string): LeadFields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as LeadFields) : undefined;
  } catch {
    return undefined;
  }
}

/** Sent from the console with a mark in its body, or by a provider in a test mode, which leaves no such mark. */
export function isTestLead(
  { test }: { readonly test?: boolean | undefined },
  fields: LeadFields | undefined,
): boolean {
  return test === true || fields?.[TEST_MARK] === true;
}
