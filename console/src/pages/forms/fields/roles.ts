import type { FormField } from '#console/api/types.ts';

type Role = NonNullable<FormField['role']>;

const NAMES: Readonly<Record<Role, string>> = {
  email: 'Email address',
  phone: 'Phone number',
  name: 'Full name',
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  message: 'Message',
  website: 'Website',
  country: 'Country',
  honeypot: 'Honeypot',
};

const DESCRIPTIONS: Partial<Record<Role, string>> = {
  honeypot: 'Hidden from people: whoever fills it is a program',
};

export const ROLE_OPTIONS = [
  { value: '', label: 'Told by its key' },
  ...Object.entries(NAMES).map(([value, label]) => ({
    value,
    label,
    description: DESCRIPTIONS[value as Role],
  })),
];
