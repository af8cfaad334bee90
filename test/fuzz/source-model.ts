import { createHash, createHmac } from 'node:crypto';
import type { Expectation } from './model.ts';
import type { ReadRequest } from './read-as-server.ts';
import {
  hasNoCoding,
  keyOf,
  MAXIMUM_BODY,
  objectIn,
  onlyValue,
  percentDecoded,
  valuesOf,
} from './request-parts.ts';
import type { SourceTenant, World } from './world.ts';

/** How a provider signs. Shares no code with the service, but follows its limits on headers, IDs and signatures. */
interface Row {
  readonly header: string;
  readonly form: 'plain' | 'sha256=' | 'v1,' | 't=,v1=';
  readonly encoding: 'hex' | 'base64';
  /** The header with an ID that is signed, and how the message is put together. */
  readonly id?: string;
  readonly time?: string;
  readonly message?: (time: string, id: string) => readonly [before: string, after: string];
  /** Milliseconds per unit of the time, and the oldest age in seconds. */
  readonly unit?: number;
  readonly oldest?: number;
}

const stamped = (time: string): [string, string] => [`${time}.`, ''];
const standard = (prefix: string): Row => ({
  ...{ header: `${prefix}-signature`, form: 'v1,', encoding: 'base64', id: `${prefix}-id` },
  ...{ time: `${prefix}-timestamp`, message: (time, id) => [`${id}.${time}.`, ''], oldest: 300 },
});

const ROWS: Readonly<Record<SourceTenant['provider'], Row>> = {
  typeform: { header: 'typeform-signature', form: 'sha256=', encoding: 'base64' },
  tally: { header: 'tally-signature', form: 'plain', encoding: 'base64' },
  framer: {
    ...{ header: 'framer-signature', form: 'sha256=', encoding: 'hex' },
    ...{ id: 'framer-webhook-submission-id', message: (_time, id) => ['', id] },
  },
  webflow: {
    ...{ header: 'x-webflow-signature', form: 'plain', encoding: 'hex', time: 'x-webflow-timestamp' },
    ...{ message: (time) => [`${time}:`, ''], unit: 1, oldest: 3600 },
  },
  calendly: {
    ...{ header: 'calendly-webhook-signature', form: 't=,v1=', encoding: 'hex' },
    ...{ message: stamped, oldest: 25 * 3600 },
  },
  calcom: { header: 'x-cal-signature-256', form: 'plain', encoding: 'hex' },
  stripe: { header: 'stripe-signature', form: 't=,v1=', encoding: 'hex', message: stamped, oldest: 300 },
  shopify: { header: 'x-shopify-hmac-sha256', form: 'plain', encoding: 'base64' },
  'standard-webhooks': standard('webhook'),
  svix: standard('svix'),
  github: { header: 'x-hub-signature-256', form: 'sha256=', encoding: 'hex' },
};

const EARLY_SECONDS = 300;
const UNSURE_SECONDS = 10;
const WEEK_SECONDS = 7 * 86_400;

/** Undefined if the path is not one of Surface 1c. */
export function expectedFromSource(
  request: ReadRequest,
  path: readonly string[],
  world: World,
  nowSeconds: number,
): Expectation | undefined {
  const [root, version, slug, ...more] = path;
  if (request.method !== 'POST' || root !== 'sources' || version !== 'v1' || more.length > 0)
    return undefined;
  if (slug === '') return undefined;
  if (!hasNoCoding(request)) return { kinds: ['source rejected'] };
  if (slug === undefined) return expectedWithToken(request, world);
  const tenant = world.sources.find((each) => each.slug === percentDecoded(slug));
  const proof = tenant && proofIn(request, tenant, nowSeconds);
  if (!tenant || !proof) return { kinds: ['source rejected'] };
  const unsure = proof.unsure ? (['source rejected'] as const) : [];
  const body = request.body.length > MAXIMUM_BODY ? undefined : objectIn(request);
  if (body === undefined) return { kinds: ['ignored', ...unsure] };
  const read = readBody(tenant.provider, body);
  if (read === undefined) return { kinds: ['ignored', ...unsure] };
  const id = proof.id ?? read.id;
  const key = `\n${tenant.slug}\n${id === undefined ? `body\n${hash(request.body)}` : `id\n${id}`}`;
  const age = read.seconds === undefined ? 0 : nowSeconds - read.seconds - WEEK_SECONDS;
  // A repeat of a known delivery gets the original response, however old it claims to be.
  if (read.seconds !== undefined && age > UNSURE_SECONDS)
    return { kinds: ['ignored', ...unsure], repeatable: true, tenant, key };
  const old = read.seconds !== undefined && age > -UNSURE_SECONDS ? (['ignored'] as const) : [];
  return { kinds: ['source accepted', ...old, ...unsure], tenant, key };
}

function expectedWithToken(request: ReadRequest, { tenants, sources }: World): Expectation {
  const [, bearer] = /^\s*bearer +(\S+)\s*$/i.exec(onlyValue(request, 'authorization') ?? '') ?? [];
  const keys = valuesOf(request, 'x-api-key');
  const isClear = keys.length === 0 || (keys.length === 1 && valuesOf(request, 'authorization').length === 0);
  const token = keys.length === 0 ? bearer : keys[0]?.trim();
  const tenant = [...tenants, ...sources].find((each) => each.token === token);
  if (!isClear || !tenant) return { kinds: ['source rejected'] };
  if (request.body.length > MAXIMUM_BODY || !objectIn(request)) return { kinds: ['ignored'] };
  const key = keyOf(request);
  if (key === 'malformed') return { kinds: ['source rejected'] };
  // The line feed keeps it apart from the same key on Surface 1a.
  return { kinds: ['source accepted'], tenant, key: key && `\nkey\n${key.text}` };
}

/** The signature that the request should have, without what the provider puts before it. */
export function sourceSignature(request: ReadRequest, { provider, providerSecret }: SourceTenant) {
  const row = ROWS[provider];
  const { time, id } = signedParts(request, row);
  const [before, after] = row.message?.(time ?? '', id ?? '') ?? ['', ''];
  const hmac = createHmac('sha256', keyFor(provider, providerSecret));
  return hmac.update(before).update(request.body).update(after).digest(row.encoding);
}

function signedParts(request: ReadRequest, row: Row) {
  const value = onlyValue(request, row.header)?.trim() ?? '';
  const pairs = value.split(',').map((pair) => pair.trim());
  const times = pairs.filter((pair) => pair.startsWith('t=')).map((pair) => pair.slice(2));
  const inPairs = times.length === 1 ? times[0] : '';
  const time = row.form === 't=,v1=' ? inPairs : row.time && onlyValue(request, row.time);
  return { value, pairs, time, id: row.id && onlyValue(request, row.id) };
}

/** Undefined if the request is not authentic. */
function proofIn(request: ReadRequest, tenant: SourceTenant, nowSeconds: number) {
  const row = ROWS[tenant.provider];
  const { value, pairs, time, id } = signedParts(request, row);
  if (row.oldest !== undefined && !/^\d{1,16}$/.test(time ?? '')) return undefined;
  if (row.id !== undefined && !/^[\x21-\x7e]{1,255}$/.test(id ?? '')) return undefined;
  const digest = Buffer.from(sourceSignature(request, tenant), row.encoding);
  if (!sentDigests(row, value, pairs).some((sent) => sent.equals(digest))) return undefined;
  if (row.oldest === undefined) return { id, unsure: false };
  const age = nowSeconds - (Number(time) * (row.unit ?? 1000)) / 1000;
  const beyond = Math.max(age - row.oldest, -age - EARLY_SECONDS);
  return beyond > UNSURE_SECONDS ? undefined : { id, unsure: beyond > -UNSURE_SECONDS };
}

function keyFor(provider: SourceTenant['provider'], secret: string): Buffer {
  const isBase64 = provider === 'standard-webhooks' || provider === 'svix';
  return isBase64 ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : Buffer.from(secret);
}

/** At most eight signatures count. */
function sentDigests({ form, encoding }: Row, value: string, pairs: readonly string[]): Buffer[] {
  const prefix = { plain: '', 'sha256=': 'sha256=', 'v1,': 'v1,', 't=,v1=': 'v1=' }[form];
  const texts = form === 'v1,' ? value.split(' ') : form === 't=,v1=' ? pairs : [value];
  const digest = encoding === 'hex' ? /^[0-9a-f]{64}$/i : /^[A-Za-z0-9+/]{43}=$/;
  return texts
    .filter((text) => text.startsWith(prefix))
    .slice(0, 8)
    .map((text) => text.slice(prefix.length))
    .flatMap((text) => (digest.test(text) ? [Buffer.from(text, encoding)] : []));
}

type Body = Record<string, unknown>;

/** Where the body has its event and the one that is a lead, its ID, and its time. */
const PATHS: Partial<
  Record<SourceTenant['provider'], { event?: [string, string]; id?: string; time?: string }>
> = {
  typeform: {
    event: ['event_type', 'form_response'],
    ...{ id: 'form_response.token', time: 'form_response.submitted_at' },
  },
  tally: { event: ['eventType', 'FORM_RESPONSE'], id: 'data.submissionId', time: 'createdAt' },
  webflow: { event: ['triggerType', 'form_submission'], id: 'payload.id' },
  calendly: { event: ['event', 'invitee.created'], id: 'payload.uri' },
  calcom: { event: ['triggerEvent', 'BOOKING_CREATED'], id: 'payload.uid', time: 'createdAt' },
  stripe: { event: ['type', 'checkout.session.completed'], id: 'id' },
  shopify: { id: 'id', time: 'updated_at' },
};

/** Undefined if it is no lead. */
function readBody(provider: SourceTenant['provider'], body: Body) {
  const { event, id, time } = PATHS[provider] ?? {};
  const has = (name: string) => Object.hasOwn(body, name);
  if (provider === 'github' && has('zen') && has('hook_id')) return undefined;
  if (event && at(body, event[0]) !== event[1]) return undefined;
  if (provider === 'calendly' && (at(body, 'payload.old_invitee') ?? null) !== null) return undefined;
  if (provider === 'shopify') {
    if (!['first_name', 'last_name', 'email'].every(has) || has('customer') || has('line_items'))
      return undefined;
  }
  const sent = id === undefined ? undefined : at(body, id);
  const text = typeof sent === 'number' ? JSON.stringify(sent) : sent;
  const instant = time === undefined ? undefined : at(body, time);
  const isInstant = typeof instant === 'string' && /(?:Z|[+-]\d\d:?\d\d)$/.test(instant);
  const seconds = isInstant ? Date.parse(instant) / 1000 : Number.NaN;
  return {
    id: typeof text === 'string' && text !== '' && text.length <= 500 ? text : undefined,
    seconds: Number.isFinite(seconds) ? seconds : undefined,
  };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, name) => {
    const isHolder = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    return isHolder ? (found as Body)[name] : undefined;
  }, value);
}

const hash = (body: Buffer) => createHash('sha256').update(body).digest('base64');
