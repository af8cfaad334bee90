import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isSlug } from '../../lambdas/model/configuration.ts';
import type { Surface } from '../../lambdas/model/limits.ts';
import { REASONS } from '../../lambdas/model/reasons.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';
import { asText, synthesize } from '../stack/synthesize.ts';
import {
  checkedByDocument,
  DOCUMENT,
  faultsOf,
  follow,
  type Json,
  METHODS,
  OPERATIONS,
  operationOf,
  requestFaults,
  responseFaults,
} from './ingest-api-document.ts';
import { openContract, requestFor, type Submission, send, submissionId, type Tenant } from './tenant.ts';

const contract = openContract();
const SURFACES = ['1a', '1b'] as const;

describe('the document', () => {
  test('is OpenAPI 3.1, and its references resolve', () => {
    expect(DOCUMENT.openapi).toMatch(/^3\.1\.\d+$/);
    const references = JSON.stringify(DOCUMENT).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) follow(JSON.parse(`{${reference}}`));
  });

  test('has the routes of the stack, and no others', () => {
    const template = synthesize('prod');
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

  test('gives every operation its own id, and every part of a path a parameter', () => {
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

test.each(SURFACES)(
  'on surface %s every example is accepted, and its repeat gets the same answer',
  async (surface) => {
    const tenant = await contract.newTenant();
    const { content } = follow(operationOf(requestFor(surface, tenant, {})).operation.requestBody) as {
      content: Record<string, { examples: Record<string, { value: unknown }> }>;
    };
    const examples = Object.values(content['application/json']?.examples ?? {});
    expect(examples.length).toBeGreaterThan(2);
    const faults = new Set<string>();
    const sendChecked = checkedByDocument(send, faults);
    for (const { value } of examples) {
      const headers = { 'X-SVC-Idempotency-Key': randomUUID() };
      const request = requestFor(surface, tenant, { body: JSON.stringify(value), headers });
      const [first, second] = [await sendChecked(request), await sendChecked(request)];
      expect([first.status, second.body]).toEqual([202, first.body]);
    }
    expect([...faults]).toEqual([]);
  },
);

// The rows of the specification send the same and expect a rejection: specification.test.ts also checks their responses
// against the document.
const SENDER: Tenant = {
  workspaceId: 'ws_1',
  formId: 'form_1',
  slug: 'contact-us',
  secret: 'whsec_1',
  token: 'ingt_srv_1',
  tokenId: 'tok_1',
};
const HEX = 'a'.repeat(64);

const NOT_ALLOWED: [readonly Surface[], string, Submission][] = [
  [SURFACES, 'another content type', { headers: { 'Content-Type': 'text/plain' } }],
  [SURFACES, 'no content type', { headers: { 'Content-Type': null } }],
  [SURFACES, 'a blank key', { headers: { 'X-SVC-Idempotency-Key': ' ' } }],
  [SURFACES, 'a key of 256 characters', { headers: { 'X-SVC-Idempotency-Key': 'k'.repeat(256) } }],
  [SURFACES, 'an array', { body: '[]' }],
  [SURFACES, 'a string', { body: '"lead"' }],
  [['1b'], 'no timestamp', { headers: { 'X-SVC-Timestamp': null } }],
  [['1b'], 'a date for a timestamp', { timestamp: '2026-07-01T12:00:00Z' }],
  [['1b'], 'no signature', { headers: { 'X-SVC-Signature': null } }],
  [['1b'], 'a signature of 63 digits', { signature: HEX.slice(1) }],
  [['1b'], 'a prefix in upper case', { signature: `SHA256=${HEX}` }],
];

test.each(
  NOT_ALLOWED.flatMap(([surfaces, ...rest]) => surfaces.map((surface) => [surface, ...rest] as const)),
)('the document does not allow, on surface %s, %s', (surface, _, submission) => {
  expect(requestFaults(requestFor(surface, SENDER, submission))).not.toEqual([]);
});

test.each([
  ['1a', 'no token', { headers: { Authorization: null } }],
  ['1a', 'an unknown token', { token: 'ingt_srv_nobody' }],
  ['1b', 'a signature that does not match', { signature: HEX }],
  ['1b', 'an old timestamp', { timestamp: '1782907200' }],
  ['1b', 'an unknown slug', { slug: 'nobody-knows' }],
  ['1a', 'a body that is too large', { body: JSON.stringify({ message: 'x'.repeat(131_072) }) }],
] satisfies [Surface, string, Submission][])(
  'no schema of the document can exclude, on surface %s, %s',
  (surface, _, submission) => {
    expect(requestFaults(requestFor(surface, SENDER, submission))).toEqual([]);
  },
);

test.each(METHODS.map((method) => method.toUpperCase()))(
  'the retired path answers %s as documented',
  async (method) => {
    const request = { method, path: '/api/ingest/contact-us' };
    const response = await send(request);
    expect([response.status, responseFaults(request, response)]).toEqual([410, []]);
    const { responses } = DOCUMENT.components as { responses: { Gone: { content: Record<string, Json> } } };
    const documented = responses.Gone.content['application/json']?.example;
    if (method !== 'HEAD') expect(JSON.parse(response.body)).toEqual(documented);
  },
);

const ROOT = resolve(import.meta.dirname, '../..');
const guide = readFileSync(resolve(ROOT, 'docs/send-leads.md'), 'utf8');

describe('the commands of docs/send-leads.md', () => {
  const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, command = '']) => command);
  const { here, title } = testUnlessMissing(missingPrograms(['bash', 'curl', 'openssl']));

  test('are one per surface', () => expect(commands).toHaveLength(2));

  here.each(commands.map((command) => [command.split('\n').at(-2)?.trim(), command] as const))(
    title('are accepted: … %s'),
    async (_, command) => {
      const { slug: SLUG, secret: SECRET, token: TOKEN } = await contract.newTenant();
      const given = { SLUG, SECRET, TOKEN, BASE_URL: localStack().ingestUrl };
      const { stdout } = await runProgram('bash', ['-euo', 'pipefail', '-c', command], {
        cwd: ROOT,
        env: { ...process.env, ...given },
      });
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(stdout) ?? [];
      const body = stdout.trim().split('\r\n').at(-1) ?? '';
      const id = submissionId({ status: Number(status), headers: {}, body });
      expect(await contract.lead(id)).toBeDefined();
    },
  );
});

test('explains every reason once, and no unknown ones', () => {
  const table = guide.slice(guide.indexOf('| Diagnostics says'), guide.indexOf('An unknown token or slug'));
  const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z]+(?:_[a-z]+)+/g) ?? []);
  expect(explained.sort()).toEqual([...REASONS].sort());
});

test('links to files that exist', () => {
  const links = [...guide.matchAll(/\]\((?!#|https:)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) readFileSync(resolve(ROOT, 'docs', link.replace(/#.*$/, '')));
});
