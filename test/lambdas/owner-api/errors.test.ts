import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { eventOf, type Owner, openOwnerFixture } from './owner-fixture.ts';

const fixture = openOwnerFixture();
let owner: Owner;
let at: string;
let formId: string;

beforeAll(async () => {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Errors' });
  owner = fixture.ownerOf(workspaceId);
  formId = (await owner.post('/forms', { body: { name: 'Form' } })).body.formId;
  at = `/forms/${formId}`;
});

type Fault = readonly [field: string, problem: RegExp];

const faulty: readonly (readonly [
  what: string,
  method: 'post' | 'put' | 'patch',
  path: string,
  body: unknown,
  ...Fault[],
])[] = [
  ['a form without a name', 'post', '/forms', {}, ['name', /is missing/]],
  ['a form with an empty name', 'post', '/forms', { name: '' }, ['name', /1 to 100/]],
  ['a form with a blank name', 'post', '/forms', { name: ' \t' }, ['name', /not white space/]],
  ['a form with a long name', 'post', '/forms', { name: 'x'.repeat(101) }, ['name', /1 to 100/]],
  ['a form whose name is a number', 'post', '/forms', { name: 1 }, ['name', /must be text/]],
  [
    'a form that brings its own slug',
    'post',
    '/forms',
    { name: 'x', slug: 's' },
    ['slug', /not a known field/],
  ],
  ['a list for a body', 'post', '/forms', [], ['', /must be an object/]],
  ['null for a body', 'post', '/forms', null, ['', /must be an object/]],
  ['no change', 'patch', '', {}, ['', /must contain at least one of/]],
  ['a change of the workspace', 'patch', '', { workspaceId: 'ws' }, ['workspaceId', /not a known field/]],
  ['a change of archivedAt', 'patch', '', { archivedAt: null }, ['archivedAt', /not a known field/]],
  ['active that is text', 'patch', '', { active: 'false' }, ['active', /true or false/]],
  ['active that is null', 'patch', '', { active: null }, ['active', /true or false/]],
  ['fields that are no list', 'patch', '', { fields: {} }, ['fields', /must be a list/]],
  [
    'too many fields',
    'patch',
    '',
    { fields: Array.from({ length: 101 }, (_, n) => ({ key: `k${n}` })) },
    ['fields', /at most 100/],
  ],
  ['a field without a key', 'patch', '', { fields: [{ key: 'a' }, {}] }, ['fields[1].key', /is missing/]],
  [
    'a field with an unknown role',
    'patch',
    '',
    { fields: [{ key: 'a', role: 'mail' }] },
    ['fields[0].role', /one of email, phone/],
  ],
  [
    'a field with an unknown part',
    'patch',
    '',
    { fields: [{ key: 'a', required: true }] },
    ['fields[0].required', /not a known/],
  ],
  ['a field that is text', 'patch', '', { fields: ['a'] }, ['fields[0]', /must be an object/]],
  [
    'two faults at once',
    'patch',
    '',
    { name: '', active: 1 },
    ['name', /1 to 100/],
    ['active', /true or false/],
  ],
  ['archiving with a body', 'post', '/archive', { now: true }, ['now', /not a known field/]],
  [
    'a secret of 15 characters',
    'put',
    '/delivery/secret',
    { secret: 'x'.repeat(15) },
    ['secret', /16 to 200/],
  ],
  [
    'a secret of 201 characters',
    'put',
    '/delivery/secret',
    { secret: 'x'.repeat(201) },
    ['secret', /16 to 200/],
  ],
  [
    'a secret with a newline',
    'put',
    '/delivery/secret',
    { secret: `${'x'.repeat(16)}\n` },
    ['secret', /white space/],
  ],
  ['a secret that is null', 'put', '/delivery/secret', { secret: null }, ['secret', /must be text/]],
  ['a grace below 0', 'post', '/delivery/rotate', { graceSeconds: -1 }, ['graceSeconds', /0 to 604800/]],
  [
    'a grace over 7 days',
    'post',
    '/delivery/rotate',
    { graceSeconds: 604_801 },
    ['graceSeconds', /0 to 604800/],
  ],
  [
    'half a second of grace',
    'post',
    '/delivery/rotate',
    { graceSeconds: 0.5 },
    ['graceSeconds', /whole number/],
  ],
  ['a grace in words', 'post', '/delivery/rotate', { graceSeconds: '1 h' }, ['graceSeconds', /whole number/]],
  ['no body to debug', 'post', '/delivery/debug', {}, ['bodyBase64', /is missing/]],
  [
    'a body to debug that is no base64',
    'post',
    '/delivery/debug',
    { bodyBase64: 'e30' },
    ['bodyBase64', /base64/],
  ],
  [
    'a body to debug that is too long',
    'post',
    '/delivery/debug',
    { bodyBase64: 'AAAA'.repeat(43_692) },
    ['bodyBase64', /0 to 174764/],
  ],
  [
    'a timestamp that is a number',
    'post',
    '/delivery/debug',
    { bodyBase64: '', timestamp: 1 },
    ['timestamp', /must be text/],
  ],
];

describe('400 names the field and says what is wrong with it', () => {
  test.each(faulty)('%s', async (_what, method, path, body, ...faults) => {
    const call = owner[method];
    const response = await call(path.startsWith('/forms') ? path : `${at}${path}`, { body });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual(
      faults.map(([field, problem]) => ({ field, problem: expect.stringMatching(problem) })),
    );
  });

  test('a token without a form, and with a type that cannot be chosen', async () => {
    const { body } = await owner.post('/tokens', { body: { type: 'browser' } });
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['type', 'formId']);
  });

  const HIDDEN = [
    ['a line break', 'Sales\nScore 100, clean'],
    ['an escape', '\u001b[31mSales'],
    ['a line separator', 'Sales\u2028Score 100'],
    ['a mark that turns text around', 'Sales \u202egnp.exe'],
    ['half a character', 'Sales \ud83d'],
  ] as const;
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

  describe.each(NAMED)('the name of a %s', (_what, method, path, bodyWith, field = 'name') => {
    test.each(HIDDEN)('with %s', async (_character, name) => {
      const response = await owner[method](path(), { body: bodyWith(name), beyondSchema: true });
      expect(response.status).toBe(400);
      expect(response.body.errors).toEqual([
        { field, problem: expect.stringMatching(/^must not contain line/) },
      ]);
    });
  });

  test.each(['secret', 'rotate'])('null, although %s may have no body', async (what) => {
    const call = what === 'secret' ? owner.put : owner.post;
    const response = await call(`${at}/delivery/${what}`, { body: null });
    expect(response.body.errors).toEqual([{ field: '', problem: 'must be an object' }]);
  });

  test('a key that is configured twice', async () => {
    const body = { fields: [{ key: 'a' }, { key: 'b' }, { key: 'a' }] };
    const response = await owner.patch(at, { body, beyondSchema: true });
    expect(response.body.errors).toEqual([{ field: 'fields[2].key', problem: 'is configured twice' }]);
  });

  const queries: readonly (readonly [path: string, query: Record<string, string>, field: string])[] = [
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
    ['workspace', { id: '1' }, 'id'],
    ['forms', { archived: 'yes' }, 'archived'],
    ['forms', { withArchived: 'true' }, 'withArchived'],
  ];

  test.each(queries)('%s with %j', async (path, query, field) => {
    const response = await owner.get(path.startsWith('/') ? `${at}${path}` : `/${path}`, { query });
    expect(response.status).toBe(400);
    expect(response.body.errors).toEqual([{ field, problem: expect.any(String) }]);
  });

  const beyond: readonly (readonly [path: string, query: Record<string, string>, field: string])[] = [
    ['/leads', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['/leads/export', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['diagnostics/events', { cursor: 'bm90IG91cnM' }, 'cursor'],
    ['stats', { from: '2026-01-01T00:00:00Z' }, 'from'],
    ['stats', { from: '2026-11-15T12:00:00Z', to: '2026-11-15T12:00:00Z' }, 'from'],
    ['diagnostics', { from: '2026-11-14T00:00:00Z', to: '2026-11-15T12:00:00Z', by: 'minute' }, 'from'],
  ];

  test.each(beyond)('%s with %j, which no schema can refuse', async (path, query, field) => {
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
