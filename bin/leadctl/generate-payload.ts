import { randomInt, randomUUID } from 'node:crypto';
import type { ProviderName } from '../../lambdas/sources/providers.ts';

type Lead = Readonly<Record<string, string>>;
type MakePayload = (lead: Lead, id: string, now: Date) => object;

/** What each provider would send about a lead, as far as this service reads it. */
const PAYLOADS: Readonly<Record<ProviderName, MakePayload>> = {
  typeform: (lead, id, now) => ({
    event_id: id,
    event_type: 'form_response',
    form_response: {
      token: id,
      submitted_at: now.toISOString(),
      answers: Object.entries(lead).map(([key, text]) =>
        key === 'email'
          ? { type: 'email', email: text, field: { id: `f-${key}`, ref: key, type: 'email' } }
          : { type: 'text', text, field: { id: `f-${key}`, ref: key, type: 'short_text' } },
      ),
    },
  }),
  tally: (lead, id, now) => ({
    eventId: id,
    eventType: 'FORM_RESPONSE',
    createdAt: now.toISOString(),
    data: {
      submissionId: id,
      fields: Object.entries(lead).map(([label, value]) => ({
        key: `question_${label}`,
        label,
        type: 'INPUT_TEXT',
        value,
      })),
    },
  }),
  framer: (lead) => lead,
  webflow: (lead, id) => ({
    triggerType: 'form_submission',
    payload: { id, name: 'Contact us', data: lead },
  }),
  calendly: ({ name, email, phone, ...answers }, id) => ({
    event: 'invitee.created',
    payload: {
      uri: `https://api.calendly.com/scheduled_events/${id}/invitees/${id}`,
      name,
      email,
      text_reminder_number: phone ?? null,
      old_invitee: null,
      questions_and_answers: Object.entries(answers).map(([question, answer]) => ({ question, answer })),
    },
  }),
  calcom: (lead, id, now) => ({
    triggerEvent: 'BOOKING_CREATED',
    createdAt: now.toISOString(),
    payload: {
      uid: id,
      attendees: [{ name: lead.name, email: lead.email }],
      responses: Object.fromEntries(Object.entries(lead).map(([key, value]) => [key, { label: key, value }])),
    },
  }),
  stripe: ({ name, email, phone, ...metadata }, id, now) => ({
    id: `evt_${id}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: Math.floor(now.getTime() / 1000),
    livemode: true,
    data: {
      object: {
        object: 'checkout.session',
        customer_details: { name, email, phone: phone ?? null },
        metadata,
      },
    },
  }),
  shopify: ({ name = '', email, phone, message }, _id, now) => ({
    // A number, as Shopify's are.
    id: randomInt(2 ** 47),
    first_name: name.split(' ')[0],
    last_name: name.split(' ').slice(1).join(' '),
    email,
    phone: phone ?? null,
    note: message ?? null,
    updated_at: now.toISOString(),
  }),
  'standard-webhooks': envelope,
  svix: envelope,
  github: (lead) => lead,
};

function envelope(lead: Lead, _id: string, now: Date): object {
  return { type: 'lead.created', timestamp: now.toISOString(), data: lead };
}

/** A new delivery each time: providers' IDs tell repetitions apart. */
export function generatePayload(provider: ProviderName, lead: Lead, now = new Date()): object {
  return PAYLOADS[provider](lead, randomUUID(), now);
}
