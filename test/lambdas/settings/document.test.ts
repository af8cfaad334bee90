import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REASONS } from '#rejections/reasons.ts';
import { DOCUMENT, OPERATIONS, type Operation } from './api-document.ts';
import { openOwnerWorkbench } from './owner-workbench.ts';

const LAMBDAS = resolve(import.meta.dirname, '../../../lambdas');

test('the document has every route of both functions, and no other', () => {
  const files = [
    ...readdirSync(`${LAMBDAS}/settings/routes`).map((file) => `settings/routes/${file}`),
    'rejections/diagnostics/handler.ts',
  ];
  const routes = files.flatMap((file) =>
    [...readFileSync(`${LAMBDAS}/${file}`, 'utf8').matchAll(/route\('([A-Z]+ [^']+)'/g)].map(
      ([, route]) => route,
    ),
  );
  expect(routes.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
});

test('the document knows every reason of a rejection', () => {
  const { schemas } = DOCUMENT.components as { schemas: { Reason: { enum: string[] } } };
  expect(schemas.Reason.enum).toEqual([...REASONS]);
});

test('every operation has an id of its own', () => {
  expect(new Set(OPERATIONS.map(({ operationId }) => operationId)).size).toBe(OPERATIONS.length);
});

const withBody = OPERATIONS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
  'the example of %s is valid',
  (_id, { path, method, requestFaults }) => {
    const item = DOCUMENT.paths[path]?.[method.toLowerCase()] as {
      requestBody: { content: { 'application/json': { example?: unknown } } };
    };
    const { example } = item.requestBody.content['application/json'];
    expect(requestFaults({ query: {}, body: example })).toEqual([]);
  },
);

/** Values that are right here and there, and wrong elsewhere. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    'a',
    'x'.repeat(16),
    ' padded secret of mine ',
    'é'.repeat(100),
    '😀'.repeat(100),
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(101),
    'x'.repeat(201),
    'e30=',
    'e30',
    '====',
    'AA==',
    'email',
    'honeypot',
  ),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e9, 604_800, 604_801, [], {}, [1], [null]),
  fc.constantFrom<unknown>(
    [{ key: 'a' }],
    [{ key: '' }],
    [{ key: 'a', role: 'x' }],
    [{ key: 'a', label: '' }],
    { _test: true, name: 'x' },
    { _test: 1 },
  ),
  fc.constantFrom<unknown>(
    'all',
    'webhook',
    'active',
    'disabled',
    ['lead.accepted'],
    ['lead.sold'],
    ['lead.erased', 'lead.erased'],
    '2026-11-15T12:00:00Z',
    '2026-02-30T12:00:00Z',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const names = [
  ...['name', 'fields', 'active', 'formId', 'secret', 'graceSeconds', 'timestamp', 'signature'],
  // Not url, email and kind: what is wrong with an address is beyond a schema.
  ...['events', 'onlyClean', 'includeFields', 'status', 'since'],
];
const anyBody = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom(...names, 'bodyBase64', 'body', 'x'), anyValue, { maxKeys: 3 }),
  },
  { weight: 1, arbitrary: anyValue },
);

describe('document and service are of one mind about bodies', () => {
  const bench = openOwnerWorkbench();

  test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    async (_id, { method, path }: Operation) => {
      const sender = await bench.newSender();
      const owner = bench.ownerOf(sender.workspaceId);
      const call = owner[method.toLowerCase() as 'post'];
      const { body: made } = await owner.post('/destinations', {
        body: { kind: 'webhook', url: 'https://receiver.example.com/' },
      });
      const at = path
        .replace('/settings', '')
        .replace('{formId}', sender.formId)
        .replace('{destinationId}', made.destinationId);
      // The workbench itself compares what the document says with what the service answers.
      await fc.assert(
        fc.asyncProperty(anyBody, async (body) => {
          const { status } = await call(at, { body });
          expect([200, 201, 202, 400, 404, 409]).toContain(status);
        }),
        { numRuns: 60 },
      );
    },
  );
});
