import { readJsonText } from '../model/json-text.ts';
import type { ParsedBody } from '../model/lead-body.ts';
import { textOf, valueAt } from './flat-fields.ts';
import type { Provider } from './providers.ts';

/** Why an authentic delivery makes no lead. */
export type IgnoredBecause =
  /** The provider tried whether the address works. */
  | 'ping'
  /** The form has not chosen this event. */
  | 'event_not_chosen'
  /** A new date for somebody who is a lead already. */
  | 'rescheduled'
  /** Shopify sends every topic to one address, and only customers are leads. */
  | 'not_a_customer';

interface Described {
  /** As the body names it. */
  readonly event?: string | undefined;
  /** Sent in a test mode, or to try the webhook. */
  readonly test: boolean;
}

export type Delivery =
  | (Described & { readonly kind: 'ignored'; readonly because: IgnoredBecause })
  | (Described & {
      readonly kind: 'lead';
      /** From the body. Absent if the provider has none there, or the body lacks it. */
      readonly deliveryId?: string | undefined;
      /** From the body. Not for tests: sample payloads are years old. */
      readonly happenedAtMilliseconds?: number | undefined;
    });

/** What an authentic delivery is. `chosen` are the form's events; without them, the provider's defaults apply. */
export function readDelivery(
  provider: Provider,
  body: ParsedBody,
  chosen: readonly string[] = provider.events?.defaults ?? [],
): Delivery {
  const { events, bodyTime } = provider;
  const named = events && plainAt(body.fields, events.path);
  const event = typeof named === 'string' ? named.slice(0, MAX_EVENT_CHARACTERS) : undefined;
  const because = ignoredBecause(provider, body, event, chosen);
  const test = because === 'ping' || isTest(provider, body);
  if (because) return { kind: 'ignored', because, event, test };
  const happenedAtMilliseconds = bodyTime && !test ? instant(plainAt(body.fields, bodyTime.path)) : undefined;
  return { kind: 'lead', event, test, deliveryId: deliveryIdIn(provider, body), happenedAtMilliseconds };
}

const MAX_EVENT_CHARACTERS = 100;
const MAX_ID_CHARACTERS = 500;

function ignoredBecause(
  { name, events }: Provider,
  { fields }: ParsedBody,
  event: string | undefined,
  chosen: readonly string[],
): IgnoredBecause | undefined {
  if (name === 'calcom' && event === 'PING') return 'ping';
  if (name === 'github' && Object.hasOwn(fields, 'zen') && Object.hasOwn(fields, 'hook_id')) return 'ping';
  const takesAll = !events || (events.choices.length === 0 && chosen.length === 0);
  if (!takesAll && (event === undefined || !chosen.includes(event))) return 'event_not_chosen';
  if (name === 'calendly' && (plainAt(fields, 'payload.old_invitee') ?? null) !== null) return 'rescheduled';
  if (name === 'shopify' && !isShopifyCustomer(fields)) return 'not_a_customer';
  return undefined;
}

/** The header with the topic is not signed. Orders and checkouts have the names of their customer further inside. */
function isShopifyCustomer(fields: ParsedBody['fields']): boolean {
  const has = (key: string) => Object.hasOwn(fields, key);
  return has('first_name') && has('last_name') && has('email') && !has('customer') && !has('line_items');
}

/** The customer of Shopify's own test notifications. */
const SHOPIFY_SAMPLE = '706405506930370084';

function isTest(provider: Provider, body: ParsedBody): boolean {
  if (provider.name === 'stripe') return body.fields.livemode === false;
  return provider.name === 'shopify' && deliveryIdIn(provider, body) === SHOPIFY_SAMPLE;
}

function deliveryIdIn({ deliveryId }: Provider, body: ParsedBody): string | undefined {
  if (!deliveryId || !('path' in deliveryId)) return undefined;
  const id = plainAt(body.fields, deliveryId.path);
  // With all its digits: IDs above 2^53 would otherwise share one number, and the second lead would be lost.
  const text = typeof id === 'number' ? textOf(valueAt(readJsonText(body.text), deliveryId.path)) : id;
  return typeof text === 'string' && text !== '' && text.length <= MAX_ID_CHARACTERS ? text : undefined;
}

function plainAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** A time without its offset could be any of 26 hours. */
function instant(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/(?:Z|[+-]\d\d:?\d\d)$/.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  return Number.isFinite(milliseconds) ? milliseconds : undefined;
}
