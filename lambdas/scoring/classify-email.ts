import { isGibberish } from './classify-name.ts';
import { isWithinOneEdit } from './lead-text.ts';
import { readList } from './lists.ts';
import { DomainHashes } from './lookups.ts';
import {
  FREE_MAIL_NAMES,
  isTestWord,
  MORE_FREE_MAIL,
  ONE_ENDING_ONLY,
  REAL_NEIGHBOURS,
  ROLE_ACCOUNTS,
  SLIPS_OF_COM,
  WELL_KNOWN_HOSTS,
} from './word-lists.ts';

export interface EmailClass {
  readonly address: string;
  readonly local: string;
  readonly domain: string;
  /** Why mail cannot arrive, if so. */
  readonly fault: 'no_public_suffix' | 'mistyped' | 'reserved' | undefined;
  /** The provider that was probably meant, if mistyped. */
  readonly meant: string | undefined;
  readonly disposable: boolean;
  readonly freeMail: boolean;
  readonly roleAccount: boolean;
  readonly plusTag: boolean;
  /** `r.i.xo.w.et@gmail.com`: one mailbox under many spellings. */
  readonly scattered: boolean;
  /** `ogemncjww526`: random letters. */
  readonly gibberish: boolean;
  readonly testData: boolean;
}

export function classifyEmail(address: string): EmailClass {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).toLowerCase();
  const domain = address.slice(at + 1).toLowerCase();
  const { name, ending } = partsOf(domain);
  const [mailbox = '', ...tags] = local.split('+');
  const meant = isRegistered(domain, name, ending) ? meantBy(name, ending) : undefined;
  const freeMail =
    MORE_FREE_MAIL.has(domain) || (FREE_MAIL_NAMES.has(name) && domain.startsWith(name)) || free.has(domain);
  return {
    address,
    local,
    domain,
    fault: meant === undefined ? faultOf(domain, name, ending) : 'mistyped',
    meant,
    // Services that hand out addresses also own the slips of well-known names. Most who write one slipped.
    disposable: meant === undefined && isDisposable(domain),
    freeMail,
    roleAccount: ROLE_ACCOUNTS.has(mailbox),
    plusTag: tags.length > 0,
    scattered: freeMail && isScattered(mailbox),
    gibberish: mailbox.split(/[\d._-]{1,20}/).some((part) => part.length >= 6 && isGibberish(part)),
    testData: isTestAddress(mailbox, name, tags),
  };
}

const disposable = new DomainHashes(() => readList('disposableDomains'));
const free = new DomainHashes(() => readList('freeMailDomains'));
let topLevel: Set<string> | undefined;

/** Also a subdomain of a listed one: services hand them out by the thousand. */
function isDisposable(domain: string): boolean {
  let rest = domain;
  for (let level = 0; level < 4 && rest.includes('.'); level += 1) {
    if (disposable.has(rest)) return true;
    rest = rest.slice(rest.indexOf('.') + 1);
  }
  return /^(?:trash|temp|throwaway|fake|burner|disposable|10minute|guerrilla)-?e?mails?\b/.test(domain);
}

/** Second levels under which countries register names: enough to find the name in `yahoo.co.uk`. */
const SECOND_LEVELS = new Set('co com net org ac edu gov or ne go gob gouv nom in agr coop'.split(' '));

export function partsOf(domain: string): { name: string; ending: string } {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  const twofold = labels.length > 2 && last.length === 2 && SECOND_LEVELS.has(labels.at(-2) as string);
  const depth = twofold ? 2 : 1;
  return { name: labels.at(-1 - depth) ?? '', ending: labels.slice(-depth).join('.') };
}

export function hasPublicSuffix(domain: string): boolean {
  topLevel ??= new Set(readList('topLevelDomains').toString().split(' '));
  const last = domain.slice(domain.lastIndexOf('.') + 1);
  // Reserved for documents and demonstrations, where it stands for a company's own domain.
  if (last === 'example') return true;
  return topLevel.has(last) || (last.startsWith('xn--') && last.length > 5);
}

const RESERVED_NAMES = new Set(
  'example beispiel exemple ejemplo exemplo esempio voorbeeld przyklad priklad ornek contoh exempel eksempel primer pelda vidu yourdomain mydomain yourcompany mycompany meinedomain'.split(
    ' ',
  ),
);

/** Only the registered domain is judged: a name below it may belong to somebody else. */
const isRegistered = (domain: string, name: string, ending: string) =>
  domain.length - name.length - ending.length === 1;

function faultOf(domain: string, name: string, ending: string): EmailClass['fault'] {
  if (!hasPublicSuffix(domain)) return 'no_public_suffix';
  if (domain === 'domain.com' || domain === 'email.tst') return 'reserved';
  return isRegistered(domain, name, ending) && RESERVED_NAMES.has(name) ? 'reserved' : undefined;
}

/** The well-known provider that is one slip away. */
function meantBy(name: string, ending: string): string | undefined {
  const endings = WELL_KNOWN_HOSTS.get(name);
  if (endings) {
    const isSlip = ONE_ENDING_ONLY.has(name) ? !endings.has(ending) : SLIPS_OF_COM.has(ending);
    return isSlip ? `${name}.${endings.has('com') ? 'com' : [...endings][0]}` : undefined;
  }
  if (
    SLIPS_OF_COM.has(ending) &&
    FREE_MAIL_NAMES.has(name) &&
    name.length >= 3 &&
    name !== 'mail' &&
    name !== 'proton' &&
    ending !== 'cc' &&
    ending !== 'cam'
  ) {
    return `${name}.com`;
  }
  if (REAL_NEIGHBOURS.has(name)) return undefined;
  for (const [wellKnown, itsEndings] of WELL_KNOWN_HOSTS) {
    if (itsEndings.has(ending) && isWithinOneEdit(name, wellKnown)) return `${wellKnown}.${ending}`;
  }
  return undefined;
}

function isScattered(mailbox: string): boolean {
  const pieces = mailbox.split('.');
  return pieces.length >= 5 && pieces.filter((piece) => piece.length <= 2).length >= pieces.length - 1;
}

function isTestAddress(mailbox: string, name: string, tags: readonly string[]): boolean {
  const bare = mailbox.replace(/[\d._-]{1,20}$/, '') || mailbox;
  if (isTestWord(name) && (isTestWord(bare) || mailbox === name || STRONG_TEST_DOMAINS.has(name)))
    return true;
  if (mailbox === name && (/^(.)\1{0,30}$/.test(name) || /^\d{1,8}$/.test(name))) return true;
  if (LOAD_TESTS.test(mailbox)) return true;
  return tags.some((tag) => /^(?:test|qa|e2e|cypress|playwright|loadtest)/.test(tag));
}

const STRONG_TEST_DOMAINS = new Set(
  'test testing teste tests tester sample prueba deneme ceshi foo bar asdf qwerty'.split(' '),
);
const LOAD_TESTS =
  /^(?:loadtest|e2e|qa-?auto|qa-?bot|selenium|cypress|playwright|testuser|test-user|test\.user|dummy)/;
