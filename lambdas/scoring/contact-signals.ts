import type { Role } from '../model/lead-fields.ts';
import { classifyEmail, type EmailClass } from './classify-email.ts';
import {
  classOf,
  countryCode,
  countryOfDomain,
  type PhoneClass,
  readNumberInText,
  readPhoneField,
} from './classify-phone.ts';
import { addressesIn, looksLikePhone } from './contact-text.ts';
import type { SortedEntries } from './roles.ts';
import type { RuleName } from './weights.ts';

export interface Contact {
  readonly signals: readonly RuleName[];
  readonly reachable: boolean;
  /** The best email address, in any field. */
  readonly email: EmailClass | undefined;
  readonly phone: PhoneClass | undefined;
}

/** Whether and how the person can be reached. An address or a number counts in any field. */
export function contactSignals(sorted: SortedEntries, contextCountry: string | undefined): Contact {
  const email = bestEmail(sorted);
  const phone = phoneIn(sorted, email?.domain, contextCountry);
  const usable = email !== undefined && isUsable(email);
  const signals: RuleName[] = email ? emailSignals(email) : [];
  const written = email ? '' : (sorted.roles.email?.value ?? '');
  const almost = ALMOST_ADDRESS.test(written);
  if (written !== '') signals.push(almost ? 'email_mistyped' : 'email_malformed');
  if (email && !email.fault && isApart(sorted)) signals.push('email_mistyped');
  if (phone) signals.push(PHONE_SIGNALS[phone]);
  const reachable = usable || almost || (phone !== undefined && CAN_BE_CALLED.has(phone));
  if (!reachable) signals.push('not_reachable');
  return { signals, reachable, email, phone };
}

/** A mistyped address is one that somebody can correct. */
const isUsable = (email: EmailClass) =>
  email.fault !== 'reserved' && !email.disposable && !email.testData && !FOR_TESTS.test(email.domain);

const FOR_TESTS = /\.(?:test|invalid|localhost|localdomain|local)$/;

/** `laura(at)gmail.com`, `laura.gmail.com`, `laura@gmailcom` */
const ALMOST_ADDRESS =
  /\w[^\s\w]{0,3}@|\((?:at|a)\)|\[at\]| at \w|gmail|yahoo|hotmail|outlook|icloud|[a-z\d][.,](?:com|net|org|de|fr|ru|br|uk)$/i;

const CAN_BE_CALLED = new Set<PhoneClass>(['valid', 'possible', 'odd']);

/** `laura @gmail.com` */
const isApart = ({ byRole }: SortedEntries) =>
  byRole.some(
    ([{ value }, role]) => role === 'email' && /\S\s{1,3}[@.]|[@.]\s{1,3}\S|@[a-z]{1,20}$/i.test(value),
  );

/** The email address of the person, whose domain also shows by which country a national number is read. */
export function bestEmail(sorted: SortedEntries): EmailClass | undefined {
  const emails = emailsIn(sorted);
  return emails.find(isUsable) ?? emails[0];
}

function emailsIn({ roles, byRole }: SortedEntries): EmailClass[] {
  const values = [roles.email?.value, ...byRole.map(([{ value }]) => value)];
  const addresses = new Set<string>();
  for (const value of values) {
    if (value?.includes('@') || value?.includes('＠'))
      for (const address of addressesIn(value)) addresses.add(address);
    if (addresses.size >= 5) break;
  }
  return [...addresses].slice(0, 5).map(classifyEmail);
}

function emailSignals(email: EmailClass): RuleName[] {
  const signals: RuleName[] = [];
  if (isUsable(email) && !email.fault) {
    signals.push('email_plausible', email.freeMail ? 'email_free_mail' : 'email_company_domain');
  }
  if (email.testData || email.fault === 'reserved' || FOR_TESTS.test(email.domain)) {
    signals.push('test_address');
  } else if (email.fault === 'mistyped') signals.push('email_mistyped');
  else if (email.fault === 'no_public_suffix') signals.push('email_no_public_suffix');
  if (email.disposable) signals.push('email_disposable');
  if (email.roleAccount) signals.push('email_role_account');
  if (email.plusTag) signals.push('email_plus_tag');
  if (email.scattered) signals.push('email_scattered_dots');
  if (email.gibberish) signals.push('email_gibberish');
  if (ADVERTISES.test(email.address)) signals.push('spam_address');
  return signals;
}

const ADVERTISES =
  /no-?reply|do-?not-?re|dont-?reply|yourmail|seo|backlink|loan|kredit|credit-|prets?\b|pretpr|prestamo|prestit|casino|kasino|betting|viagra|pharm|replica|forex|fx(?:signal|trade)|crypto|bitcoin|trader|invest|escort|dating|hotdate|followers|outreach|leads|ranking|promo|diplom|blaster|weightloss|giveaway|jackpot|sexy|marabout|ranking|posiciona|referencement|visibilit|rezept|bazy|recensioni|reviews|webdev|webdesign|marketing|mailing|lottery|winner|bonus|slot\d|777/i;

const PHONE_SIGNALS: Record<PhoneClass, RuleName> = {
  valid: 'phone_valid',
  possible: 'phone_possible',
  odd: 'phone_odd',
  fake: 'phone_fake',
  impossible: 'phone_invalid',
};

const NOT_FOR_NUMBERS = new Set<Role | undefined>(['email', 'country', 'website']);

function phoneIn(
  { roles, byRole }: SortedEntries,
  domain: string | undefined,
  contextCountry: string | undefined,
) {
  const stated = roles.country && countryCode(roles.country.value);
  const hint = contextCountry ?? (domain === undefined ? undefined : countryOfDomain(domain));
  let found = roles.phone?.value ? classOf(readPhoneField(roles.phone.value, stated, hint)) : undefined;
  if (found && CAN_BE_CALLED.has(found)) return found;
  for (const [{ value }, role] of byRole) {
    if (role === 'phone' || NOT_FOR_NUMBERS.has(role) || value.length < 7) continue;
    if (!looksLikePhone(value) && role !== undefined && role !== 'message') continue;
    const look = classOf(readNumberInText(value, stated ?? hint));
    if (CAN_BE_CALLED.has(look)) found = look;
    if (found === 'valid') break;
  }
  return found;
}
