import { gunzipSync, inflateSync } from 'node:zlib';
import { sign } from '#conformance/world/submission.ts';
import type { Tenant } from '../contract/tenant.ts';
import type { ReadRequest } from './read-as-server.ts';
import {
  hasNoCoding,
  isJson,
  keyOf,
  MAXIMUM_BODY,
  objectIn,
  onlyValue,
  percentDecoded,
  valuesOf,
} from './request-parts.ts';
import { expectedFromSource } from './source-model.ts';
import type { World } from './world.ts';

/** The possible responses. */
export type Kind =
  /** 202 with a submission id. */
  | 'accepted'
  /** 200 {"status":"rejected"} from a function. */
  | 'rejected'
  /** The same from the gateway, which adds x-amzn-ErrorType. */
  | 'gateway'
  /** 410, on the retired path. */
  | 'gone'
  /** Surface 2: a rejection that a page may read, a token, and the response to a preflight request. */
  | ('rejected page' | 'minted' | 'preflight')
  /** Surface 1c: 200 with a submission id, 200 {"status":"ignored"}, and 503 from the function and the gateway. */
  | ('source accepted' | 'ignored' | 'source rejected' | 'source gateway')
  /** 413 and 415: API Gateway's own responses, which can't be changed. */
  | ('over 10 MB' | 'bad coding')
  /** 403 from the local gateway, for a host that is not this machine. */
  | 'other host';

/** Surface 1c has an API, and so an address, of its own. */
export type Api = 'ingest' | 'sources';

/** What each API answers to what is not for any function. */
export const GATEWAY_KIND = { ingest: 'gateway', sources: 'source gateway' } as const;

export const isAcceptance = (kind: Kind): boolean => kind === 'accepted' || kind === 'source accepted';

export interface Expectation {
  readonly kinds: readonly Kind[];
  /** Whose lead it is, if there is one, and its idempotency key. */
  readonly tenant?: Tenant;
  readonly key?: string | undefined;
  /** Makes no lead, but a repeated key gets the original response, whatever the body. */
  readonly repeatable?: boolean;
}

const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?$/i;
const MAXIMUM_HEAD = 10_240;
const MAXIMUM_READ = 10 * 1024 * 1024;
const TOLERANCE_SECONDS = 300;
/** The clock moves on while a request is under way. */
const UNSURE_SECONDS = 10;
/** From about here the event is too large for the function, which would reject it too. */
const NEAR_EVENT_LIMIT = 4_500_000;

/** The expected response by the specification. Shares no code with the service. */
export function expected(
  request: ReadRequest,
  world: World,
  nowSeconds: number,
  api: Api = 'ingest',
): Expectation {
  const [host] = valuesOf(request, 'host');
  if (host && !OWN_HOST.test(host)) return { kinds: ['other host'] };
  const decoded = decode(request);
  if (!Buffer.isBuffer(decoded)) return { kinds: [decoded] };
  if (!isValidHead(request)) return { kinds: [GATEWAY_KIND[api]] };
  if (api === 'sources') {
    const due = expectedFromSource(request, pathOf(request), world, nowSeconds);
    if (due === undefined) return { kinds: ['source gateway'] };
    return decoded.length > NEAR_EVENT_LIMIT ? { kinds: ['source gateway', ...due.kinds] } : due;
  }
  const place = placeOf(request);
  if (place === undefined) return { kinds: ['gateway'] };
  const isFixed = typeof place === 'string' && place !== 'server';
  if (decoded.length > NEAR_EVENT_LIMIT) {
    return { kinds: ['gateway', ...(isFixed ? FIXED[place] : (['rejected'] as const))] };
  }
  if (isFixed) return { kinds: FIXED[place] };
  const tenant =
    place === 'server' ? byToken(request, world) : bySignature(request, place, world, nowSeconds);
  const key = keyOf(request);
  if (tenant === undefined || key === 'malformed' || !isAsSent(request)) return { kinds: ['rejected'] };
  const sender = { tenant: tenant.tenant, key: key?.text };
  if (!isJson(request) || !objectIn(request))
    return key ? { kinds: ['rejected'], repeatable: true, ...sender } : { kinds: ['rejected'] };
  return { kinds: tenant.unsure ? ['accepted', 'rejected'] : ['accepted'], ...sender };
}

/** The gateway decodes these two codings before anything else. */
function decode(request: ReadRequest): Buffer | Kind {
  const { body } = request;
  if (body.length > MAXIMUM_READ) return 'over 10 MB';
  const coding = valuesOf(request, 'content-encoding').join(', ').trim().toLowerCase();
  const undo = { gzip: gunzipSync, deflate: inflateSync }[coding];
  if (undo === undefined || body.length === 0) return body;
  try {
    return undo(body, { maxOutputLength: MAXIMUM_READ });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'over 10 MB' : 'bad coding';
  }
}

function isValidHead(request: ReadRequest): boolean {
  const { method, target, version, headers } = request;
  const line = `${method} ${target} HTTP/${version}`;
  const bytes = headers.reduce((sum, [, value]) => sum + value.length, line.length);
  return bytes <= MAXIMUM_HEAD && (version === '1.0' || valuesOf(request, 'host').length > 0);
}

type FixedPlace = 'retired' | 'page' | 'mint' | 'preflight';
type Place = 'server' | FixedPlace | { readonly slug: string };

/** The fuzzer has no valid browser token, so that no page sends a lead. Tokens are for whoever asks. */
const FIXED: Readonly<Record<FixedPlace, readonly Kind[]>> = {
  retired: ['gone'],
  page: ['rejected page'],
  mint: ['rejected page', 'minted'],
  preflight: ['preflight'],
};

/** Leading and trailing slashes don't count; those between do. */
function pathOf({ target }: ReadRequest): string[] {
  const [path = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '').split('?', 1);
  return path.replace(/^\/+|\/+$/g, '').split('/');
}

function placeOf(request: ReadRequest): Place | undefined {
  const { method } = request;
  const [api, second, third, fourth, ...more] = pathOf(request);
  if (api !== 'api' || more.length > 0) return undefined;
  if (second === 'ingest') return third && fourth === undefined ? 'retired' : undefined;
  if (second === 'v1' && third === 'browser') return placeOfPages(method, fourth);
  if (second !== 'v1' || third !== 'ingest' || method !== 'POST') return undefined;
  if (fourth === undefined) return 'server';
  return fourth === '' ? undefined : { slug: percentDecoded(fourth) };
}

function placeOfPages(method: string, route: string | undefined): Place | undefined {
  if (route !== 'token' && route !== 'submissions') return undefined;
  if (method === 'OPTIONS') return 'preflight';
  if (method !== 'POST') return undefined;
  return route === 'token' ? 'mint' : 'page';
}

interface Sender {
  readonly tenant: Tenant;
  readonly unsure?: boolean;
}

function byToken(request: ReadRequest, { tenants }: World): Sender | undefined {
  const [, token] = /^\s*bearer +(\S+)\s*$/i.exec(onlyValue(request, 'authorization') ?? '') ?? [];
  const tenant = tenants.find((each) => each.token === token);
  return tenant && { tenant };
}

function bySignature(
  request: ReadRequest,
  { slug }: { readonly slug: string },
  { tenants }: World,
  nowSeconds: number,
): Sender | undefined {
  const tenant = tenants.find((each) => each.slug === slug);
  const timestamp = onlyValue(request, 'x-svc-timestamp') ?? '';
  const signature = (onlyValue(request, 'x-svc-signature') ?? '')
    .trim()
    .replace(/^sha256=/, '')
    .toLowerCase();
  if (!tenant || !/^[0-9]+$/.test(timestamp)) return undefined;
  const beyond = Math.abs(nowSeconds - Number(timestamp)) - TOLERANCE_SECONDS;
  if (beyond > UNSURE_SECONDS || signature !== sign(tenant.secret, timestamp, request.body)) return undefined;
  return { tenant, unsure: beyond > -UNSURE_SECONDS };
}

/** Neither encoded nor too large: only these are checked before the key. */
function isAsSent(request: ReadRequest): boolean {
  return hasNoCoding(request) && request.body.length <= MAXIMUM_BODY;
}
