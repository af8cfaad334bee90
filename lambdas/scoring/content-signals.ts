import type { FieldConfiguration, Role } from '../model/lead-fields.ts';
import { classifyMessage, type MessageClass, mixedScriptsIn } from './classify-message.ts';
import { classifyName, isGibberish } from './classify-name.ts';
import type { Contact } from './contact-signals.ts';
import { type Entry, foldText } from './lead-text.ts';
import { hostOf } from './links.ts';
import { readableText } from './readable-text.ts';
import type { SortedEntries } from './roles.ts';
import type { RuleName } from './weights.ts';
import { isTestWord } from './word-lists.ts';

/** Script, SQL, shell or templates, as vulnerability scanners send them. */
export const PROBE =
  /<script|onerror\s?=|onload\s?=|javascript:|<\?php|<%=|\$\{jndi|\{\{\d{1,4}[*+]\d{1,4}\}\}|\$\{\d{1,4}\*|#\{\d|' ?or ?'?1'? ?=|" ?or ?"?1"? ?=|union (?:all )?select|; ?drop table|drop table \w{1,40};|sleep\(\d|pg_sleep|waitfor delay|benchmark\(|\.\.\/\.\.\/|\/etc\/passwd|win\.ini|xp_cmdshell|nslookup |\|\|? ?(?:curl|wget|id|cat) |[;`] ?(?:curl|wget) |\$\((?:curl|wget|id|whoami)|%0d%0a|php:\/\/|file:\/\/\/|<svg|<iframe|<img src ?= ?["']?x\b|alert\(|document\.cookie|__proto__|<!entity|select \* from|1=1--|';--|<!--#|\/bin\/(?:ba)?sh\b|cmd\.exe|\b(?:and|or) \d{1,4}=\d{1,4}|\/proc\/self|phpinfo\(|eval\(|base64_decode|(?:^|[;|&`]) ?(?:ls -|cat \/|id;|uname -|whoami|ping -c|nc -)|\$\{(?:env|lower|java|sys):|\bbcc: ?\S{1,64}@|order by \d{1,3}--/im;

/** What a mass mailing leaves in when its fields are not filled. */
export const TEMPLATE =
  /\{[^{}|]{1,40}\|[^{}]{1,200}\}|%[A-Z_]{3,30}%|\{\{ ?[a-z_. ]{2,40} ?\}\}|\[(?:first ?name|last ?name|name|company|website|domain|your name|city|url)\]|\{(?:first_?name|last_?name|name|company|website|domain|city|url)\}|<test lead|\*\|[A-Z]{2,20}\|\*|\$(?:first_?name|fname)\b|#(?:name|firstname)#|%(?:name|domain|url|website)%/i;

const SURELY_TEST = 3;

/** Signals from name, company, message and all other text. */
export function contentSignals(
  sorted: SortedEntries,
  contact: Contact,
  sites: readonly string[] = [],
): RuleName[] {
  const { roles, byRole } = sorted;
  const signals: RuleName[] = [];
  const name = fullName(sorted);
  const nameClass = name === '' ? undefined : classifyName(name);
  if (nameClass?.plausible) signals.push('name_plausible');
  if (nameClass?.gibberish) signals.push('name_gibberish');
  if (nameClass?.link) signals.push('name_has_link');
  if (nameClass?.botLike) signals.push('name_bot_like');

  const company = roles.company?.value ?? '';
  if (/[a-z\u00c0-\uffdc]{2}/i.test(company)) signals.push('company_given');
  const domain = contact.email?.domain;
  const site = hostOf(roles.website?.value ?? '');
  if (domain && site && !contact.email?.freeMail && (site === domain || site.endsWith(`.${domain}`))) {
    signals.push('company_matches_website');
  }

  const written = proseOf(sorted);
  const prose = readableText(written);
  const message = classifyMessage(prose.text);
  if (prose.hidden) signals.push('hidden_letters');
  if (roles.message?.value) signals.push('message_given');
  if (message.gibberish) signals.push('message_gibberish');
  if (message.noLanguage) signals.push('message_no_language');
  if (message.priceProbe) signals.push('price_probe');
  const others = byRole.filter(([, role]) => role === 'company' || role === 'country' || role === undefined);
  if (others.some(([{ value }]) => isGibberish(value))) signals.push('other_gibberish');
  const links = sortLinks(message.links, [domain, site], sites);
  signals.push(...messageSignals(message, links));
  if (mixedScriptsIn(written) + (mixedScriptsIn(name) > 0 ? 2 : 0) >= 2) signals.push('mixed_scripts');

  const starts = byRole
    .map(([{ value }]) => value.slice(0, 600))
    .join('\n')
    .slice(0, 3_000);
  if (PROBE.test(starts)) signals.push('probe');
  if (TEMPLATE.test(starts)) signals.push('template_left_in');

  if (message.test >= SURELY_TEST) signals.push('says_test');
  if (testEvidence(sorted, contact, nameClass?.testData, message.test) >= SURELY_TEST)
    signals.push('test_data');
  return signals;
}

function fullName({ roles }: SortedEntries): string {
  const parts = [roles.firstName?.value, roles.lastName?.value].filter(Boolean).join(' ');
  return roles.name?.value && roles.name !== roles.firstName ? roles.name.value : parts;
}

const NO_PROSE = new Set<Role | undefined>([
  'email',
  'phone',
  'firstName',
  'lastName',
  'name',
  'country',
  'website',
  'company',
]);

/** Everything that reads like a message; the message itself comes first, so that nothing pushes it out. */
function proseOf({ roles, byRole }: SortedEntries): string {
  const rest = byRole
    .filter(([entry, role]) => !NO_PROSE.has(role) && entry !== roles.message && entry.value.length > 3)
    .map(([{ value }]) => value);
  return [roles.message?.value ?? '', ...rest].join('\n').trim().slice(0, 4_000);
}

/** What the text model reads: other fields are mostly choices, the same in good leads and bad ones. */
export function longestText({ byRole }: SortedEntries): string {
  let longest = '';
  for (const [{ value }, role] of byRole) {
    if (!NO_PROSE.has(role) && value.length > longest.length) longest = value;
  }
  return readableText(longest).text;
}

/** Endings of domains that cost next to nothing, and that hardly any company uses. */
const THROWAWAY =
  /\.(?:xyz|top|click|icu|buzz|rest|cfd|sbs|bond|lol|monster|quest|cyou|cam|loan|win|bid|stream|gdn|mom|beauty|hair|skin|makeup|boats|autos|homes|pics|fun|uno|vip|wiki|link|pw|tk|ml|ga|cf|gq)$/;

/** How many links lead to the site of the form, to the sender's own, and elsewhere. */
interface SortedLinks {
  readonly site: number;
  readonly own: number;
  readonly foreign: number;
}

function sortLinks(
  hosts: readonly string[],
  senders: readonly (string | undefined)[],
  sites: readonly string[],
): SortedLinks {
  const belongsTo = (host: string, owners: readonly (string | undefined)[]) =>
    owners.some((owner) => owner && (host === owner || host.endsWith(`.${owner}`)));
  const site = hosts.filter((host) => belongsTo(host, sites)).length;
  const own = hosts.filter((host) => !belongsTo(host, sites) && belongsTo(host, senders)).length;
  return { site, own, foreign: hosts.length - site - own };
}

function messageSignals(message: MessageClass, { site, own, foreign }: SortedLinks): RuleName[] {
  const signals: RuleName[] = [];
  if (site > 0) signals.push('site_link');
  if (own > 0) signals.push('own_link');
  if (foreign > 0) signals.push('foreign_links');
  if (own + foreign >= 3) signals.push('many_links');
  if (message.shortened) signals.push('short_link');
  // A signature may have links in HTML, to the sender's own site.
  if (message.markup === 'forum' || (message.markup && foreign > 0)) signals.push('link_markup');
  if (message.wallet) signals.push('wallet_address');
  if (foreign > 0 && message.links.some((host) => THROWAWAY.test(host))) signals.push('throwaway_link');
  if (foreign > 0 && message.mostlyLink) signals.push('mostly_link');
  if (message.sellersPrice) signals.push('sellers_price');
  return signals;
}

/** Several small hints make a test: a placeholder's name, a made-up number, a flag that says so. */
function testEvidence(
  { roles, about, byRole }: SortedEntries,
  { email, phone }: Contact,
  name: 'surely' | 'perhaps' | undefined,
  message: number,
): number {
  const company = foldText(roles.company?.value ?? '').trim();
  const mailbox = email?.local.replace(/[\d._-]{1,20}$/, '') ?? '';
  let evidence = name === 'surely' ? 3 : name === 'perhaps' ? 1.5 : 0;
  if (email?.testData || email?.fault === 'reserved') evidence += 3;
  else if (isTestWord(mailbox)) evidence += 1.5;
  if (isTestWord(company) || /^(?:muster|test|sample|acme|dummy)/.test(company)) evidence += 1.5;
  if (phone === 'fake') evidence += 0.5;
  if (message > 0) evidence += Math.min(message, 2);
  for (const [{ key, value }] of [...about.map((entry) => [entry] as const), ...byRole]) {
    if (/^(?:is_?test|test|test_?mode|sandbox)$/i.test(key) && /^(?:true|1|yes)$/i.test(value)) evidence += 3;
    if (/^debug$/i.test(key) && /^(?:true|1)$/i.test(value)) evidence += 1;
    if (/^utm_/i.test(key) && /^(?:qa|test|testing)$/i.test(value)) evidence += 1;
  }
  return evidence;
}

/** How the form as a whole was filled in. */
export function formSignals(
  sorted: SortedEntries,
  entries: readonly Entry[],
  configuration: readonly FieldConfiguration[],
): RuleName[] {
  const signals: RuleName[] = [];
  if (sorted.honeypots.some(({ value }) => isFilled(value))) signals.push('honeypot_filled');
  if (sorted.about.some(isTooFast)) signals.push('sent_too_fast');
  if (areIdentical(sorted)) signals.push('values_identical');
  if (configuration.length > 0) {
    const filled = new Set(entries.filter(({ value }) => isFilled(value)).map(({ key }) => key));
    const share = configuration.filter(({ key }) => filled.has(key)).length / configuration.length;
    if (share === 1) signals.push('complete');
    else if (share < 0.5) signals.push('incomplete');
  }
  return signals;
}

/** The browser SDK sends how long the form was shown. Hardly anybody fills one in that fast without a program. */
const isTooFast = ({ key, value }: Entry) =>
  key === 'form_elapsed_ms' && /^\d{1,4}$/.test(value) && Number(value) < 2_500;

const isFilled = (value: string) => !/^(?:|false|0|off|null|undefined)$/i.test(value);

/** The same value in at least three fields, and in most of them; of an address, only the part before the `@` counts. */
function areIdentical({ byRole }: SortedEntries): boolean {
  const filled = byRole.filter(
    ([{ value }]) => value !== '' && !/^(?:true|false|on|off|yes|no|y|n)$/i.test(value),
  );
  const named = filled.filter(([, role]) => role !== undefined);
  const compared = (named.length >= 3 ? named : filled).slice(0, 20);
  const counts = new Map<string, number>();
  for (const [{ value }, role] of compared) {
    const folded = value.slice(0, 200).toLowerCase();
    const text = role === 'email' ? (folded.split('@', 1)[0] as string) : folded;
    counts.set(text, (counts.get(text) ?? 0) + 1);
    if (text !== folded) counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return most >= 3 && most >= compared.length * 0.6;
}
