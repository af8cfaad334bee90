import { type Facts, factsFrom } from './enrichment-item.ts';

/** What the provider is asked with; only what is known is sent. */
export type ProviderQuestion = Readonly<
  Partial<Record<'email' | 'domain' | 'phone' | 'name' | 'company', string>>
>;

const MOST_FACTS = 30;
const LONGEST_TEXT = 1_000;
const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function providerQuestion(facts: Facts): ProviderQuestion {
  const text = (name: string) => facts[name]?.value as string | undefined;
  const name = [text('firstName'), text('lastName')].filter(Boolean).join(' ');
  const question = {
    email: text('email'),
    domain: text('emailDomain'),
    phone: text('phone'),
    name: name || undefined,
    company: text('company'),
  };
  return Object.fromEntries(
    Object.entries(question).filter((entry): entry is [keyof typeof question, string] => Boolean(entry[1])),
  );
}

/** Plain values under plain keys, each under a name that can hide no fact of our own. */
export function providerFacts(answer: Readonly<Record<string, unknown>>): Facts {
  const kept = Object.entries(answer)
    .filter((entry): entry is [string, string | number | boolean] => KEY.test(entry[0]) && isPlain(entry[1]))
    .slice(0, MOST_FACTS);
  return factsFrom('provider', Object.fromEntries(kept.map(([key, value]) => [`provider.${key}`, value])));
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_TEXT;
  return typeof value === 'boolean' || (typeof value === 'number' && isStorable(value));
}

/** DynamoDB refuses numbers beyond 38 digits or 1e-130, and its client those that are not exact. */
function isStorable(value: number): boolean {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-9 && size <= Number.MAX_SAFE_INTEGER);
}
