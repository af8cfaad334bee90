import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isSlug } from '../../lambdas/model/configuration.ts';
import { REASONS } from '../../lambdas/model/reasons.ts';
import { localStack } from '../local-stack.ts';
import { missingPrograms, runProgram, testUnlessMissing } from '../programs.ts';
import { asText, synthesize } from '../stack/synthesize.ts';
import {
  checkedByDocument,
  DOCUMENT,
  faultsOf,
  follow,
  OPERATIONS,
  operationOf,
} from './ingest-api-document.ts';
import { type Json, METHODS } from './openapi-document.ts';
import { openContract, requestFor, send, submissionId } from './tenant.ts';

const contract = openContract();
const SURFACES = ['1a', '1b'] as const;

describe('the document', () => {
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
