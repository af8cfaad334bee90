import { describe, expect, test } from '@jest/globals';
import { type MessageContent, sampleLead, webhookBody, webhookHeaders } from '#sending/compose-message.ts';
import { messageId } from '#sending/message.ts';
import { DOCUMENT, type Operation, toOperation } from '../lambdas/settings/api-document.ts';

const AT = '2026-11-15T12:00:10.000Z';
const ID = '019a87f0-4a10-7c3e-9d2b-5f1e8a6c0b42';
const lead = {
  ...sampleLead(ID, AT),
  formId: 'form_1',
  signals: [{ name: 'business_email', weight: 20 }],
  body: '{"name":"Ada Byron","number":12345678901234567890}',
};

const CONTENTS: Readonly<Record<string, Omit<MessageContent, 'type'>>> = {
  'lead.accepted': { at: AT, submissionId: ID, formId: 'form_1', lead },
  'lead.enriched': {
    at: AT,
    submissionId: ID,
    formId: 'form_1',
    lead,
    enrichment: {
      leadId: ID,
      state: 'enriched',
      enrichedAt: AT,
      attempts: 1,
      facts: { company: { value: 'Analytical Engines', source: 'body' } },
      incomplete: ['dns'],
    },
  },
  'lead.erased': { at: AT, submissionId: ID, formId: 'form_1' },
  'destination.test': { at: AT, submissionId: ID, formId: 'form_test', lead: sampleLead(ID, AT) },
};

interface Webhook {
  readonly post: {
    readonly parameters: readonly { readonly $ref: string }[];
    readonly requestBody: {
      readonly content: { readonly 'application/json': { readonly example: unknown } };
    };
  };
}
const WEBHOOKS = DOCUMENT.webhooks as Record<string, Webhook>;

const operationOf = (type: string): Operation =>
  toOperation(type, 'post', (DOCUMENT.webhooks as Record<string, Record<string, unknown>>)[type] ?? {});

test('the document has every message that a webhook can receive', () => {
  expect(Object.keys(WEBHOOKS).sort()).toEqual(Object.keys(CONTENTS).sort());
});

describe.each(Object.keys(CONTENTS))('%s', (type) => {
  const { requestFaults } = operationOf(type);

  test('is sent as the document describes it', () => {
    const text = webhookBody({ ...(CONTENTS[type] as MessageContent), type: type as MessageContent['type'] });
    const body = JSON.parse(text) as { data: { lead: object } };
    expect(requestFaults({ query: {}, body })).toEqual([]);
    expect(requestFaults({ query: {}, body: { ...body, type: 'lead.unknown' } })).not.toEqual([]);
    const { submissionId: _id, ...rest } = body.data.lead as { submissionId: string };
    expect(requestFaults({ query: {}, body: { ...body, data: { lead: rest } } })).not.toEqual([]);
  });

  test('has a valid example with the documented properties', () => {
    const { example } = (WEBHOOKS[type] as Webhook).post.requestBody.content['application/json'];
    expect(requestFaults({ query: {}, body: example })).toEqual([]);
  });

  test('has the documented headers', () => {
    const parameters = (DOCUMENT.components as { parameters: Record<string, { name: string }> }).parameters;
    const documented = (WEBHOOKS[type] as Webhook).post.parameters.map(
      ({ $ref }) => parameters[$ref.split('/').at(-1) ?? '']?.name,
    );
    const key = { destinationId: 'dest_1', leadId: ID, type: type as MessageContent['type'] };
    const sent = webhookHeaders({ id: messageId(key), timestampSeconds: 1, body: '{}' }, ['whsec_AAAA']);
    expect(documented.sort()).toEqual(Object.keys(sent).sort());
  });
});
