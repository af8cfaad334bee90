import { PROVIDERS, type Provider } from '#sources/providers.ts';
import { signDelivery } from '#sources/sign-delivery.ts';
import type { SeededRandom } from '../random.ts';
import { anyLead, type Draft, draftTo } from './draft.ts';
import type { SourceTenant, World } from './world.ts';

/** A valid request to Surface 1c: a provider's delivery, or one with a server token. */
export function validSourceDraft(random: SeededRandom, world: World, nowSeconds: number): Draft {
  return random.chance(0.7)
    ? validDelivery(random, random.pick(world.sources), nowSeconds)
    : validTokenDraft(random, world, nowSeconds);
}

function validDelivery(random: SeededRandom, tenant: SourceTenant, nowSeconds: number): Draft {
  const id = anyId(random);
  const source = { provider: tenant.provider, secret: tenant.providerSecret, deliveryId: id };
  const body = Buffer.from(JSON.stringify(payloadOf(tenant.provider, random, id, nowSeconds)));
  const draft = draftTo('1c', `/sources/v1/${tenant.slug}`, { tenant, body, madeAt: nowSeconds });
  draft.source = source;
  draft.headers.push(
    ...Object.keys(signedHeaders(draft)).map((name) => ({
      name,
      value: (made: Draft) => signedHeaders(made)[name] ?? '',
    })),
  );
  return draft;
}

/** Tokens of Surface 1a work here too, with idempotency keys of their own. */
function validTokenDraft(random: SeededRandom, { tenants, sources }: World, nowSeconds: number): Draft {
  const tenant = random.pick(random.chance(0.8) ? tenants : sources);
  const draft = draftTo('1c', '/sources/v1', { tenant, body: anyLead(random), madeAt: nowSeconds });
  draft.headers.push(
    random.chance(0.5)
      ? { name: 'Authorization', value: (made) => `Bearer ${made.tenant.token}` }
      : { name: 'X-API-Key', value: (made) => made.tenant.token },
  );
  return draft;
}

/** As the draft's provider signs what the draft says by now. */
export function signedHeaders({ source, body, signedBody = body, timestamp }: Draft): Record<string, string> {
  if (source === undefined) return {};
  const { provider, secret, deliveryId } = source;
  const nowMilliseconds = Number(timestamp) * 1000;
  return signDelivery(rowOf(provider), { secret, body: signedBody, nowMilliseconds, deliveryId });
}

export const rowOf = (name: SourceTenant['provider']): Provider => PROVIDERS.get(name) as Provider;

/** Some are few enough to repeat. */
const anyId = (random: SeededRandom): string =>
  random.chance(0.2) ? `again-${random.below(20)}` : random.text(20);

/** A lead as the provider would send it. */
function payloadOf(
  provider: SourceTenant['provider'],
  random: SeededRandom,
  id: string,
  nowSeconds: number,
): object {
  const name = random.text(8);
  const email = `${random.text(6)}@example.com`;
  const happenedAt = new Date(nowSeconds * 1000).toISOString();
  switch (provider) {
    case 'typeform': {
      const fields = [
        { id: 'f1', title: 'Your name', type: 'short_text', ref: 'name' },
        { id: 'f2', title: 'Email', type: 'email', ref: '01HQZJ8V6T2M4N7P9R1S3X5Y7Z' },
      ];
      const answers = [
        { type: 'text', text: name, field: fields[0] },
        { type: 'email', email, field: fields[1] },
        { type: 'choices', choices: { labels: ['A', 'B'] }, field: { id: 'f3', type: 'multiple_choice' } },
      ];
      const response = {
        token: id,
        submitted_at: happenedAt,
        definition: { fields },
        answers,
        hidden: { a: '1' },
      };
      return { event_id: random.text(12), event_type: 'form_response', form_response: response };
    }
    case 'tally': {
      const options = [{ id: 'o1', text: 'Small' }];
      const fields = [
        { key: 'q1', label: 'Name', type: 'INPUT_TEXT', value: name },
        { key: 'q2', label: 'Name', type: 'INPUT_EMAIL', value: email },
        { key: 'q3', label: 'Size', type: 'MULTIPLE_CHOICE', value: ['o1'], options },
      ];
      return { eventType: 'FORM_RESPONSE', createdAt: happenedAt, data: { submissionId: id, fields } };
    }
    case 'webflow':
      return {
        triggerType: 'form_submission',
        payload: { id, name: 'Contact', data: { Name: name, Email: email } },
      };
    case 'calendly': {
      const questions_and_answers = [{ question: 'Company?', answer: random.text(9) }];
      return {
        event: 'invitee.created',
        payload: { uri: id, name, email, questions_and_answers, old_invitee: null },
      };
    }
    case 'calcom': {
      const responses = { name: { label: 'Name', value: name }, notes: { label: 'Notes', value: 'x' } };
      const payload = { uid: id, attendees: [{ name, email }], responses };
      return { triggerEvent: 'BOOKING_CREATED', createdAt: happenedAt, payload };
    }
    case 'stripe': {
      const object = { customer_details: { name, email, phone: null } };
      return { id, type: 'checkout.session.completed', livemode: random.chance(0.5), data: { object } };
    }
    case 'shopify':
      return { id: random.below(2 ** 40), first_name: name, last_name: 'B', email, updated_at: happenedAt };
    case 'standard-webhooks':
    case 'svix':
      return { type: 'lead.created', data: { name, email } };
    default:
      return { name, email, id };
  }
}
