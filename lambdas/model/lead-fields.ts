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
