import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { messageId } from '#sending/message.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { signatureOf } from '#submission/signed-request.ts';
import { until } from '../../until.ts';
import { SAMPLE, submissionId } from '../ingest/workbench.ts';
import { OPERATIONS } from './api-document.ts';
import { INGEST_URL, openOwnerWorkbench } from './owner-workbench.ts';
import { recordTableActions } from './table-actions.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const bench = openOwnerWorkbench(Date.parse(NOON));

const actions = recordTableActions(bench.calls, bench.stack.tables);

/** A workspace with nothing in it, and its owner. */
async function newOwner() {
  const { workspaceId } = await bench.administration.createWorkspace({ name: 'Analytical Engines' });
  return bench.ownerOf(workspaceId);
}

async function newForm() {
  const owner = await newOwner();
  const { body: form } = await owner.post('/forms', { body: { name: 'Contact us' } });
  return { owner, form, at: `/forms/${form.formId}` };
}

describe('workspace', () => {
  test('shows name, status and the use of both limits on both surfaces', async () => {
    const sender = await bench.newSender('Counted');
    const ingest = bench.newEnvironment();
    await ingest.server(sender);
    await ingest.webhook(sender);
    await ingest.webhook(sender);
    const { status, body, headers } = await bench.ownerOf(sender.workspaceId).get('/workspace');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(body).toEqual({
      workspaceId: sender.workspaceId,
      name: 'Counted',
      status: 'active',
      surfaces: [
        {
          surface: '1a',
          minute: { used: 1, limit: 1000, endsAt: '2026-11-15T12:01:00.000Z' },
          day: { used: 1, limit: 50000, endsAt: '2026-11-16T00:00:00.000Z' },
        },
        {
          surface: '1b',
          minute: { used: 2, limit: 1000, endsAt: '2026-11-15T12:01:00.000Z' },
          day: { used: 2, limit: 50000, endsAt: '2026-11-16T00:00:00.000Z' },
        },
      ],
    });
  });

  test('is not found when the claim names none that exists', async () => {
    expect((await bench.ownerOf('ws_gone').get('/workspace')).status).toBe(404);
  });
});

describe('forms', () => {
  test('are made with a slug, listed and read', async () => {
    const { owner, form, at } = await newForm();
    expect(form).toEqual({
      formId: expect.stringMatching(/^form_/),
      name: 'Contact us',
      slug: expect.stringMatching(/^contact-us-[0-9a-f]{10}$/),
      url: `${INGEST_URL}/api/v1/ingest/${form.slug}`,
      active: true,
      createdAt: NOON,
      fields: [],
      retentionDays: null,
    });
    expect((await owner.get(at)).body).toEqual(form);
    const { fields: _fields, retentionDays: _retentionDays, ...listed } = form;
    expect((await owner.get('/forms')).body).toEqual({ forms: [listed] });
  });

  test('are renamed, configured and switched, each change leaving the rest alone', async () => {
    const { owner, form, at } = await newForm();
    const fields = [{ key: 'work_mail', label: 'E-mail', role: 'email' }, { key: '__proto__' }];
    await owner.patch(at, { body: { name: '  Talk to us ' } });
    await owner.patch(at, { body: { fields } });
    const { body } = await owner.patch(at, { body: { active: false } });
    expect(body).toEqual({ ...form, name: 'Talk to us', fields, active: false });
    expect((await owner.get(at)).body).toEqual(body);
    expect((await owner.patch(at, { body: { active: true, fields: [] } })).body).toMatchObject({
      active: true,
      fields: [],
    });
  });

  test('are archived for good and go over to the list of archived ones', async () => {
    const { owner, at } = await newForm();
    const { body: other } = await owner.post('/forms', { body: { name: 'Newsletter' } });
    const listed = async (query = {}) =>
      (await owner.get('/forms', { query })).body.forms.map(
        ({ formId, archivedAt }: { formId: string; archivedAt?: string }) => [formId, archivedAt],
      );
    expect(await listed({ archived: 'true' })).toEqual([]);
    const { body: archived } = await owner.post(`${at}/archive`);
    expect(archived).toMatchObject({ active: false, archivedAt: NOON });
    bench.clock.now += 1000;
    expect((await owner.post(`${at}/archive`, { body: {} })).body.archivedAt).toBe(NOON);
    bench.clock.now -= 1000;
    expect(await listed()).toEqual([[other.formId, undefined]]);
    expect(await listed({ archived: 'false' })).toEqual(await listed());
    expect(await listed({ archived: 'true' })).toEqual([[archived.formId, NOON]]);
    expect((await owner.get(at)).body).toEqual(archived);
    expect((await owner.patch(at, { body: { active: true } })).status).toBe(409);
    expect((await owner.put(`${at}/delivery/secret`)).status).toBe(409);
    expect((await owner.post(`${at}/delivery/rotate`)).status).toBe(409);
    expect((await owner.post('/tokens', { body: { formId: archived.formId } })).status).toBe(409);
  });
});

describe('tokens', () => {
  test('are shown once, listed with their last use, and revoked', async () => {
    const { owner, form } = await newForm();
    const { body: made, status } = await owner.post('/tokens', {
      body: { formId: form.formId, name: 'Web shop' },
    });
    const { token, ...rest } = made;
    expect(status).toBe(201);
    expect(rest).toEqual({
      tokenId: expect.stringMatching(/^tok_/),
      formId: form.formId,
      type: 'server',
      name: 'Web shop',
      createdAt: NOON,
      lastFour: token.slice(-4),
    });
    expect((await owner.get('/tokens')).body).toEqual({ tokens: [rest] });
    await bench.noteUse(owner.workspaceId, `token#${made.tokenId}`, NOON);
    expect((await owner.get('/tokens')).body).toEqual({ tokens: [{ ...rest, lastUsedAt: NOON }] });
    const revoked = { tokenId: made.tokenId, revokedAt: NOON };
    expect((await owner.delete(`/tokens/${made.tokenId}`)).body).toEqual(revoked);
    bench.clock.now += 1000;
    expect((await owner.delete(`/tokens/${made.tokenId}`)).body).toEqual(revoked);
    bench.clock.now -= 1000;
    expect((await owner.get('/tokens')).body.tokens[0].revokedAt).toBe(NOON);
  });

  test('have a name of their own accord', async () => {
    const { owner, form } = await newForm();
    const { body } = await owner.post('/tokens', { body: { formId: form.formId } });
    expect(body.name).toBe('server token');
  });
});

describe('delivery settings', () => {
  test('tell whether there is a secret and never what it is', async () => {
    const { owner, form, at } = await newForm();
    const address = { formId: form.formId, url: form.url };
    expect((await owner.get(`${at}/delivery`)).body).toEqual({ ...address, secret: { isSet: false } });
    expect((await owner.post(`${at}/delivery/rotate`)).status).toBe(409);
    expect((await owner.post(`${at}/delivery/rotate`, { body: { graceSeconds: 60 } })).status).toBe(409);
    const { body: generated } = await owner.put(`${at}/delivery/secret`);
    expect(generated).toEqual({ formId: form.formId, secret: expect.stringMatching(/^whsec_/) });
    const { body: own } = await owner.put(`${at}/delivery/secret`, { body: { secret: 'sixteen letters!' } });
    expect(own).toEqual({ formId: form.formId });
    expect((await owner.get(`${at}/delivery`)).body).toEqual({
      ...address,
      secret: { isSet: true, setAt: NOON },
    });
  });

  test('show the grace period of a rotation, and end it', async () => {
    const { owner, at } = await newForm();
    await owner.put(`${at}/delivery/secret`);
    const { body: rotated } = await owner.post(`${at}/delivery/rotate`, { body: { graceSeconds: 604_800 } });
    expect(rotated.previousWorksUntil).toBe('2026-11-22T12:00:10.000Z');
    expect((await owner.get(`${at}/delivery`)).body.previousSecret).toEqual({
      worksUntil: '2026-11-22T12:00:10.000Z',
    });
    expect((await owner.delete(`${at}/delivery/previous-secret`)).body.previousSecret).toBeUndefined();
    expect((await owner.delete(`${at}/delivery/previous-secret`)).status).toBe(200);
    expect((await owner.post(`${at}/delivery/rotate`)).body.previousWorksUntil).toBeUndefined();
  });

  test('are listed for all forms as each form shows them', async () => {
    const { owner, form, at } = await newForm();
    await owner.put(`${at}/delivery/secret`);
    await owner.post(`${at}/delivery/rotate`, { body: { graceSeconds: 60 } });
    await bench.noteUse(owner.workspaceId, `secret#${form.formId}#previous`, NOON);
    bench.clock.now += 1000;
    const { body: bare } = await owner.post('/forms', { body: { name: 'Without a secret' } });
    const { body: gone } = await owner.post('/forms', { body: { name: 'Gone' } });
    await owner.post(`/forms/${gone.formId}/archive`);
    bench.clock.now -= 1000;
    const { body } = await owner.get('/deliveries');
    expect(body.deliveries).toMatchObject([
      { formId: form.formId, secret: { isSet: true }, previousSecret: { lastUsedAt: NOON } },
      { formId: bare.formId, secret: { isSet: false } },
    ]);
    const one = async (formId: string) => (await owner.get(`/forms/${formId}/delivery`)).body;
    expect(body.deliveries).toEqual([await one(form.formId), await one(bare.formId)]);
  });

  test('end no grace where there is no secret', async () => {
    const { owner, at } = await newForm();
    expect((await owner.delete(`${at}/delivery/previous-secret`)).body.secret).toEqual({ isSet: false });
  });

  test('explain a signature that is wrong', async () => {
    const { owner, at } = await newForm();
    const { body: set } = await owner.put(`${at}/delivery/secret`);
    const timestamp = String(Math.floor(bench.clock.now / 1000));
    const bodyBase64 = Buffer.from(SAMPLE).toString('base64');
    const sign = (secret: string) => signatureOf(secret, timestamp, Buffer.from(SAMPLE)).toString('hex');
    const debug = async (signature: string) =>
      (await owner.post(`${at}/delivery/debug`, { body: { timestamp, signature, bodyBase64 } })).body;
    expect(await debug(sign(set.secret))).toMatchObject({ decision: 'accepted', signature: 'right' });
    expect(await debug(sign(`${set.secret}\n`))).toMatchObject({
      decision: 'signature_mismatch',
      signature: 'explained',
      mistakes: [{ name: 'secret_with_whitespace' }],
    });
    const { body: other } = await owner.post('/forms', { body: { name: 'Other' } });
    const { body: otherSecret } = await owner.put(`/forms/${other.formId}/delivery/secret`);
    expect(await debug(sign(otherSecret.secret))).toMatchObject({
      mistakes: [{ name: 'secret_of_another_form', formId: other.formId }],
    });
    await owner.patch(at, { body: { active: false } });
    expect(await debug(sign(set.secret))).toMatchObject({ decision: 'form_inactive', signature: 'right' });
    const nothing = await owner.post(`${at}/delivery/debug`, { body: { bodyBase64: '' } });
    expect(nothing.body.signature).toBe('unexplained');
  });
});

describe('a test', () => {
  test('is sent signed, and becomes a lead that is known as a test', async () => {
    const { owner, form, at } = await newForm();
    await owner.put(`${at}/delivery/secret`);
    const { body } = await owner.post(`${at}/test`, { body: { body: { email: 'ada@example.com' } } });
    expect(body).toMatchObject({ outcome: 'accepted', status: 202, sent: { url: form.url } });
    expect((await owner.get(`/leads/${body.submissionId}`)).body).toMatchObject({
      surface: '1b',
      test: true,
    });
  });
});

describe('leads', () => {
  test('are listed, read whole, exported and erased', async () => {
    const sender = await bench.newSender();
    const owner = bench.ownerOf(sender.workspaceId);
    const leadId = submissionId(await bench.newEnvironment().server(sender));
    const { body: page } = await owner.get(`/forms/${sender.formId}/leads`, { query: { limit: '5' } });
    expect(page).toMatchObject({
      columns: ['name', 'email', 'company'],
      rows: [{ submissionId: leadId, surface: '1a' }],
    });
    const { body: lead } = await owner.get(`/leads/${leadId}`);
    expect(lead).toMatchObject({ submissionId: leadId, formId: sender.formId, body: SAMPLE });

    const csv = await owner.get(`/forms/${sender.formId}/leads/export`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${sender.slug}.csv"`,
    });
    expect(csv.text).toContain('Ada Byron,ada@analytical-engines.co.uk');
    const ndjson = await owner.get(`/forms/${sender.formId}/leads/export`, { query: { format: 'ndjson' } });
    expect(JSON.parse(ndjson.text)).toMatchObject({ submission_id: leadId, body: JSON.parse(SAMPLE) });

    expect((await owner.delete(`/leads/${leadId}`)).status).toBe(204);
    expect((await owner.delete(`/leads/${leadId}`)).status).toBe(404);
    expect((await owner.get(`/leads/${leadId}`)).status).toBe(404);
    expect(await bench.leadById(leadId)).toBeUndefined();
  });

  test('are counted by hour and by day', async () => {
    const owner = await newOwner();
    const Item = {
      workspaceId: owner.workspaceId,
      sk: 'hour#2026-11-15T11Z#form_1',
      accepted: 3,
      clean: 2,
      band0: 1,
      band80: 2,
    };
    await bench.observer.send(new PutCommand({ TableName: bench.stack.tables.stats, Item }));
    const { body } = await owner.get('/stats');
    expect(body).toMatchObject({ by: 'hour', from: '2026-11-14T12:00:00Z', to: '2026-11-15T13:00:00Z' });
    expect(body.counts).toEqual([
      { at: '2026-11-15T11:00:00Z', formId: 'form_1', accepted: 3, clean: 2, bands: [1, 0, 0, 0, 2] },
    ]);
    const range = { from: '2026-11-01T00:00:00Z', to: '2026-11-16T00:00:00+00:00', by: 'day' };
    const { body: days } = await owner.get('/stats', { query: range });
    expect(days.counts).toMatchObject([{ at: '2026-11-15T00:00:00Z', accepted: 3 }]);
  });
});

describe('destinations and messages', () => {
  test('are made, changed, tried, listed, replayed and deleted', async () => {
    const sender = await bench.newSender();
    const owner = bench.ownerOf(sender.workspaceId);
    const leadId = submissionId(await bench.newEnvironment().server(sender));
    const { body: made } = await owner.post('/destinations', {
      body: { kind: 'webhook', url: 'https://receiver.example.com/', forms: [sender.formId] },
    });
    const { destinationId } = made;
    const at = `/destinations/${destinationId}`;
    expect((await owner.get('/destinations')).body.destinations).toEqual([(await owner.get(at)).body]);
    await owner.patch(at, { body: { name: 'CRM' } });
    await owner.post(`${at}/rotate`);
    await owner.post(`${at}/test`);
    const key = { destinationId, leadId, type: 'lead.accepted' } as const;
    const { write } = makeMessages({ client: bench.observer, tables: bench.stack.tables });
    const delivered = { status: 'delivered', attempts: [], countedAttempts: 1, createdAt: NOON } as const;
    const message = { ...key, ...delivered, workspaceId: owner.workspaceId };
    await write(message, undefined, AbortSignal.timeout(10_000));
    const { body: shown } = await owner.get(`/messages/${messageId(key)}`);
    expect((await owner.get(`${at}/messages`)).body.messages).toEqual([shown]);
    expect((await owner.get(`/leads/${leadId}/messages`)).body.messages).toEqual([shown]);
    await owner.post(`/messages/${messageId(key)}/replay`);
    await owner.post(`${at}/replay`, { body: { since: NOON } });
    expect(bench.queued.map(({ task }) => task)).toEqual(['send', 'send', 'replay']);
    expect((await owner.delete(at)).status).toBe(204);
    expect(bench.queued.at(-1)).toMatchObject({ task: 'forgetAll', destinationId });
  });
});

describe('diagnostics', () => {
  test('count rejections, show them, and find one by the id that its sender saw', async () => {
    const sender = await bench.newSender();
    const owner = bench.ownerOf(sender.workspaceId);
    await bench.newEnvironment().webhook({ ...sender, secret: 'not the secret' });
    const { body: counts } = await until(
      () => owner.get('/diagnostics', { query: { by: 'minute' } }),
      ({ body }) => body.rejected.total > 0,
    );
    expect(counts).toMatchObject({ rateLimited: { total: 0 }, reusedKeys: { total: 0 } });
    expect(counts).toMatchObject({ newestAt: expect.any(String), newestCountedAt: expect.any(String) });
    expect(counts.rejected.counts).toEqual([
      {
        at: '2026-11-15T12:00:00Z',
        surface: '1b',
        formId: sender.formId,
        reason: 'signature_mismatch',
        authenticated: false,
        count: 1,
      },
    ]);
    const { body: events } = await owner.get('/diagnostics/events', { query: { limit: '10' } });
    expect(events.events).toMatchObject([{ reason: 'signature_mismatch', formId: sender.formId }]);
    const { requestId } = events.events[0];
    expect((await owner.get(`/diagnostics/requests/${requestId}`)).body).toEqual({
      ...events.events[0],
      otherMatches: [],
    });
    const unknown = await owner.get('/diagnostics/requests/00000000-0000-0000-0000-000000000000');
    expect(unknown.status).toBe(404);
    expect(unknown.body.detail).toMatch(/No rejection with this request id is kept/);
  });

  test('show the rejections of a surface, a form or a reason alone', async () => {
    const sender = await bench.newSender();
    const owner = bench.ownerOf(sender.workspaceId);
    const environment = bench.newEnvironment();
    await environment.webhook({ ...sender, secret: 'not the secret' });
    await environment.server(sender, { body: '[]' });
    await until(
      () => owner.get('/diagnostics/events'),
      ({ body }) => body.events.length === 2,
    );
    const reasonsOf = async (query: Record<string, string>) => {
      const { body } = await owner.get('/diagnostics/events', { query });
      return body.events.map(({ reason }: { reason: string }) => reason);
    };
    expect(await reasonsOf({ surface: '1b' })).toEqual(['signature_mismatch']);
    expect(await reasonsOf({ reason: 'body_not_object' })).toEqual(['body_not_object']);
    expect(await reasonsOf({ surface: '1b', reason: 'body_not_object' })).toEqual([]);
    expect((await reasonsOf({ form: sender.formId })).sort()).toEqual([
      'body_not_object',
      'signature_mismatch',
    ]);
    expect(await reasonsOf({ form: 'none' })).toEqual([]);
    expect(await reasonsOf({ form: 'form_of_nobody' })).toEqual([]);
  });

  test.each([
    ['surface', '2', /must be one of 1a, 1b/],
    ['reason', 'because', /must be one of token_missing, /],
    ['form', '', /must have 1 to/],
  ])('refuse events of %s %j', async (field, value, problem) => {
    const owner = await newOwner();
    const { status, body } = await owner.get('/diagnostics/events', { query: { [field]: value } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
  });
});

describe('every operation', () => {
  test.each(OPERATIONS.map(({ operationId, method, path }) => [operationId, method, path] as const))(
    '%s takes ID tokens of a workspace only',
    async (_operationId, method, path) => {
      const call = bench.ownerOf('ws_nobody')[method.toLowerCase() as 'get'];
      const at = path.replace('/settings', '').replace(/\{\w+\}/g, 'x');
      expect((await call(at, { claims: { token_use: 'access' } })).status).toBe(401);
      expect((await call(at, { claims: { token_use: undefined } })).status).toBe(401);
      expect((await call(at, { claims: { 'custom:workspace_id': undefined } })).status).toBe(403);
      expect((await call(at, { claims: { 'custom:workspace_id': '' } })).status).toBe(403);
    },
  );

  test('has succeeded in the tests above, as documented', () => {
    const succeeded = OPERATIONS.filter(({ operationId, statuses }) =>
      statuses
        .filter((status) => status < '300')
        .every((status) => bench.exercised.has(`${operationId} ${status}`)),
    );
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(
      OPERATIONS.map(({ operationId }) => operationId),
    );
  });

  test('together need these permissions and no other', () => {
    expect([...actions].sort()).toEqual([
      // Secrets of destinations are written and deleted, and cannot be read.
      'destinationSecrets DeleteItem',
      'destinationSecrets PutItem',
      'destinationSecrets UpdateItem',
      'destinations DeleteItem',
      'destinations GetItem',
      'destinations PutItem',
      'destinations Query',
      'diagnostics Query',
      'formSecrets BatchGetItem',
      'formSecrets GetItem',
      'formSecrets UpdateItem',
      'forms GetItem',
      'forms PutItem',
      'forms UpdateItem',
      'forms/byWorkspace Query',
      'leads BatchGetItem',
      'leads DeleteItem',
      'leads GetItem',
      'leads PutItem',
      'leads/byForm Query',
      'messages BatchGetItem',
      'messages Query',
      'rejections Query',
      'stats Query',
      'tokens GetItem',
      'tokens PutItem',
      'tokens UpdateItem',
      'tokens/byWorkspace Query',
      'unauthenticatedRejections Query',
      'workspaces GetItem',
      'workspaces UpdateItem',
    ]);
  });
});
