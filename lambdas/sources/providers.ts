/** How the signature header is split into signatures. */
export type SignatureForm =
  /** The signature alone. */
  | 'plain'
  /** `sha256=…` */
  | 'sha256='
  /** `t=…,v1=…`, with the time in it and possibly several `v1`. */
  | 't=,v1='
  /** `v1,… v1,…`, separated by spaces. */
  | 'v1,';

/** Everything the service knows about a webhook provider. The console, the documents and the API show this table. */
export interface Provider {
  readonly name: ProviderName;
  readonly displayName: string;
  readonly signature: {
    readonly header: string;
    readonly form: SignatureForm;
    readonly encoding: 'hex' | 'base64';
    /** `{body}` is the raw body, `{t}` the part of the signature header, anything else in braces a header. */
    readonly message: string;
    /** What the header says if no secret is set at the provider. */
    readonly ifUnsigned?: string;
  };
  /** The signed time of sending: a header, or `t`. Without it, a signature never gets too old. */
  readonly time?: { readonly in: string; readonly unit: 's' | 'ms'; readonly maxAgeSeconds: number };
  readonly secret: {
    /** The key is the secret's text, or the bytes whose base64 follows `whsec_`. */
    readonly key: 'text' | 'base64';
    /** A provider's own secret can only be pasted; where the owner chooses, the service can also generate one. */
    readonly madeBy: 'provider' | 'owner';
    readonly minCharacters: number;
  };
  /** Only signed ones: a header that is part of the message, or a path in the body. */
  readonly deliveryId?: { readonly header: string } | { readonly path: string };
  /** Where the body names its event, and which ones make leads. No choices: every name is allowed. */
  readonly events?: {
    readonly path: string;
    readonly choices: readonly string[];
    readonly defaults: readonly string[];
  };
  /** An ISO 8601 time in the body, for providers that sign no time of sending. Bounds how long a replay works. */
  readonly bodyTime?: { readonly path: string };
  /** What the provider does to a webhook that keeps failing. Absent if it does nothing, or nothing is known. */
  readonly failingWebhook?: 'disabled' | 'deleted';
  /** Not everything about this provider could be verified. */
  readonly untested?: true;
}

export const PROVIDER_NAMES = [
  'typeform',
  'tally',
  'framer',
  'webflow',
  'calendly',
  'calcom',
  'stripe',
  'shopify',
  'standard-webhooks',
  'svix',
  'github',
] as const;

export type ProviderName = (typeof PROVIDER_NAMES)[number];

const MINUTES = 60;
const HOURS = 60 * MINUTES;

const OWNER_TEXT = { key: 'text', madeBy: 'owner', minCharacters: 16 } as const;
const PROVIDER_TEXT = { key: 'text', madeBy: 'provider', minCharacters: 16 } as const;

/** They sign every attempt again, so that a retry is never old. */
const SIGNED_PER_ATTEMPT = 5 * MINUTES;

const onlyEvent = (path: string, name: string) => ({ path, choices: [name], defaults: [name] });

const ROWS: readonly Provider[] = [
  {
    name: 'typeform',
    displayName: 'Typeform',
    signature: { header: 'Typeform-Signature', form: 'sha256=', encoding: 'base64', message: '{body}' },
    secret: OWNER_TEXT,
    deliveryId: { path: 'form_response.token' },
    events: onlyEvent('event_type', 'form_response'),
    bodyTime: { path: 'form_response.submitted_at' },
    failingWebhook: 'disabled',
  },
  {
    name: 'tally',
    displayName: 'Tally',
    signature: { header: 'Tally-Signature', form: 'plain', encoding: 'base64', message: '{body}' },
    secret: OWNER_TEXT,
    deliveryId: { path: 'data.submissionId' },
    events: onlyEvent('eventType', 'FORM_RESPONSE'),
    bodyTime: { path: 'createdAt' },
  },
  {
    name: 'framer',
    displayName: 'Framer',
    signature: {
      header: 'Framer-Signature',
      form: 'sha256=',
      encoding: 'hex',
      message: '{body}{Framer-Webhook-Submission-Id}',
    },
    secret: { ...OWNER_TEXT, minCharacters: 32 },
    deliveryId: { header: 'Framer-Webhook-Submission-Id' },
  },
  {
    name: 'webflow',
    displayName: 'Webflow',
    signature: {
      header: 'X-Webflow-Signature',
      form: 'plain',
      encoding: 'hex',
      message: '{X-Webflow-Timestamp}:{body}',
    },
    time: { in: 'X-Webflow-Timestamp', unit: 'ms', maxAgeSeconds: 1 * HOURS },
    secret: PROVIDER_TEXT,
    deliveryId: { path: 'payload.id' },
    events: onlyEvent('triggerType', 'form_submission'),
    failingWebhook: 'disabled',
    untested: true,
  },
  {
    name: 'calendly',
    displayName: 'Calendly',
    signature: {
      header: 'Calendly-Webhook-Signature',
      form: 't=,v1=',
      encoding: 'hex',
      message: '{t}.{body}',
    },
    // Calendly retries for 24 hours, possibly with the first signature.
    time: { in: 't', unit: 's', maxAgeSeconds: 25 * HOURS },
    secret: OWNER_TEXT,
    deliveryId: { path: 'payload.uri' },
    events: onlyEvent('event', 'invitee.created'),
    failingWebhook: 'disabled',
  },
  {
    name: 'calcom',
    displayName: 'Cal.com',
    signature: {
      header: 'X-Cal-Signature-256',
      form: 'plain',
      encoding: 'hex',
      message: '{body}',
      ifUnsigned: 'no-secret-provided',
    },
    secret: OWNER_TEXT,
    deliveryId: { path: 'payload.uid' },
    events: onlyEvent('triggerEvent', 'BOOKING_CREATED'),
    bodyTime: { path: 'createdAt' },
  },
  {
    name: 'stripe',
    displayName: 'Stripe',
    signature: { header: 'Stripe-Signature', form: 't=,v1=', encoding: 'hex', message: '{t}.{body}' },
    time: { in: 't', unit: 's', maxAgeSeconds: SIGNED_PER_ATTEMPT },
    secret: PROVIDER_TEXT,
    deliveryId: { path: 'id' },
    // Both together make two leads of one buyer.
    events: {
      path: 'type',
      choices: ['checkout.session.completed', 'customer.created'],
      defaults: ['checkout.session.completed'],
    },
    failingWebhook: 'disabled',
  },
  {
    name: 'shopify',
    displayName: 'Shopify',
    signature: { header: 'X-Shopify-Hmac-Sha256', form: 'plain', encoding: 'base64', message: '{body}' },
    secret: PROVIDER_TEXT,
    // The customer's. The headers with the delivery's ID and with the topic are not signed.
    deliveryId: { path: 'id' },
    bodyTime: { path: 'updated_at' },
    failingWebhook: 'deleted',
  },
  {
    name: 'standard-webhooks',
    displayName: 'Standard Webhooks',
    signature: {
      header: 'webhook-signature',
      form: 'v1,',
      encoding: 'base64',
      message: '{webhook-id}.{webhook-timestamp}.{body}',
    },
    time: { in: 'webhook-timestamp', unit: 's', maxAgeSeconds: SIGNED_PER_ATTEMPT },
    secret: { key: 'base64', madeBy: 'owner', minCharacters: 16 },
    deliveryId: { header: 'webhook-id' },
    events: { path: 'type', choices: [], defaults: [] },
  },
  {
    name: 'svix',
    displayName: 'Svix',
    signature: {
      header: 'svix-signature',
      form: 'v1,',
      encoding: 'base64',
      message: '{svix-id}.{svix-timestamp}.{body}',
    },
    time: { in: 'svix-timestamp', unit: 's', maxAgeSeconds: SIGNED_PER_ATTEMPT },
    secret: { key: 'base64', madeBy: 'provider', minCharacters: 16 },
    deliveryId: { header: 'svix-id' },
    events: { path: 'type', choices: [], defaults: [] },
    failingWebhook: 'disabled',
  },
  {
    name: 'github',
    displayName: 'GitHub style',
    signature: { header: 'X-Hub-Signature-256', form: 'sha256=', encoding: 'hex', message: '{body}' },
    secret: OWNER_TEXT,
  },
];

export const PROVIDERS: ReadonlyMap<string, Provider> = new Map(ROWS.map((row) => [row.name, row]));

/** Whether a recorded request would be accepted again once its delivery ID is forgotten. */
export function canBeReplayed({ time, bodyTime }: Provider): boolean {
  return time === undefined && bodyTime === undefined;
}
