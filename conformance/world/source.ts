import { createHmac } from 'node:crypto';
import { CannotBeTried } from '../checks/expectations.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import { SAMPLE, type Sender } from './submission.ts';
import type { World } from './world.ts';

export const PROVIDER_SECRET = 'conformance-0123456789-0123456789';

/** Providers whose ways of signing differ most: body alone, without and with a signed time. */
type SignedProvider = 'github' | 'typeform' | 'stripe';

/** A form that has chosen a provider, and deliveries of that provider. */
export interface Source {
  readonly sender: Sender;
  deliver(delivery?: Delivery): Promise<HttpResponse>;
}

export interface Delivery {
  readonly body?: string;
  readonly secret?: string;
  readonly slug?: string;
  /** By how much the signed time lies back. */
  readonly ageSeconds?: number;
  readonly headers?: Record<string, string>;
}

const mac = (secret: string, message: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(message).digest(encoding);

/** As the providers document it, without code of the service. */
const SIGN: Record<SignedProvider, (body: string, secret: string, seconds: number) => [string, string]> = {
  github: (body, secret) => ['X-Hub-Signature-256', `sha256=${mac(secret, body, 'hex')}`],
  typeform: (body, secret) => ['Typeform-Signature', `sha256=${mac(secret, body, 'base64')}`],
  stripe: (body, secret, seconds) => [
    'Stripe-Signature',
    `t=${seconds},v1=${mac(secret, `${seconds}.${body}`, 'hex')}`,
  ],
};

/** Of an older version of the service, which has no Surface 1c. */
export function requireSources(world: World): void {
  if (!world.stack.outputs.sourcesUrl) throw new CannotBeTried('the stack has no output SourcesUrl');
}

/** A new form in the workspace whose configuration changes during the run. */
export async function newSource(world: World, provider: SignedProvider): Promise<Source> {
  requireSources(world);
  const sender = await world.changing.newSender();
  const owner = world.ownerOf(sender);
  await owner.must('PATCH', `/forms/${sender.formId}`, { provider: { name: provider } });
  await owner.must('PUT', `/forms/${sender.formId}/provider/secret`, { secret: PROVIDER_SECRET });
  return { sender, deliver: (delivery) => world.sendToSources(requestOf(world, provider, sender, delivery)) };
}

function requestOf(
  { now }: World,
  provider: SignedProvider,
  sender: Sender,
  { body = SAMPLE, secret = PROVIDER_SECRET, slug = sender.slug, ageSeconds = 0, headers }: Delivery = {},
): HttpRequest {
  const seconds = Math.floor(now() / 1000) - ageSeconds;
  const [name, signature] = SIGN[provider](body, secret, seconds);
  return {
    path: `/sources/v1/${slug}`,
    headers: { 'Content-Type': 'application/json', [name]: signature, ...headers },
    body,
  };
}

/** As tools such as Zapier send. */
export function sendWithToken(
  world: World,
  headers: Record<string, string>,
  body = SAMPLE,
): Promise<HttpResponse> {
  requireSources(world);
  return world.sendToSources({
    path: '/sources/v1',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
}

/** What Typeform sends for one response. */
export function typeformPayload({
  event = 'form_response',
  submittedAt,
}: {
  readonly event?: string;
  readonly submittedAt: number;
}): string {
  return JSON.stringify({
    event_id: 'conformance',
    event_type: event,
    form_response: {
      token: 'conformance',
      submitted_at: new Date(submittedAt).toISOString(),
      definition: { fields: [{ id: 'a', ref: 'email', type: 'email', title: 'Email' }] },
      answers: [{ type: 'email', email: 'ada@analytical-engines.co.uk', field: { id: 'a', ref: 'email' } }],
    },
  });
}
