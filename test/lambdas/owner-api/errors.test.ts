import { describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { eventOf, openOwnerFixture } from './owner-fixture.ts';

const fixture = openOwnerFixture();
const owner = await fixture.newOwner();
const { formId } = (await owner.post('/forms', { body: { name: 'Form' } })).body;
const at = `/forms/${formId}`;

const MANY_FIELDS = Array.from({ length: 101 }, (_, n) => ({ key: `k${n}` }));

/** Below the form, except for /forms. */
const faulty: readonly (readonly [request: string, body: unknown, field: string, problem: RegExp])[] = [
  ['post /forms', {}, 'name', /is missing/],
  ['post /forms', { name: '' }, 'name', /1 to 100/],
  ['post /forms', { name: ' \t' }, 'name', /not white space/],
  ['post /forms', { name: 'x'.repeat(101) }, 'name', /1 to 100/],
  ['post /forms', { name: 1 }, 'name', /must be text/],
  ['post /forms', { name: 'x', slug: 's' }, 'slug', /not a known field/],
  ['post /forms', [], '', /must be an object/],
  ['post /forms', null, '', /must be an object/],
  ['patch', {}, '', /must contain at least one of/],
  ['patch', { workspaceId: 'ws' }, 'workspaceId', /not a known field/],
  ['patch', { archivedAt: null }, 'archivedAt', /not a known field/],
  ['patch', { active: 'false' }, 'active', /true or false/],
  ['patch', { active: null }, 'active', /true or false/],
  ...[0, 3_651, 1.5, '30'].map(
    (days) =>
      ['patch', { retentionDays: days }, 'retentionDays', /whole number from 1 to 3650, or null/] as const,
  ),
  ['patch', { fields: {} }, 'fields', /must be a list/],
  ['patch', { fields: MANY_FIELDS }, 'fields', /at most 100/],
  ['patch', { fields: [{ key: 'a' }, {}] }, 'fields[1].key', /is missing/],
  ['patch', { fields: [{ key: 'a', role: 'mail' }] }, 'fields[0].role', /one of email, phone/],
  ['patch', { fields: [{ key: 'a', required: true }] }, 'fields[0].required', /not a known/],
  ['patch', { fields: ['a'] }, 'fields[0]', /must be an object/],
  ['post /archive', { now: true }, 'now', /not a known field/],
  ['put /delivery/secret', { secret: 'x'.repeat(15) }, 'secret', /16 to 200/],
  ['put /delivery/secret', { secret: 'x'.repeat(201) }, 'secret', /16 to 200/],
  ['put /delivery/secret', { secret: `${'x'.repeat(16)}\n` }, 'secret', /white space/],
  ['put /delivery/secret', { secret: null }, 'secret', /must be text/],
  // Although these may have no body.
  ['put /delivery/secret', null, '', /must be an object/],
  ['post /delivery/rotate', null, '', /must be an object/],
  ['post /delivery/rotate', { graceSeconds: -1 }, 'graceSeconds', /0 to 604800/],
  ['post /delivery/rotate', { graceSeconds: 604_801 }, 'graceSeconds', /0 to 604800/],
  ['post /delivery/rotate', { graceSeconds: 0.5 }, 'graceSeconds', /whole number/],
  ['post /delivery/rotate', { graceSeconds: '1 h' }, 'graceSeconds', /whole number/],
  ['post /delivery/debug', {}, 'bodyBase64', /is missing/],
  ['post /delivery/debug', { bodyBase64: 'e30' }, 'bodyBase64', /base64/],
  ['post /delivery/debug', { bodyBase64: 'AAAA'.repeat(43_692) }, 'bodyBase64', /0 to 174764/],
  ['post /delivery/debug', { bodyBase64: '', timestamp: 1 }, 'timestamp', /must be text/],
];

describe('400 names the field and says what is wrong with it', () => {
  // A title has no body: some are long.
  const titled = faulty.map(([request, body, ...fault]) => [request, ...fault, body] as const);
  test.each(titled)('%s: “%s” %s', async (request, field, problem, body) => {
    const [method, path = ''] = request.split(' ');
    const call = owner[method as 'post'];
    const response = await call(path === '/forms' ? path : `${at}${path}`, { body });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
  });

  test('several at once: a token without a form, and with a type that cannot be chosen', async () => {
    const { body } = await owner.post('/tokens', { body: { type: 'browser' } });
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['type', 'formId']);
  });

  const NAMED: readonly (readonly [
    string,
    'post' | 'patch',
    () => string,
    (name: string) => object,
    string?,
  ])[] = [
    ['form', 'post', () => '/forms', (name) => ({ name })],
    ['renamed form', 'patch', () => at, (name) => ({ name })],
    ['field', 'patch', () => at, (label) => ({ fields: [{ key: 'a', label }] }), 'fields[0].label'],
    ['token', 'post', () => '/tokens', (name) => ({ formId, name })],
    ['API key', 'post', () => '/api-keys', (name) => ({ name, scopes: ['forms:read'] })],
    ['destination', 'post', () => '/destinations', (name) => ({ kind: 'webhook', url: RECEIVER, name })],
  ];
  const RECEIVER = 'https://receiver.example.com/leads';

  test.each([
    ['an escape', '\u001b[31mSales'],
    ['a line separator', 'Sales\u2028Score 100'],
    ['a mark that turns text around', 'Sales \u202egnp.exe'],
    ['half a character', 'Sales \ud83d'],
  ])('%s in a name', async (_character, name) => {
    const { body } = await owner.post('/forms', { body: { name }, beyondSchema: true });
    expect(body.errors).toEqual([
      { field: 'name', problem: expect.stringMatching(/^must not contain line/) },
    ]);
  });

  test.each(NAMED)(
    'a line break in the name of a %s',
    async (_what, method, path, bodyWith, field = 'name') => {
      const body = bodyWith('Sales\nScore 100, clean');
      const response = await owner[method](path(), { body, beyondSchema: true });
      expect(response.status).toBe(400);
      expect(response.body.errors).toEqual([
        { field, problem: expect.stringMatching(/^must not contain line/) },
      ]);
    },
  );

  test('a key that is configured twice', async () => {
    const body = { fields: [{ key: 'a' }, { key: 'b' }, { key: 'a' }] };
    const response = await owner.patch(at, { body, beyondSchema: true });
    expect(response.body.errors).toEqual([{ field: 'fields[2].key', problem: 'is configured twice' }]);
  });

  test.each<[path: string, query: Record<string, string>, field: string]>([
    ['/leads', { limit: '0' }, 'limit'],
    ['/leads', { limit: '51' }, 'limit'],
    ['/leads', { limit: 'ten' }, 'limit'],
    ['/leads', { limit: '1,2' }, 'limit'],
    ['/leads', { from: 'yesterday' }, 'from'],
    ['/leads', { to: '2026-02-30T00:00:00Z' }, 'to'],
    ['/leads', { from: '2026-11-15' }, 'from'],
    ['/leads', { clean: 'yes' }, 'clean'],
    ['/leads', { minScore: '101' }, 'minScore'],
    ['/leads', { maxScore: '-1' }, 'maxScore'],
    ['/leads', { minscore: '1' }, 'minscore'],
    ['/leads', { workspaceId: 'ws_other' }, 'workspaceId'],
    ['/leads/export', { format: 'xlsx' }, 'format'],
    ['/leads/export', { limit: '5' }, 'limit'],
    ['stats', { by: 'minute' }, 'by'],
    ['diagnostics', { by: 'day' }, 'by'],
    ['diagnostics/events', { limit: '101' }, 'limit'],
    ['diagnostics/events', { surface: '3' }, 'surface'],
    ['diagnostics/events', { reason: 'because' }, 'reason'],
    ['diagnostics/events', { form: '' }, 'form'],
    ['alerts', { status: 'closed' }, 'status'],
    ['alerts', { limit: '101' }, 'limit'],
    ['alerts', { kind: 'silence' }, 'kind'],
    ['workspace', { id: '1' }, 'id'],
    ['forms', { archived: 'yes' }, 'archived'],
    ['forms', { withArchived: 'true' }, 'withArchived'],
    // No schema can refuse these.
    ['/leads', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['/leads/export', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['diagnostics/events', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['activity', { cursor: 'e30' }, 'cursor'],
    ['stats', { from: '2026-01-01T00:00:00Z' }, 'from'],
    ['stats', { from: '2026-11-15T12:00:00Z', to: '2026-11-15T12:00:00Z' }, 'from'],
    ['diagnostics', { from: '2026-11-14T00:00:00Z', to: '2026-11-15T12:00:00Z', by: 'minute' }, 'from'],
  ])('%s with %j', async (path, query, field) => {
    const options = { query, beyondSchema: true };
    const response = await owner.get(path.startsWith('/') ? `${at}${path}` : `/${path}`, options);
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ field, problem: expect.any(String) }]);
  });
});

test.each(['/settings', '/settings/nothing', '/settings/forms/a/b', '/settings/diagnostics', '/'])(
  'the settings function returns 404 on %s',
  async (path) => {
    const response = await fixture.settings(eventOf(owner.workspaceId, 'GET', path), {} as Context);
    expect(response.statusCode).toBe(404);
  },
);

test('a defect gets a response with only the request id, and is logged without the request or the response', async () => {
  const CANARY = 'canary-77aa';
  fixture.calls.injectBefore(() => new Error(`about ${CANARY}`));
  const response = await owner.post('/forms', { body: { name: CANARY } });
  fixture.calls.injectBefore(undefined);
  expect(response.status).toBe(500);
  const lines = fixture.logLines.slice(-2).map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { level: 'ERROR', code: 'settings.defect', requestId: response.body.requestId, error: 'Error' },
    {
      code: 'settings.request',
      status: 500,
      route: 'POST /settings/forms',
      problem: 'internal-error',
      OwnerFailures: 1,
    },
  ]);
  expect(JSON.stringify(response.body) + fixture.logLines.join()).not.toContain(CANARY);
});
