import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parseKeys } from '#browser/browser-keys.ts';
import { mintBrowserToken, type SigningKey } from '#browser/browser-token.ts';
import { type AnySurface, LIMITS } from '#model/limits.ts';
import { signatureOf } from '#model/request-signature.ts';
import { PROVIDERS, type Provider } from '#sources/providers.ts';
import { signDelivery } from '#sources/sign-delivery.ts';
import { BROWSER_KEYS, NOW, ORIGIN, SECRET, SLUGS, SOURCE_SLUGS, TOKENS } from './records.ts';

export type GatewayEvent = APIGatewayProxyEvent;

/** What a sender adds to a request, or omits with null. */
interface Variation {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Buffer;
  /** The signing secret; by default, a wrong guess. */
  readonly signedWith?: string;
  /** The signing time; by default, the fixed time of the tests. */
  readonly signedAtMilliseconds?: number;
}

const BODY = Buffer.from(
  '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}',
);
const GUESS = `${SECRET.slice(0, -1)}e`;

function serverRequest(token: string, { headers = {}, body = BODY }: Variation = {}): GatewayEvent {
  return gatewayEvent('/api/v1/ingest', null, body, { Authorization: `Bearer ${token}`, ...headers });
}

function webhookRequest(slug: string, variation: Variation = {}): GatewayEvent {
  const { headers = {}, body = BODY, signedWith = GUESS, signedAtMilliseconds = NOW } = variation;
  const timestamp = String(Math.floor(signedAtMilliseconds / 1000));
  return gatewayEvent('/api/v1/ingest/{slug}', { slug }, body, {
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signatureOf(signedWith, timestamp, body).toString('hex'),
    ...headers,
  });
}

const [BROWSER_KEY] = parseKeys(BROWSER_KEYS) as [SigningKey];
const NONCE = '0123456789abcdef'.repeat(2);

/** From a page of this origin, with a token that the service has signed. */
function pageRequest(
  slug: string,
  nowMilliseconds: number,
  { origin = ORIGIN, sentFrom = origin, body = BODY }: PageVariation = {},
): GatewayEvent {
  const token = mintBrowserToken({ slug, nonce: NONCE, origin }, BROWSER_KEY, nowMilliseconds);
  const headers = { Authorization: `Bearer ${token}`, Origin: sentFrom };
  return gatewayEvent('/api/v1/browser/submissions', null, body, headers);
}

interface PageVariation {
  readonly origin?: string;
  /** By default the origin that the token is for. */
  readonly sentFrom?: string;
  readonly body?: Buffer;
}

/** The event that API Gateway sends. */
function gatewayEvent(
  resource: string,
  pathParameters: { slug: string } | null,
  body: Buffer,
  given: Readonly<Record<string, string | null>>,
): GatewayEvent {
  const sent = Object.entries({ 'Content-Type': 'application/json', ...given }).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  return {
    resource,
    pathParameters,
    body: body.toString('base64'),
    isBase64Encoded: true,
    headers: Object.fromEntries(sent),
    multiValueHeaders: Object.fromEntries(sent.map(([name, value]) => [name, [value]])),
    requestContext: {
      requestId: '0b1f7a2c-6f4e-4d55-9a37-0c52d1a6a0f4',
      identity: { sourceIp: '192.0.2.1', userAgent: 'timing' },
    },
  } as unknown as GatewayEvent;
}

/** Called per sample, because a signature must be fresh. */
type MakeRequest = (nowMilliseconds: number) => GatewayEvent;

/** Two requests that a sender without a credential must not be able to tell apart. */
export interface Pair {
  readonly name: string;
  readonly surface: AnySurface;
  readonly left: MakeRequest;
  readonly right: MakeRequest;
  /** Sent before each sample and not timed, so that the function has the configuration in its cache. */
  readonly before?: MakeRequest;
  /** The share of the requested samples: a tenth is enough to show whether a cause differs. */
  readonly share: number;
  /** How many times slower the store is than usual. */
  readonly slowness: number;
}

/** The signature is explained for bodies of up to 8 KB, so this size takes longest. */
const EXPLAINED: Variation = { body: jsonOf(8 * 1024) };
const LARGEST: Variation = { body: jsonOf(LIMITS.bodyBytes) };
const OVERSIZED: Variation = { body: Buffer.alloc(LIMITS.bodyBytes + 1, 32) };
const COMPRESSED: Variation = { headers: { 'Content-Encoding': 'gzip' } };

/** Puts the median work time on the first tick, where a microsecond decides between two response times. */
const ON_THE_TICK = 2.5;

/** An object of many short values, which takes longest to parse and serialize. */
function jsonOf(bytes: number): Buffer {
  const entries: string[] = [];
  for (let size = 40; size < bytes - 20; size += 17)
    entries.push(`"k${String(entries.length).padStart(6, '0')}":1.50`);
  return Buffer.from(`{${entries.join(',')}}`.padEnd(bytes, ' '));
}

type Extent = Partial<Pick<Pair, 'share' | 'slowness'>>;

/** The same request with an unknown key and with a known one. */
function pair(
  name: string,
  surface: AnySurface,
  [unknown, known]: readonly [string, string],
  request: (key: string, nowMilliseconds: number) => GatewayEvent,
  extent: Extent = {},
): Pair {
  const making = (key: string) => (nowMilliseconds: number) => request(key, nowMilliseconds);
  return { name, surface, share: 0.1, slowness: 1, ...extent, left: making(unknown), right: making(known) };
}

function slugPair(name: string, known: string, variation: Variation = {}, extent?: Extent): Pair {
  const request = (slug: string, signedAtMilliseconds: number) =>
    webhookRequest(slug, { signedAtMilliseconds, ...variation });
  return pair(`unknown slug, ${name}`, '1b', [SLUGS.unknown, known], request, extent);
}

function tokenPair(name: string, known: string, variation?: Variation, extent?: Extent): Pair {
  const request = (token: string) => serverRequest(token, variation);
  return pair(`unknown token, ${name}`, '1a', [TOKENS.unknown, known], request, extent);
}

function pagePair(name: string, known: string, variation: PageVariation = {}, extent?: Extent): Pair {
  const request = (slug: string, nowMilliseconds: number) => pageRequest(slug, nowMilliseconds, variation);
  return pair(`unknown slug from a page, ${name}`, '2', [SLUGS.unknown, known], request, extent);
}

/** Base64 like the right one, for rows that decode it. */
const WRONG_PROVIDER_SECRET = Buffer.alloc(32, 8).toString('base64');

function deliveryPair(
  name: string,
  known: string,
  provider: string,
  body: Buffer = BODY,
  extent?: Extent,
): Pair {
  const row = PROVIDERS.get(provider) as Provider;
  const request = (slug: string, nowMilliseconds: number) => {
    const sent = { secret: WRONG_PROVIDER_SECRET, body, nowMilliseconds, deliveryId: 'msg_timing' };
    return gatewayEvent('/sources/v1/{slug}', { slug }, body, signDelivery(row, sent));
  };
  return pair(`unknown slug of a provider, ${name}`, '1c', [SLUGS.unknown, known], request, extent);
}

/** Surface 1c: whichever row the sender claims, a slug that nobody has looks like one with another secret. */
function deliveryPairs(): Pair[] {
  const rows = ['typeform', 'stripe', 'standard-webhooks', 'framer', 'github'] as const;
  const causes = ['inactive form', 'suspended workspace', 'no secret', 'previous secret'] as const;
  return [
    ...rows.map((row) =>
      deliveryPair(`wrong signature of ${row}`, SOURCE_SLUGS[row], row, BODY, { share: 1 }),
    ),
    deliveryPair('largest body of typeform', SOURCE_SLUGS.typeform, 'typeform', LARGEST.body),
    deliveryPair('body too large for typeform', SOURCE_SLUGS.typeform, 'typeform', OVERSIZED.body),
    deliveryPair('signature of another provider', SOURCE_SLUGS.typeform, 'stripe'),
    deliveryPair('no provider', SLUGS.good, 'typeform'),
    ...causes.map((cause) => deliveryPair(cause, SOURCE_SLUGS[cause], 'typeform')),
  ];
}

const OTHER_ORIGIN = 'https://evil.example.org';

/** Surface 2: a form that takes no leads from browsers looks like none, and the allow-list stays secret. */
function pagePairs(): Pair[] {
  const open = SLUGS['open to browsers'];
  return [
    pagePair('form not for browsers', SLUGS.good, {}, { share: 1 }),
    pagePair('another origin', open, { origin: OTHER_ORIGIN }, { share: 1 }),
    pagePair('a token of another origin', open, { origin: OTHER_ORIGIN, sentFrom: ORIGIN }),
    pagePair('another origin; body too large', open, { origin: OTHER_ORIGIN, ...OVERSIZED }),
    pagePair('inactive form', SLUGS['inactive form']),
    pagePair('suspended workspace', SLUGS['suspended workspace']),
    pagePair('ambiguous', SLUGS.ambiguous),
  ];
}

/** Pairs where the sender influences how long the work takes, and so how close to a tick it ends. */
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
    slugPair('form without fields', SLUGS['form without fields'], {}, full),
    tokenPair('revoked; form of 100 fields', TOKENS.revoked, {}, full),
  ];
}

/** An unknown token or slug compared with each known but rejected one. */
function otherPairs(): Pair[] {
  const { unknown: _, good: token, revoked: __, ...tokens } = TOKENS;
  const {
    unknown: ___,
    good: slug,
    'form without fields': ____,
    'open to browsers': _____,
    ...slugs
  } = SLUGS;
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

export const PAIRS: readonly Pair[] = [...fullPairs(), ...pagePairs(), ...deliveryPairs(), ...otherPairs()];
