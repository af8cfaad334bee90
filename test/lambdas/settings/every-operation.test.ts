import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { recordTableActions } from '../../recorded-calls/iam-actions.ts';
import { until } from '../../until.ts';
import { indexNow } from '../leads/lead-fixture.ts';
import { OPERATIONS } from '../owner-api/api-document.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { SAMPLE, submissionId } from '../submission/submission-fixture.ts';
import { NOON, testFormOperations } from './form-operations.ts';
import { testDiagnosticsOperations, testReviewOperations } from './lead-operations.ts';
import { testProviderOperations } from './provider-operations.ts';
import { testAccessOperations, testSendingOperations } from './workspace-operations.ts';

const fixture = openOwnerFixture(Date.parse(NOON));

const actions = recordTableActions(fixture.calls, fixture.stack.tables);

/** The owner of a new, empty workspace. */
async function newOwner() {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Analytical Engines' });
  return fixture.ownerOf(workspaceId);
}

testFormOperations(fixture, newOwner);
testProviderOperations(fixture, newOwner);
testAccessOperations(fixture, newOwner);

describe('leads', () => {
  test('are listed, read whole, exported and erased', async () => {
    const sender = await fixture.newSender();
    const owner = fixture.ownerOf(sender.workspaceId);
    const leadId = submissionId(await fixture.newEnvironment().server(sender));
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
    expect(await fixture.leadById(leadId)).toBeUndefined();
  });

  test('are listed for the whole workspace and searched, until they are erased', async () => {
    const sender = await fixture.newSender();
    const owner = fixture.ownerOf(sender.workspaceId);
    const leadId = submissionId(await fixture.newEnvironment().server(sender));
    // The stack of the test run indexes them in the background.
    const { body } = await until(
      () => owner.get('/leads'),
      ({ body: page }) => page.leads.length === 1,
    );
    const [lead] = body.leads;
    expect(lead).toMatchObject({ submissionId: leadId, formId: sender.formId, surface: '1a' });
    expect(lead).toMatchObject({ name: 'Ada Byron', email: 'ada@analytical-engines.co.uk' });
    const found = async (query: Record<string, string>) =>
      (await owner.get('/leads', { query })).body.leads.map(
        (each: { submissionId: string }) => each.submissionId,
      );
    const { clean, score } = lead;
    const same = {
      clean: String(clean),
      minScore: String(score),
      maxScore: String(score),
      form: sender.formId,
    };
    const times = { from: '2026-11-15T12:00:00Z', to: '2026-11-15T13:00:00Z', limit: '5' };
    expect(await found({ q: 'byr analytical', ...same, ...times })).toEqual([leadId]);
    expect(await found({ q: 'babbage' })).toEqual([]);
    expect(await found({ form: 'form_none' })).toEqual([]);
    expect((await owner.delete(`/leads/${leadId}`)).status).toBe(204);
    // The indexer may be at work on the same lead, and removes what it has written.
    const isNone = (left: string[]) => left.length === 0;
    expect(await until(() => found({ q: 'byron' }), isNone)).toEqual([]);
    expect(await until(() => found({}), isNone)).toEqual([]);
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
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.stats, Item }));
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

describe('people', () => {
  const { lead } = indexNow(fixture);

  test('have related leads, and are exported and erased', async () => {
    const sender = await fixture.newSender();
    const owner = fixture.ownerOf(sender.workspaceId);
    const [first, second] = [await lead(sender, JSON.parse(SAMPLE)), await lead(sender, JSON.parse(SAMPLE))];
    const { email } = JSON.parse(SAMPLE) as { email: string };
    const { body: related } = await owner.get(`/leads/${first}/related`);
    expect(related).toMatchObject({ leads: [{ submissionId: second, sameEmail: true }], more: false });
    const { text } = await owner.post('/people/export', { body: { email } });
    expect(text.split('\n').filter(Boolean)).toHaveLength(2);
    const { body: erasure } = await owner.post('/people/erase', { body: { email } });
    expect(erasure).toMatchObject({
      erased: [{ submissionId: second }, { submissionId: first }],
      complete: true,
    });
  });
});

testReviewOperations(fixture);
testSendingOperations(fixture, newOwner);
testDiagnosticsOperations(fixture, newOwner);

describe('every operation', () => {
  test.each(OPERATIONS.map(({ operationId, method, path }) => [operationId, method, path] as const))(
    '%s does nothing unless the authorizer says for whom',
    async (_operationId, method, path) => {
      const call = fixture.ownerOf('ws_nobody')[method.toLowerCase() as 'get'];
      const at = path.replace('/settings', '').replace(/\{\w+\}/g, 'x');
      for (const missing of ['workspaceId', 'actor', 'actorName', 'role']) {
        expect((await call(at, { authorized: { [missing]: undefined } })).status).toBe(401);
      }
      expect((await call(at, { authorized: { workspaceId: '' } })).status).toBe(401);
      expect((await call(at, { authorized: { role: 'admin' } })).status).toBe(401);
      expect((await call(at, { authorized: { actor: 'somebody' } })).status).toBe(401);
    },
  );

  test('has succeeded in the tests above, as documented', () => {
    const succeeded = OPERATIONS.filter(({ operationId, statuses }) =>
      statuses
        .filter((status) => status < '300')
        .every((status) => fixture.exercised.has(`${operationId} ${status}`)),
    );
    expect(succeeded.map(({ operationId }) => operationId)).toEqual(
      OPERATIONS.map(({ operationId }) => operationId),
    );
  });

  test('together need exactly these permissions', () => {
    expect([...actions].sort()).toEqual([
      'activity PutItem',
      'activity Query',
      'alerts BatchGetItem',
      'alerts GetItem',
      'alerts PutItem',
      'alerts Query',
      'alerts UpdateItem',
      'apiKeys GetItem',
      'apiKeys PutItem',
      'apiKeys UpdateItem',
      'apiKeys/byWorkspace Query',
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
      'leadIndex BatchGetItem',
      'leadIndex BatchWriteItem',
      'leadIndex PutItem',
      'leadIndex Query',
      'leads BatchGetItem',
      'leads DeleteItem',
      'leads GetItem',
      'leads PutItem',
      'leads UpdateItem',
      'leads/byForm Query',
      'members ConditionCheckItem',
      'members PutItem',
      'members Query',
      'members UpdateItem',
      'messages BatchGetItem',
      'messages Query',
      'messages/byDueTime Query',
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
