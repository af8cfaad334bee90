import { randomBytes } from 'node:crypto';

/** Where a value may be found afterwards. Everywhere else it must not be, in no spelling. */
export type Place =
  | 'workspaces'
  | 'forms'
  | 'formSecrets'
  | 'tokens'
  | 'leads'
  | 'idempotency'
  | 'rejections'
  | 'unauthenticatedRejections'
  | 'diagnostics'
  | 'stats'
  | 'destinations'
  | 'destinationSecrets'
  | 'messages'
  | 'logs'
  | 'output of the stack'
  | 'output of leadctl';

/** Where the record of a rejection goes, and what the recorder makes of it. */
export const REJECTION_PLACES = ['rejections', 'unauthenticatedRejections', 'diagnostics'] as const;

/** A value that is told apart from everything else. */
export interface Canary {
  readonly what: string;
  /** The part that every spelling of it keeps. */
  readonly core: string;
  readonly allowed: readonly Place[];
}

export interface Aviary {
  readonly canaries: readonly Canary[];
  /** A fresh value, of letters and digits. */
  hatch(what: string, allowed?: readonly Place[]): string;
  /** A value that somebody else has made: a token, a secret, a signature. */
  adopt(what: string, core: string, allowed?: readonly Place[]): string;
}

export function makeAviary(): Aviary {
  const canaries: Canary[] = [];
  function adopt(what: string, core: string, allowed: readonly Place[] = []): string {
    // Shorter ones would turn up by chance.
    if (core.length < 12) throw new Error(`${what} is too short to be told apart`);
    canaries.push({ what, core, allowed });
    return core;
  }
  return {
    canaries,
    adopt,
    hatch: (what, allowed) => adopt(what, `cny${randomBytes(8).toString('hex')}`, allowed),
  };
}

/**
 * The spellings that survive being copied about: as it is, in capitals, hex, and base64 at each of the three places
 * where it can begin. What URL-encoding or JSON would escape is not in the core, so that those leave it as it is.
 */
export function spellingsOf(core: string): string[] {
  const bytes = Buffer.from(core);
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The first and last characters depend on the neighbours.
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + bytes.length) / 3) * 4);
  });
  const hex = bytes.toString('hex');
  const plain = [core, core.toLowerCase(), core.toUpperCase(), hex, hex.toUpperCase()];
  const ofHexText = /^(?:[0-9a-f]{2})+$/.test(core)
    ? [Buffer.from(core, 'hex').toString('base64').slice(0, -4)]
    : [];
  const all = [...plain, ...base64, ...ofHexText];
  return [...new Set([...all, ...all.map(toUrlAlphabet)])];
}

const toUrlAlphabet = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/** Headers with a canary in each that a sender may set, whatever becomes of the request. */
export function guardedHeaders(aviary: Aviary, what: string, ofUserAgent: readonly Place[]) {
  const hatch = (name: string, allowed?: readonly Place[]) => aviary.hatch(`${name} of ${what}`, allowed);
  return {
    'User-Agent': hatch('the user agent', ofUserAgent),
    'X-Forwarded-For': hatch('the forwarded address'),
    Cookie: `session=${hatch('the cookie')}`,
    Referer: `https://example.com/${hatch('the referer')}`,
    [`X-${hatch("a header's name")}`]: hatch('a header'),
    'X-SVC-Idempotency-Key': `${hatch('the idempotency key')}@example.com`,
  };
}

/** A body with a canary in every value, and in the name of a key. */
export function guardedBody(
  aviary: Aviary,
  what: string,
  ofValues: readonly Place[],
  ofKeys: readonly Place[],
): string {
  const value = (name: string) => aviary.hatch(`${name} of ${what}`, ofValues);
  return JSON.stringify({
    name: 'Ada Byron',
    email: `ada@${value('the e-mail')}.co.uk`,
    phone: '+49 30 901820',
    company: `Analytical Engines ${value('the company')}`,
    website: `https://analytical-engines.co.uk/${value('the website')}?a=b`,
    message: `Please call me next week about ${value('the message')}. "Thank you" & regards`,
    nested: { list: [value('a nested value')] },
    [aviary.hatch(`a key's name of ${what}`, ofKeys)]: value('the value of that key'),
  });
}
