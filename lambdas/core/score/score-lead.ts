import type { FieldConfiguration } from '../configuration.ts';
import type { LeadFields } from '../json-body.ts';

/** One named finding and what it adds to the score, so that an owner sees why a lead scored as it did. */
export interface Signal {
  readonly name: string;
  readonly weight: number;
}

export interface Score {
  /** 0 to 100. */
  readonly score: number;
  /** Fit for enrichment: reachable, and not spam. */
  readonly clean: boolean;
  readonly signals: readonly Signal[];
}

const WEIGHTS = {
  email_plausible: 50,
  phone_plausible: 20,
  name_given: 15,
  company_given: 15,
  links_in_text: -40,
} as const;

type SignalName = keyof typeof WEIGHTS;
type Role = 'email' | 'phone' | 'name' | 'company';

const KEY_SPELLINGS: Record<Role, RegExp> = {
  email: /^(?:work_?)?e-?mail(?:[ _-]?address)?$/i,
  phone: /^(?:mobile|tel|phone(?:[ _-]?number)?)$/i,
  name: /^(?:(?:full|first|last)?[ _-]?name)$/i,
  company: /^(?:company(?:[ _-]?name)?|organi[sz]ation)$/i,
};

/** Only this much of a value is looked at, so that a large body costs no more than a small one. */
const LOOKED_AT = 1_000;

/** Pure, and linear in the number of top-level keys. */
export function scoreLead(fields: LeadFields, configuration: readonly FieldConfiguration[] = []): Score {
  const found = new Set<SignalName>();
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    for (const signal of signalsOf(roleOf(key, configuration), String(value).slice(0, LOOKED_AT)))
      found.add(signal);
  }
  const signals = [...found].map((name) => ({ name, weight: WEIGHTS[name] }));
  const sum = signals.reduce((total, { weight }) => total + weight, 0);
  const reachable = found.has('email_plausible') || found.has('phone_plausible');
  return {
    score: Math.min(100, Math.max(0, sum)),
    clean: reachable && !found.has('links_in_text'),
    signals,
  };
}

function roleOf(key: string, configuration: readonly FieldConfiguration[]): Role | undefined {
  const configured = configuration.find((field) => field.key === key)?.role;
  if (configured !== undefined && Object.hasOwn(KEY_SPELLINGS, configured)) return configured as Role;
  const roles = Object.keys(KEY_SPELLINGS) as Role[];
  return roles.find((role) => key.length <= 40 && KEY_SPELLINGS[role].test(key.trim()));
}

function signalsOf(role: Role | undefined, text: string): SignalName[] {
  const value = text.trim();
  if (value === '') return [];
  if (role === 'email') return isPlausibleEmail(value) ? ['email_plausible'] : [];
  if (role === 'phone') return value.replace(/\D/g, '').length >= 7 ? ['phone_plausible'] : [];
  const links = /https?:\/\//i.test(value) ? (['links_in_text'] as const) : [];
  if (role === 'name') return ['name_given', ...links];
  if (role === 'company') return ['company_given'];
  return [...links];
}

function isPlausibleEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  return (
    at > 0 && value.length <= 254 && domain.includes('.') && !/[\s@]/.test(domain) && !domain.startsWith('.')
  );
}
