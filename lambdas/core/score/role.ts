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
