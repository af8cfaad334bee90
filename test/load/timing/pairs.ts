import { LIMITS, type Surface } from '#submission/limits.ts';
import { SECRET, SLUGS, TOKENS } from './records.ts';
import { type GatewayEvent, serverRequest, type Variation, webhookRequest } from './requests.ts';

/** Made for each sample: a signature has to be fresh. */
type MakeRequest = (nowMilliseconds: number) => GatewayEvent;

/** Two requests that nobody noExceptions a credential may be able to tell apart. */
export interface Pair {
  readonly name: string;
  readonly surface: Surface;
  readonly left: MakeRequest;
  readonly right: MakeRequest;
  /** Sent before each sample, and not timed: so that the function has what is known in memory. */
  readonly before?: MakeRequest;
  /** Of the samples asked for: every one is waited for, and a tenth shows whether a cause differs from the others. */
  readonly share: number;
  /** How many times slower the store is than usual. */
  readonly slowness: number;
}

/** The explanation of a signature works on bodies of up to 8 KB: none takes it longer. */
const EXPLAINED: Variation = { body: jsonOf(8 * 1024) };
const LARGEST: Variation = { body: jsonOf(LIMITS.bodyBytes) };
const OVERSIZED: Variation = { body: Buffer.alloc(LIMITS.bodyBytes + 1, 32) };
const COMPRESSED: Variation = { headers: { 'Content-Encoding': 'gzip' } };

/** Puts the middle of the natural time on the first tick, where a microsecond decides between two answers. */
const ON_THE_TICK = 2.5;

/** An object of many short values, which takes longest to parse and to write again. */
function jsonOf(bytes: number): Buffer {
  const entries: string[] = [];
  for (let size = 40; size < bytes - 20; size += 17)
    entries.push(`"k${String(entries.length).padStart(6, '0')}":1.50`);
  return Buffer.from(`{${entries.join(',')}}`.padEnd(bytes, ' '));
}

type Extent = Partial<Pick<Pair, 'share' | 'slowness'>>;

function slugPair(name: string, known: string, variation: Variation = {}, extent: Extent = {}): Pair {
  const request = (slug: string) => (nowMilliseconds: number) =>
    webhookRequest(slug, { signedAtMilliseconds: nowMilliseconds, ...variation });
  return {
    name: `unknown slug, ${name}`,
    surface: '1b',
    share: 0.1,
    slowness: 1,
    ...extent,
    left: request(SLUGS.unknown),
    right: request(known),
  };
}

function tokenPair(name: string, known: string, variation?: Variation, extent: Extent = {}): Pair {
  return {
    name: `unknown token, ${name}`,
    surface: '1a',
    share: 0.1,
    slowness: 1,
    ...extent,
    left: () => serverRequest(TOKENS.unknown, variation),
    right: () => serverRequest(known, variation),
  };
}

/** What a sender can choose: how long the work takes, and so how near to a tick it ends. */
function fullPairs(): Pair[] {
  const full = { share: 1 };
  return [
    slugPair('form of 100 fields; 90 bytes', SLUGS.good, {}, full),
    slugPair('form of 100 fields; largest body', SLUGS.good, LARGEST, full),
    slugPair('form of 100 fields; 8 KB', SLUGS.good, EXPLAINED, full),
    slugPair('form of 100 fields; 128 KB on a slow store', SLUGS.good, LARGEST, {
      share: 1,
      slowness: ON_THE_TICK,
    }),
    slugPair('form noExceptions fields', SLUGS['form noExceptions fields'], {}, full),
    tokenPair('revoked; form of 100 fields', TOKENS.revoked, {}, full),
  ];
}

/** An unknown token or slug against each that is known and refused. */
function otherPairs(): Pair[] {
  const { unknown: _, good: token, revoked: __, ...tokens } = TOKENS;
  const { unknown: ___, good: slug, 'form noExceptions fields': ____, ...slugs } = SLUGS;
  const headers = (given: Readonly<Record<string, string | null>>): Variation => ({ headers: given });
  return [
    ...Object.entries(tokens).map(([name, known]) => tokenPair(name, known)),
    tokenPair('known one; body too large', token, OVERSIZED),
    tokenPair('known one; compressed', token, COMPRESSED),
    {
      ...slugPair('known one in memory', slug),
      before: (nowMilliseconds) =>
        webhookRequest(slug, { signedWith: SECRET, signedAtMilliseconds: nowMilliseconds }),
    },
    ...Object.entries(slugs).map(([name, known]) => slugPair(name, known)),
    slugPair('known one; signed with nothing', slug, { signedWith: '' }),
    slugPair('known one; no signature', slug, headers({ 'X-SVC-Signature': null })),
    slugPair('known one; malformed signature', slug, headers({ 'X-SVC-Signature': 'sha256=zz' })),
    slugPair('known one; no timestamp', slug, headers({ 'X-SVC-Timestamp': null })),
    slugPair('known one; old timestamp', slug, { signedAtMilliseconds: 0 }),
    slugPair('known one; body too large', slug, OVERSIZED),
    slugPair('known one; compressed', slug, COMPRESSED),
  ];
}

export const PAIRS: readonly Pair[] = [...fullPairs(), ...otherPairs()];
