import { describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import fc from 'fast-check';
import { REASONS } from '#model/reasons.ts';
import { anyText } from '../../any-text.ts';
import { DOCUMENT, OPERATIONS, type Operation } from './api-document.ts';
import { type Call, eventOf, openOwnerFixture } from './owner-fixture.ts';

const fixture = openOwnerFixture();
const owner = await fixture.newOwner();

test('the document knows every reason of a rejection', () => {
  const { schemas } = DOCUMENT.components as { schemas: { Reason: { enum: string[] } } };
  expect(schemas.Reason.enum).toEqual([...REASONS]);
});

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly example?: unknown;
}

/** The documented examples of the parameters of a query. */
function queryOf({ path, method }: Operation): Record<string, string> {
  const operation = DOCUMENT.paths[path]?.[method.toLowerCase()] as { parameters?: readonly Parameter[] };
  const { parameters: shared } = DOCUMENT.components as { parameters: Record<string, Parameter> };
  const query = (operation.parameters ?? [])
    .map((each) => shared[each.$ref?.split('/').at(-1) ?? ''] ?? each)
    .filter((each) => each.in === 'query' && each.example !== undefined)
    .map(({ name, example }) => [name as string, String(example)]);
  return Object.fromEntries(query);
}

const withBody = OPERATIONS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));
const examples = OPERATIONS.map((operation) => ({ ...operation, query: queryOf(operation) })).filter(
  ({ query, example }) => example !== undefined || Object.keys(query).length > 0,
);

test('every request with something to say in its body has an example', () => {
  const silent = withBody.filter(({ example }) => example === undefined);
  // Their bodies may be left out.
  expect(
    silent.filter(({ requestFaults }) => requestFaults({ query: {}, body: undefined }).length > 0),
  ).toEqual([]);
  expect(examples.length).toBeGreaterThan(25);
});

test.each(examples)(
  'the example of $operationId passes the checks of document and service',
  async (operation) => {
    const { path, method, query, example: body, requestFaults } = operation;
    expect(requestFaults({ query, body })).toEqual([]);
    // The ids of the path are nobody's, so the service may refuse the request, but not because of what it says.
    const call = owner[method.toLowerCase() as 'post'];
    const { status } = await call(path.replace('/settings', '').replace(/\{\w+\}/g, 'some-id'), {
      query,
      ...(body !== undefined && { body }),
    });
    expect([200, 201, 202, 204, 404, 409]).toContain(status);
  },
);

/** Values that are valid for some fields and invalid for others. */
const VALUES: readonly unknown[] = [
  ...['', ' ', 'a', 'x'.repeat(16), ' padded secret of mine ', 'é'.repeat(100), '😀'.repeat(100)],
  ...['x'.repeat(101), 'x'.repeat(201), 'e30=', 'e30', '====', 'AA==', 'email', 'honeypot'],
  ...[null, true, false, 0, -1, 0.5, 1e9, 604_800, 604_801, [], {}, [1], [null]],
  ...[[{ key: 'a' }], [{ key: '' }], [{ key: 'a', role: 'x' }], [{ key: 'a', label: '' }]],
  ...[{ _test: true, name: 'x' }, { _test: 1 }],
  ...['all', 'webhook', 'active', 'disabled', '2026-11-15T12:00:00Z', '2026-02-30T12:00:00Z'],
  ...[['lead.accepted'], ['lead.sold'], ['lead.erased', 'lead.erased']],
  ...[{ enabled: true }, { enabled: 1 }, { factor: 0.5 }, { factor: 0.4 }, { afterMinutes: 60.5 }],
  ...[{ afterMinutes: 10_081 }, { percent: 99, enabled: false }, { seconds: null }],
];
const anyValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 1, arbitrary: anyText({ maxLength: 30 }) },
);
const NAMES = [
  ...['name', 'fields', 'active', 'formId', 'secret', 'graceSeconds', 'timestamp', 'signature'],
  // Not url, email and kind: what is wrong with an address is beyond a schema.
  ...['events', 'onlyClean', 'includeFields', 'status', 'since', 'quietMinutes', 'senderBroken'],
  ...['silence', 'dailyLimit', 'clockDrift', 'bodyBase64', 'body', 'x'],
];
const anyFields = fc.dictionary(fc.constantFrom(...NAMES), anyValue, { maxKeys: 3 });
const anyBody = fc.oneof(
  { weight: 8, arbitrary: anyFields.map(withDistinctSecret) },
  { weight: 1, arbitrary: anyValue },
);

/**
 * A valid secret starts with a canary and keeps its length. Otherwise responses may contain it for another reason: the
 * date above is valid as a secret, and the service gives it as an example of a date.
 */
function withDistinctSecret(body: Record<string, unknown>): Record<string, unknown> {
  const { secret } = body;
  if (typeof secret !== 'string' || secret.trim() !== secret || [...secret].length < 16) return body;
  return { ...body, secret: ['canary-secret-5e', ...[...secret].slice(16)].join('') };
}

describe('a secret that is shown again fails the test', () => {
  test.each([
    ['a secret of the owner', { secret: 'canary-secret-9d' }],
    ['a generated secret', undefined],
  ])('%s', async (_what, body) => {
    const { formId, workspaceId } = await fixture.newSender();
    const owner = fixture.ownerOf(workspaceId);
    const { body: set } = await owner.put(`/forms/${formId}/delivery/secret`, { body });
    const name = `about ${body?.secret ?? set.secret}`;
    await expect(owner.post('/forms', { body: { name } })).rejects.toThrow('a secret was shown again');
  });
});

describe('the document and the service agree about bodies', () => {
  test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    async (_id, { method, path }: Operation) => {
      const sender = await fixture.newSender();
      const owner = fixture.ownerOf(sender.workspaceId);
      const call = owner[method.toLowerCase() as 'post'];
      const { body: made } = await owner.post('/destinations', {
        body: { kind: 'webhook', url: 'https://receiver.example.com/' },
      });
      const at = path
        .replace('/settings', '')
        .replace('{formId}', sender.formId)
        .replace('{destinationId}', made.destinationId);
      // The fixture itself compares what the document says with what the service returns.
      await fc.assert(
        fc.asyncProperty(anyBody, async (body) => {
          const { status } = await call(at, { body });
          expect([200, 201, 202, 400, 404, 409, 429]).toContain(status);
        }),
        { numRuns: 30 },
      );
    },
  );
});

describe('bodies that cannot be read', () => {
  const CANARY = 'canary-4d1b';
  const unreadable: readonly (readonly [what: string, call: Call, status: number])[] = [
    ['no JSON', { rawBody: `{"name":"${CANARY}"` }, 400],
    ['a forbidden key', { rawBody: `{"__proto__":"${CANARY}"}` }, 400],
    ['nesting without end', { rawBody: `${'['.repeat(100_000)}"${CANARY}"` }, 400],
    ['over 256 KB', { rawBody: `{"name":"${CANARY.padEnd(262_144, 'x')}"}` }, 413],
    [
      'no JSON by its type',
      { rawBody: `name=${CANARY}`, contentType: 'application/x-www-form-urlencoded' },
      415,
    ],
  ];

  test.each(unreadable)('%s', async (_what, call, status) => {
    const response = await owner.post('/forms', call);
    expect(response.status).toBe(status);
    expect(response.text).not.toContain(CANARY);
    expect(fixture.logLines.join()).not.toContain(CANARY);
  });

  test('base64, as the gateway may hand it over', async () => {
    const event = eventOf(owner.workspaceId, 'POST', '/settings/forms', {
      rawBody: Buffer.from('{"name":"Büro"}').toString('base64'),
    });
    const response = await fixture.settings({ ...event, isBase64Encoded: true }, {} as Context);
    expect(JSON.parse(response.body as string)).toMatchObject({ name: 'Büro' });
  });
});

test('each request writes one log line, which names the route and no id except the workspace', async () => {
  const { body: form } = await owner.post('/forms', { body: { name: 'Form' } });
  const before = fixture.logLines.length;
  await owner.get(`/forms/${form.formId}`);
  expect(fixture.logLines.slice(before).map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 'INFO',
      code: 'settings.request',
      route: 'GET /settings/forms/{formId}',
      status: 200,
      requestId: expect.any(String),
      workspaceId: owner.workspaceId,
      userId: expect.any(String),
      area: 'settings',
      OwnerRequests: 1,
      OwnerFailures: 0,
      Latency: 0,
      answerBytes: expect.any(Number),
      _aws: {
        Timestamp: expect.any(Number),
        // By area, which has two values: never by workspace or by route.
        CloudWatchMetrics: [expect.objectContaining({ Namespace: 'LeadIngest', Dimensions: [['area']] })],
      },
    },
  ]);
});
