import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { lint, loadConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse } from 'yaml';
import {
  type MessageContent,
  testMessageLead,
  webhookBody,
  webhookHeaders,
} from '#sending/compose-message.ts';
import { messageId } from '#sending/message.ts';
import { VERSION } from '../../lib/version.ts';
import { readApiDocument } from '../api-documents.ts';
import { DOCUMENT, type Operation, toOperation } from '../lambdas/owner-api/api-document.ts';

test('every promise of docs/guarantees.md points to its evidence', () => {
  const promises = readFileSync('docs/guarantees.md', 'utf8')
    .split(/^## (?=\d)/m)
    .slice(1);
  expect(promises).toHaveLength(8);
  for (const promise of promises) expect(promise).toMatch(/\]\(\.\.\/test\//);
});

describe('API documents', () => {
  /** Keys without a value. A comma in unquoted text inside `{ … }` turns the rest of the sentence into one. */
  function emptyKeys(value: unknown, path: string): string[] {
    if (value === null) return [path];
    if (typeof value !== 'object') return [];
    return Object.entries(value as object).flatMap(([key, inner]) => emptyKeys(inner, `${path}/${key}`));
  }

  test('a sentence that was split at its comma is found', () => {
    const document = parse(
      'a: [{ name: x, description: This, and that. }, { name: y, description: "This, and that." }]',
    );
    expect(emptyKeys(document, '')).toEqual(['/a/0/and that.']);
  });

  describe.each(['ingest', 'settings'] as const)('the document of the %s API', (name) => {
    const file = `docs/api/${name}.openapi.yaml`;
    const document = readApiDocument<Record<string, unknown>>(name);

    test('splits no sentence into keys', () => {
      expect(emptyKeys(document, '')).toEqual([]);
    });

    test('is valid by the JSON schema of OpenAPI', async () => {
      const { valid, errors } = await new Validator().validate(document);
      expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    });

    test('passes the recommended rules of Redocly', async () => {
      const config = (await loadConfig({ configPath: 'redocly.yaml' })).forAlias(name);
      const problems = await lint({ ref: file, config });
      expect(
        problems.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
      ).toEqual([]);
    });
  });
});

describe('the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

  test('begins with unreleased changes', () => {
    expect(headings[0]).toBe('Unreleased');
  });

  test('dates every release', () => {
    for (const heading of headings.slice(1)) expect(heading).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
  });

  test('has a section for the version of package.json, unless nothing was ever released', () => {
    const [latest] = headings.slice(1);
    if (latest !== undefined) expect(latest.split(' ')[0]).toBe(version);
    else expect(version).toBe('0.1.0');
  });

  test('has the version of the stack and of every package', () => {
    const packages = globSync('packages/*/package.json').map((file) =>
      JSON.parse(readFileSync(file, 'utf8')),
    );
    expect(packages.length).toBeGreaterThan(0);
    expect(new Set([VERSION, ...packages.map((each) => each.version)])).toEqual(new Set([version]));
    const files = globSync(['{docs,packages,examples}/**/*.{md,json}', 'console/src/**/snippets/*.ts'], {
      exclude: (path) => path.includes('node_modules'),
    });
    const named = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/(?:lead-ingest-c\w+|leadctl)-(\d+\.\d+\.\d+)\.tgz/g),
    ]);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(([, one]) => one !== version).map(([name]) => name)).toEqual([]);
  });
});

describe('webhook payloads', () => {
  const AT = '2026-11-15T12:00:10.000Z';
  const ID = '019a87f0-4a10-7c3e-9d2b-5f1e8a6c0b42';
  const lead = {
    ...testMessageLead(ID, AT),
    formId: 'form_1',
    signals: [{ name: 'business_email', weight: 20 }],
    body: '{"name":"Ada Byron","number":12345678901234567890}',
  };

  const alert = {
    alertId: ID,
    kind: 'silence',
    since: AT,
    openedAt: AT,
    facts: { formId: 'form_1', formName: 'Contact us', lastAcceptedAt: AT, expectedLeads: 12 },
    opened: { title: 'No leads', lines: ['None came.', 'Look at the form.'] },
  };
  const closed = { title: 'Resolved', lines: ['A lead was accepted.'] };

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
    'alert.opened': { at: AT, submissionId: ID, formId: 'form_1', alert },
    'alert.closed': {
      at: AT,
      submissionId: ID,
      formId: 'form_1',
      alert: { ...alert, closedAt: AT, outcome: 'recovered', closed },
    },
    'destination.test': { at: AT, submissionId: ID, formId: 'form_test', lead: testMessageLead(ID, AT) },
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
      const text = webhookBody({
        ...(CONTENTS[type] as MessageContent),
        type: type as MessageContent['type'],
      });
      const body = JSON.parse(text) as { data: Record<string, Record<string, unknown>> };
      expect(requestFaults({ query: {}, body })).toEqual([]);
      expect(requestFaults({ query: {}, body: { ...body, type: 'lead.unknown' } })).not.toEqual([]);
      for (const [what, { submissionId: _id, alertId: _alertId, ...rest }] of Object.entries(body.data)) {
        expect(requestFaults({ query: {}, body: { ...body, data: { [what]: rest } } })).not.toEqual([]);
      }
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
});
