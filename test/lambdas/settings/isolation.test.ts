import { beforeAll, describe, expect, test } from '@jest/globals';
import { signatureOf } from '#model/request-signature.ts';
import { OPERATIONS } from '../owner-api/api-document.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';
import { fillPath, oneOfEach } from './one-of-each.ts';

const fixture = openOwnerFixture();

let theirs: Sender;
let ours: Sender;
let ids: Record<string, string>;

const UNKNOWN: Record<string, string> = {
  formId: 'form_0000000000000000000000',
  tokenId: 'tok_0000000000000000000000',
  leadId: '019a0000-0000-7000-8000-000000000000',
  requestId: '00000000-0000-4000-8000-000000000000',
  destinationId: 'dest_0000000000000000000000',
  alertId: '019a0000-0000-7000-8000-000000000001',
  keyId: 'key_0000000000000000000000',
  memberId: 'mem_0000000000000000000000',
  messageId: 'msg_0000000000000000000000_019a0000000070008000000000000000_accepted',
};

beforeAll(async () => {
  [theirs, ours] = await Promise.all([fixture.newSender('Theirs'), fixture.newSender('Ours')]);
  const ingest = fixture.newEnvironment();
  const leadId = submissionId(await ingest.server(theirs));
  ids = await oneOfEach(fixture, theirs, leadId);
});

const withId = OPERATIONS.filter(({ path }) => path.includes('{'));

describe('an id of another workspace gets exactly the same response as one that does not exist', () => {
  test.each(withId)('$operationId', async ({ method, path, example }) => {
    const call = fixture.ownerOf(ours.workspaceId)[method.toLowerCase() as 'get'];
    fixture.calls.reset();
    const foreign = await call(fillPath(path, ids), { body: example });
    const foreignCalls = fixture.calls.commands();
    fixture.calls.reset();
    const unknown = await call(fillPath(path, UNKNOWN), { body: example });
    expect(foreign.status).toBe(404);
    expect([foreign.text, foreign.headers]).toEqual([unknown.text, unknown.headers]);
    // The calls of the service do not differ either.
    expect(foreignCalls).toEqual(fixture.calls.commands());
  });

  test('createToken', async () => {
    const owner = fixture.ownerOf(ours.workspaceId);
    const foreign = await owner.post('/tokens', { body: { formId: theirs.formId } });
    const unknown = await owner.post('/tokens', { body: { formId: UNKNOWN.formId } });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
  });

  test('and nothing has changed: a submission is still accepted', async () => {
    const ingest = fixture.newEnvironment();
    submissionId(await ingest.server(theirs));
    submissionId(await ingest.webhook(theirs));
    const owner = fixture.ownerOf(theirs.workspaceId);
    expect((await owner.get(`/forms/${theirs.formId}`)).body.name).toBe('Contact');
    expect((await owner.get(`/leads/${ids.leadId}`)).status).toBe(200);
    const { body } = await owner.get(`/destinations/${ids.destinationId}`);
    expect(body).toMatchObject({ name: 'receiver.example.com', status: 'active' });
    expect((await owner.get(`/messages/${ids.messageId}`)).status).toBe(200);
    expect((await owner.get(`/leads/${ids.leadId}/messages`)).body.messages).toHaveLength(2);
    expect((await owner.get(`/alerts/${ids.alertId}`)).status).toBe(200);
    expect(fixture.queued).toEqual([]);
  });
});

describe('lists contain only items of the workspace', () => {
  test('forms, deliveries, tokens, stats, diagnostics, events, destinations and alerts', async () => {
    const owner = fixture.ownerOf(ours.workspaceId);
    expect((await owner.get('/forms')).body.forms).toMatchObject([{ formId: ours.formId }]);
    expect((await owner.get('/deliveries')).body.deliveries).toMatchObject([{ formId: ours.formId }]);
    expect((await owner.get('/tokens')).body.tokens).toMatchObject([{ tokenId: ours.tokenId }]);
    expect((await owner.get('/stats')).body.total.accepted).toBe(0);
    expect((await owner.get('/diagnostics')).body.rejected.total).toBe(0);
    expect((await owner.get('/diagnostics/events')).body.events).toEqual([]);
    expect((await owner.get('/destinations')).body.destinations).toEqual([]);
    expect((await owner.get('/alerts')).body.alerts).toEqual([]);
    expect((await owner.get('/alerts', { query: { status: 'open' } })).body.alerts).toEqual([]);
  });

  test('archived forms', async () => {
    const lists = [];
    for (const { workspaceId } of [theirs, ours]) {
      const { formId } = await fixture.administration.createForm({ workspaceId, name: 'Archived' });
      const owner = fixture.ownerOf(workspaceId);
      await owner.post(`/forms/${formId}/archive`);
      const { body } = await owner.get('/forms', { query: { archived: 'true' } });
      lists.push({ listed: body.forms.map((form: { formId: string }) => form.formId), own: [formId] });
    }
    for (const { listed, own } of lists) expect(listed).toEqual(own);
  });

  test('a cursor of another workspace’s form is rejected', async () => {
    const their = fixture.ownerOf(theirs.workspaceId);
    await fixture.newEnvironment().server(theirs);
    const { body } = await their.get(`/forms/${theirs.formId}/leads`, { query: { limit: '1' } });
    expect(body.cursor).toBeDefined();
    const our = fixture.ownerOf(ours.workspaceId);
    const response = await our.get(`/forms/${ours.formId}/leads`, {
      query: { limit: '1', cursor: body.cursor },
      beyondSchema: true,
    });
    expect(response.status).toBe(400);
  });

  test('the debugger does not know the secrets of other workspaces', async () => {
    const timestamp = String(Math.floor(fixture.clock.now / 1000));
    const signature = signatureOf(theirs.secret, timestamp, Buffer.from('{}')).toString('hex');
    const { body } = await fixture
      .ownerOf(ours.workspaceId)
      .post(`/forms/${ours.formId}/delivery/debug`, { body: { timestamp, signature, bodyBase64: 'e30=' } });
    expect(body).toMatchObject({ decision: 'signature_mismatch', signature: 'unexplained', mistakes: [] });
  });

  test.each(['workspaceId', 'workspace_id', 'custom:workspace_id'])(
    '%s in a body is refused',
    async (name) => {
      const response = await fixture.ownerOf(ours.workspaceId).post('/forms', {
        body: { name: 'Form', [name]: theirs.workspaceId },
      });
      expect(response.body.errors).toMatchObject([{ field: name }]);
    },
  );
});
