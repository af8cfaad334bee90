import { createHmac } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { gatewayEvent, type Request, type Sender } from '#local/fixture/ingest-fixture.ts';
import type { ChosenProvider, FormSecret } from '#model/configuration.ts';
import { DELIVERY_ATTRIBUTES } from '#sources/judge-delivery.ts';
import { makeSourceSubmission } from '#sources/source-submission/handler.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { unfollowedStack } from '../../local-stack.ts';
import { setAttributes } from '../../stored-items.ts';
import { openSubmissionFixture } from '../submission/submission-fixture.ts';

export const PROVIDER_SECRET = 'the-secret-of-the-provider-0123456789';
const JSON_TYPE = { 'Content-Type': 'application/json' };

export const REFUSED = { statusCode: 503, headers: JSON_TYPE, body: '{"status":"rejected"}' };
export const IGNORED = { statusCode: 200, headers: JSON_TYPE, body: '{"status":"ignored"}' };

/** The id of a stored delivery, or of a repeat. Throws for any other response. */
export function sourceLeadId(response: { statusCode: number; body: string }): string {
  const { submission_id: id } = JSON.parse(response.body) as { submission_id?: string };
  if (response.statusCode !== 200 || id === undefined) {
    throw new Error(`expected a submission_id, got ${response.statusCode} ${response.body}`);
  }
  return id;
}

interface Signing {
  readonly secret: string;
  readonly nowSeconds: number;
  readonly deliveryId?: string;
}

type Sign = (body: string, signing: Signing) => Record<string, string>;

const mac = (secret: string, message: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(message).digest(encoding);

const timed =
  (header: string): Sign =>
  (body, { secret, nowSeconds }) => ({
    [header]: `t=${nowSeconds},v1=${mac(secret, `${nowSeconds}.${body}`, 'hex')}`,
  });

/** Signs as the providers document it, without the code under test. */
export const SIGN = {
  typeform: (body, { secret }) => ({ 'Typeform-Signature': `sha256=${mac(secret, body, 'base64')}` }),
  github: (body, { secret }) => ({ 'X-Hub-Signature-256': `sha256=${mac(secret, body, 'hex')}` }),
  framer: (body, { secret, deliveryId = 'submission-1' }) => ({
    'Framer-Signature': `sha256=${mac(secret, body + deliveryId, 'hex')}`,
    'Framer-Webhook-Submission-Id': deliveryId,
  }),
  stripe: timed('Stripe-Signature'),
  calendly: timed('Calendly-Webhook-Signature'),
} as const satisfies Record<string, Sign>;

export type SignedProvider = keyof typeof SIGN;

/** What Typeform sends for one response. */
export function typeformBody({
  token = 'response-1',
  submittedAt = '2026-11-15T12:00:00Z',
  answers = ANSWERS,
} = {}) {
  return JSON.stringify({
    event_id: `event-of-${token}`,
    event_type: 'form_response',
    form_response: { token, submitted_at: submittedAt, definition: { fields: FIELDS }, answers },
  });
}

const FIELDS = [{ id: 'f1', title: 'Your name', type: 'short_text', ref: 'f1' }];
const ANSWERS: readonly object[] = [
  { type: 'text', text: 'Ada Byron', field: { id: 'f1', ref: 'f1' } },
  { type: 'email', email: 'ada@analytical-engines.co.uk', field: { id: 'f2', ref: 'email' } },
];

export function stripeBody({ id = 'evt_1', type = 'checkout.session.completed', livemode = true } = {}) {
  const customer_details = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', phone: null };
  return JSON.stringify({ id, type, livemode, data: { object: { id: 'cs_1', customer_details } } });
}

export interface Source extends Sender {
  readonly provider: SignedProvider;
}

export interface Delivery extends Request {
  readonly body?: string;
  readonly secret?: string;
  readonly signedAtSeconds?: number;
  readonly deliveryId?: string;
}

/** The function of Surface 1c on the ingest fixture, and forms with a provider. */
export function openSourceFixture(runningStack = unfollowedStack()) {
  const fixture = openSubmissionFixture(undefined, runningStack);
  const { client, clock, stack, observer, administration } = fixture;

  function newEnvironment(options?: Parameters<typeof fixture.newEnvironment>[0]) {
    const environment = fixture.newEnvironment(options);
    const context = { client, tables: stack.tables };
    const handler = makeSourceSubmission({
      ...environment.dependencies,
      slugs: slugConfigurations(context, DELIVERY_ATTRIBUTES),
      tokens: tokenConfigurations(context),
    });
    return {
      ...environment,
      deliver(source: Source, delivery: Delivery = {}) {
        const { body = typeformBody(), secret = PROVIDER_SECRET, deliveryId } = delivery;
        const nowSeconds = delivery.signedAtSeconds ?? Math.floor(clock.now / 1000);
        const signed = SIGN[source.provider](body, { secret, nowSeconds, ...(deliveryId && { deliveryId }) });
        const slug = { slug: delivery.slug ?? source.slug };
        const event = gatewayEvent('/sources/v1/{slug}', slug, { ...delivery, body }, signed);
        return handler(event, {} as Context);
      },
      withToken(headers: Record<string, string | string[]>, request: Request = {}) {
        const sent = { ...request, headers: { ...headers, ...request.headers } };
        return handler(gatewayEvent('/sources/v1', null, sent, {}), {} as Context);
      },
    };
  }

  /** Written to the tables, then announced, as every change of settings. */
  async function configure(
    { workspaceId, slug, formId }: Sender,
    provider: ChosenProvider | undefined,
    secrets: Partial<FormSecret> = {},
  ): Promise<void> {
    const { forms, formSecrets, workspaces } = stack.tables;
    if (provider) await setAttributes(observer, forms, { slug, formId }, { provider });
    if (Object.keys(secrets).length > 0)
      await setAttributes(observer, formSecrets, { slug, formId }, secrets);
    await observer.send(
      new UpdateCommand({
        TableName: workspaces,
        Key: { workspaceId },
        UpdateExpression: 'ADD configVersion :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
  }

  async function newSource(provider: SignedProvider, events?: readonly string[]): Promise<Source> {
    const sender = await fixture.newSender();
    await configure(
      sender,
      { name: provider, ...(events && { events }) },
      { providerSecret: PROVIDER_SECRET },
    );
    return { ...sender, provider };
  }

  return { ...fixture, administration, newEnvironment, configure, newSource };
}
