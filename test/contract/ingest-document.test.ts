import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isSlug } from '../../lambdas/submission/ids.ts';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { asText, synthesise } from '../stack/synthesise.ts';
import { type HttpRequest, send } from './http.ts';
import {
  answerFaults,
  DOCUMENT,
  faultsOf,
  follow,
  type Json,
  METHODS,
  OPERATIONS,
  operationOf,
  requestFaults,
} from './ingest-api-document.ts';
import { openContract, requestFor, type Submission, type Tenant } from './tenant.ts';

const contract = openContract();
const SURFACES = ['1a', '1b'] as const;

describe('the document', () => {
  test('is OpenAPI 3.1, and its references lead somewhere', () => {
    expect(DOCUMENT.openapi).toMatch(/^3\.1\.\d+$/);
    const references = JSON.stringify(DOCUMENT).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) follow(JSON.parse(`{${reference}}`));
  });

  test('has the routes of the stack, and no other', () => {
    const template = synthesise('prod');
    const resources = template.findResources('AWS::ApiGateway::Resource');
    const pathOf = (reference: unknown): string => {
      const id = asText(reference).replace(/^\$\{|\}$/g, '');
      const { ParentId, PathPart } = resources[id]?.Properties ?? {};
      return PathPart === undefined ? '' : `${pathOf(ParentId)}/${PathPart}`;
    };
    const routes = Object.values(template.findResources('AWS::ApiGateway::Method')).flatMap(
      ({ Properties: { HttpMethod, ResourceId } }) =>
        (HttpMethod === 'ANY' ? METHODS.map((method) => method.toUpperCase()) : [HttpMethod]).map(
          (method) => `${method} ${pathOf(ResourceId)}`,
        ),
    );
    expect(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort());
  });

  test('gives every operation an id of its own, and every part of a path a parameter', () => {
    expect(new Set(OPERATIONS.map(({ operation }) => operation.operationId)).size).toBe(OPERATIONS.length);
    for (const { path, parameters } of OPERATIONS) {
      const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`);
      expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test('has examples that fit their schemas', () => {
    const { parameters, requestBodies, responses } = DOCUMENT.components as Record<
      string,
      Record<string, Json>
    >;
    for (const { schema, example } of Object.values(parameters ?? {})) {
      expect(faultsOf(schema, example)).toEqual([]);
    }
    for (const { content } of [...Object.values(requestBodies ?? {}), ...Object.values(responses ?? {})]) {
      const {
        schema,
        example,
        examples = { only: { value: example } },
      } = (content as Record<string, Json>)['application/json'] as {
        schema: Json;
        example?: unknown;
        examples?: Record<string, { value: unknown }>;
      };
      for (const { value } of Object.values(examples)) expect(faultsOf(schema, value)).toEqual([]);
    }
  });

  test.each(['a', 'a-b', 'A_9', '-a', 'a-', '', 'a b', 'ä', 'x'.repeat(100), 'x'.repeat(101)])(
    'takes the same slugs as the service: %j',
    (slug) => {
      const { parameters } = DOCUMENT.components as Record<string, Record<string, Json>>;
      expect(faultsOf(parameters?.slug?.schema, slug).length === 0).toBe(isSlug(slug));
    },
  );
});

/** A request and its answer, after both were held to the document. */
async function exchange(request: HttpRequest) {
  const answer = await send(request);
  expect(answerFaults(request, answer)).toEqual([]);
  return answer;
}

describe.each(SURFACES)('on surface %s', (surface) => {
  test('every example is accepted, and its repetition gets the same answer', async () => {
    const tenant = await contract.newTenant();
    const { content } = follow(operationOf(requestFor(surface, tenant, {})).operation.requestBody) as {
      content: Record<string, { examples: Record<string, { value: unknown }> }>;
    };
    const examples = Object.values(content['application/json']?.examples ?? {});
    expect(examples.length).toBeGreaterThan(2);
    for (const { value } of examples) {
      const headers = { 'X-SVC-Idempotency-Key': randomUUID() };
      const request = requestFor(surface, tenant, { body: JSON.stringify(value), headers });
      expect(requestFaults(request)).toEqual([]);
      const [first, second] = [await exchange(request), await exchange(request)];
      expect([first.status, second.body]).toEqual([202, first.body]);
    }
  });

  test.each([
    ['another content type', { headers: { 'Content-Type': 'text/plain' } }],
    ['no content type', { headers: { 'Content-Type': null } }],
    ['a blank key', { headers: { 'X-SVC-Idempotency-Key': ' ' } }],
    ['a key of 256 characters', { headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(256) } }],
    ['a list', { body: '[]' }],
    ['a text', { body: '"lead"' }],
  ] satisfies [string, Submission][])(
    '%s is a fault by the document, and rejected',
    async (_, submission) => {
      const request = requestFor(surface, await contract.newTenant(), submission);
      expect(requestFaults(request)).not.toEqual([]);
      expect((await exchange(request)).status).toBe(200);
    },
  );

  test.each([
    ['a content type with parameters', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
    ['a key of one character', { headers: { 'X-SVC-Idempotency-Key': 'k' } }],
    ['a key of 255 characters', { headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(255) } }],
  ] satisfies [string, Submission][])('%s is none, and accepted', async (_, submission) => {
    const request = requestFor(surface, await contract.newTenant(), submission);
    expect(requestFaults(request)).toEqual([]);
    expect((await exchange(request)).status).toBe(202);
  });
});

const HEX = 'a'.repeat(64);

test.each([
  ['no timestamp', { headers: { 'X-SVC-Timestamp': null } }],
  ['a date for a timestamp', { timestamp: '2026-07-01T12:00:00Z' }],
  ['no signature', { headers: { 'X-SVC-Signature': null } }],
  ['a signature of 63 digits', { signature: HEX.slice(1) }],
  ['a prefix in upper case', { signature: `SHA256=${HEX}` }],
] satisfies [string, Submission][])(
  'on surface 1b %s is a fault by the document, and rejected',
  async (_, submission) => {
    const request = requestFor('1b', await contract.newTenant(), submission);
    expect(requestFaults(request)).not.toEqual([]);
    expect((await exchange(request)).status).toBe(200);
  },
);

test.each([
  ['1a', 'no token', { headers: { Authorization: null } }],
  ['1a', 'an unknown token', { token: 'ingt_srv_nobody' }],
  ['1b', 'a signature that does not match', { signature: HEX }],
  ['1b', 'an old timestamp', { timestamp: '1782907200' }],
  ['1b', 'an unknown slug', { slug: 'nobody-knows' }],
  ['1a', 'a body that is too large', { body: JSON.stringify({ message: 'x'.repeat(131_072) }) }],
] satisfies [Surface, string, Submission][])(
  'on surface %s %s is answered as documented, though no schema could tell',
  async (surface, _, submission) => {
    const request = requestFor(surface, await contract.newTenant(), submission);
    expect(requestFaults(request)).toEqual([]);
    expect((await exchange(request)).status).toBe(200);
  },
);

describe('the retired path', () => {
  test.each(METHODS.map((method) => method.toUpperCase()))('%s', async (method) => {
    const { status, body } = await exchange({ method, path: '/api/ingest/contact-us' });
    expect(status).toBe(410);
    const { responses } = DOCUMENT.components as { responses: { Gone: { content: Record<string, Json> } } };
    const documented = responses.Gone.content['application/json']?.example;
    if (method !== 'HEAD') expect(JSON.parse(body)).toEqual(documented);
  });
});

test('an owner’s suspension is answered as documented', async () => {
  const tenant: Tenant = await contract.newTenant();
  await contract.administration.suspendWorkspace(tenant.workspaceId);
  for (const surface of SURFACES) {
    expect((await exchange(requestFor(surface, tenant, {}))).status).toBe(200);
  }
});
