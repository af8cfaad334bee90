import { gunzipSync, inflateSync } from 'node:zlib';
import type { Tenant } from '../contract/tenant.ts';
import type { ReadRequest } from './read-as-server.ts';
import { sign, type World } from './world.ts';

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
  | 'rejected page'
  | 'minted'
  | 'preflight'
  /** 413 and 415: API Gateway's own responses, which can't be changed. */
  | 'over 10 MB'
  | 'bad coding'
  /** 403 from the local gateway, for a host that is not this machine. */
  | 'other host';

export interface Expectation {
  readonly kinds: readonly Kind[];
  /** Whose lead it is, if there is one, and its idempotency key. */
  readonly tenant?: Tenant;
  readonly key?: string | undefined;
  /** Makes no lead, but a repeated key gets the original response, whatever the body. */
  readonly repeatable?: boolean;
}

const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?$/i;
const MAXIMUM_BODY = 131_072;
const MAXIMUM_HEAD = 10_240;
const MAXIMUM_READ = 10 * 1024 * 1024;
const TOLERANCE_SECONDS = 300;
/** The clock moves on while a request is under way. */
const UNSURE_SECONDS = 10;
/** From about here the event is too large for the function, which would reject it too. */
const NEAR_EVENT_LIMIT = 4_500_000;

/** The expected response by the specification. Shares no code with the service. */
export function expected(request: ReadRequest, world: World, nowSeconds: number): Expectation {
  const [host] = valuesOf(request, 'host');
  if (host && !OWN_HOST.test(host)) return { kinds: ['other host'] };
  const decoded = decode(request);
  if (!Buffer.isBuffer(decoded)) return { kinds: [decoded] };
  if (!isValidHead(request)) return { kinds: ['gateway'] };
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
  if (!isLead(request))
    return key ? { kinds: ['rejected'], repeatable: true, ...sender } : { kinds: ['rejected'] };
  return { kinds: tenant.unsure ? ['accepted', 'rejected'] : ['accepted'], ...sender };
}

const valuesOf = ({ headers }: ReadRequest, name: string): string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** The value of a header that occurs exactly once. */
function onlyValue(request: ReadRequest, name: string): string | undefined {
  const values = valuesOf(request, name);
  return values.length === 1 ? values[0] : undefined;
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
function placeOf({ method, target }: ReadRequest): Place | undefined {
  const [path = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '').split('?', 1);
  const [api, second, third, fourth, ...more] = path.replace(/^\/+|\/+$/g, '').split('/');
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

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
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

function keyOf(request: ReadRequest): { readonly text: string } | 'malformed' | undefined {
  const values = valuesOf(request, 'x-svc-idempotency-key').map((value) => value.trim());
  if (values.length === 0) return undefined;
  const [text = ''] = values;
  return values.length === 1 && text.length >= 1 && text.length <= 255 ? { text } : 'malformed';
}

/** Neither encoded nor too large: only these are checked before the key. */
function isAsSent(request: ReadRequest): boolean {
  const codings = valuesOf(request, 'content-encoding').join(',').split(',');
  return (
    codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase())) &&
    request.body.length <= MAXIMUM_BODY
  );
}

function isLead(request: ReadRequest): boolean {
  const [type = ''] = (onlyValue(request, 'content-type') ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') return false;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(request.body);
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
