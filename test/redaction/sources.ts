import { createHmac } from 'node:crypto';
import { type HttpResponse, openHttp } from '../../conformance/world/http.ts';
import { localStack } from '../local-stack.ts';
import { type Canaries, guardedBody, guardedHeaders, type Place, REJECTION_PLACES } from './canaries.ts';
import { type Contract, newGuardedTenant } from './senders.ts';

interface Sent {
  readonly ofValues?: readonly Place[];
  readonly ofUserAgent?: readonly Place[];
  readonly secret?: string;
  readonly slug?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const ACCEPTED = { ofValues: ['leads'], ofUserAgent: [] } as const;

/**
 * Surface 1c, by the signature of a provider and by token: accepted, repeated, ignored for good and rejected. Every
 * signature, secret, token and delivery ID is a canary.
 */
export async function sendToSources(
  contract: Contract,
  canaries: Canaries,
): Promise<[what: string, status: number][]> {
  const { administration } = contract;
  const tenant = await newGuardedTenant(contract, canaries, 'a form with a provider');
  const { formId } = tenant;
  const http = openHttp(localStack().sourcesUrl);
  await administration.setFormProvider(formId, { name: 'github' });
  const old = canaries.create('the previous secret of a provider', ['formSecrets']);
  await administration.setProviderSecret({ formId, secret: old });
  const current = canaries.create('the secret of a provider in use', ['formSecrets']);
  await administration.setProviderSecret({ formId, secret: current });
  const responses: [string, HttpResponse][] = [];

  const guarded = (what: string, { ofValues = [], ofUserAgent = REJECTION_PLACES, body }: Sent) => ({
    body: body ?? guardedBody(canaries, what, ofValues, ofValues),
    headers: { 'Content-Type': 'application/json', ...guardedHeaders(canaries, what, ofUserAgent) },
  });

  async function deliver(what: string, sent: Sent = {}): Promise<string> {
    const { body, headers } = guarded(what, sent);
    const signature = createHmac('sha256', sent.secret ?? current)
      .update(body)
      .digest('hex');
    canaries.track(`the signature of ${what}`, signature);
    const request = {
      path: `/sources/v1/${sent.slug ?? tenant.slug}?q=${canaries.create(`the query of ${what}`)}`,
      headers: {
        ...headers,
        'X-Hub-Signature-256': `sha256=${signature}`,
        'X-GitHub-Delivery': canaries.create(`the unsigned ID of ${what}`),
        ...sent.headers,
      },
      body,
    };
    responses.push([what, await http.send(request)]);
    return body;
  }

  async function withToken(what: string, credentials: Record<string, string>, sent: Sent = {}) {
    const { body, headers } = guarded(what, sent);
    responses.push([
      what,
      await http.send({ path: '/sources/v1', headers: { ...headers, ...credentials }, body }),
    ]);
  }

  try {
    const body = await deliver('a delivery', ACCEPTED);
    await deliver('a repeated delivery', { ...ACCEPTED, body });
    await deliver('a delivery that is no JSON', {
      body: `{"a":${canaries.create('a delivery without JSON')}`,
    });
    await deliver('a delivery with a wrong secret', {
      secret: canaries.create('a wrong secret of a provider'),
    });
    await deliver('a delivery with the previous secret', { secret: old });
    await deliver('a delivery to an unknown slug', { slug: canaries.create('an unknown slug of 1c') });
    const malformed = canaries.create('a malformed signature of a provider');
    await deliver('a malformed delivery', { headers: { 'X-Hub-Signature-256': malformed } });
    const foreign = canaries.create("another provider's signature");
    await deliver('a delivery of another provider', {
      headers: { 'X-Hub-Signature-256': '', 'Stripe-Signature': `t=1,v1=${foreign}` },
    });
    await withToken('a lead of a tool', { 'X-API-Key': tenant.token }, ACCEPTED);
    await withToken('a lead with both', {
      'X-API-Key': tenant.token,
      Authorization: `Bearer ${tenant.token}`,
    });
    const unknown = `ingt_srv_${canaries.create('an unknown token in X-API-Key')}`;
    await withToken('an unknown token of a tool', { 'X-API-Key': unknown });
    await withToken('what is no token', { 'X-API-Key': canaries.create('what is no token in X-API-Key') });
  } finally {
    http.close();
  }
  return responses.map(([what, { status }]) => [what, status]);
}
