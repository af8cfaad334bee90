import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { makeMessages } from '#sending/messages-store.ts';
import { setAttributes } from '../../stored-items.ts';
import { openOwnerFixture, type Responded } from '../owner-api/owner-fixture.ts';
import type { Sender } from '../submission/submission-fixture.ts';
import { indexNow } from './lead-fixture.ts';

const ANN = 'ann@acme-tools.de';

describe('one person', () => {
  const fixture = openOwnerFixture();
  const { lead, leads } = indexNow(fixture);
  const ownerOf = ({ workspaceId }: Sender) => fixture.ownerOf(workspaceId);

  type Erased = { submissionId: string; formId: string; receivedAt: string };

  /** Calls until the response is complete, as a caller does. */
  async function erase(sender: Sender, email: string) {
    const erased: Erased[] = [];
    let calls = 0;
    let cursor: string | undefined;
    for (;;) {
      const request = { email, cursor, mentioned: 'keep' };
      const { status, body } = await ownerOf(sender).post('/people/erase', { body: request });
      expect(status).toBe(200);
      calls += 1;
      erased.push(...body.erased);
      if (body.complete) return { erased, calls, ids: erased.map(({ submissionId }) => submissionId) };
      cursor = body.cursor;
    }
  }

  async function exportAll(sender: Sender, email: string) {
    const lines: string[] = [];
    let response: Responded;
    let cursor: string | undefined;
    do {
      response = await ownerOf(sender).post('/people/export', { body: { email, cursor } });
      expect(response.status).toBe(200);
      lines.push(...response.text.split('\n').filter(Boolean));
      cursor = response.headers['x-next-cursor'] as string | undefined;
    } while (cursor !== undefined);
    return { leads: lines.map((line) => JSON.parse(line)), response };
  }

  const storedLead = (leadId: string, part = 'lead') => fixture.itemOf('leads', { leadId, part });

  test('is erased in every spelling, and nobody else', async () => {
    const sender = await fixture.newSender();
    const otherForm = { ...sender, ...(await fixture.newForm(sender.workspaceId)) };
    const first = await lead(sender, { email: 'Ann@Acme-Tools.de', name: 'Ann' });
    const second = await lead(otherForm, { email: '  ann@acme-tools.DE ' });
    const others = [];
    for (const email of [
      'joann@acme-tools.de',
      'ann@acme-tools.de.com',
      'ann@acme-tools.dev',
      'änn@acme-tools.de',
    ]) {
      others.push(await lead(sender, { email, message: ANN }));
    }
    const { erased } = await erase(sender, ' ANN@acme-tools.de ');
    expect(erased).toEqual([
      { submissionId: second, formId: otherForm.formId, receivedAt: expect.any(String) },
      { submissionId: first, formId: sender.formId, receivedAt: expect.any(String) },
    ]);
    expect(await storedLead(first)).toBeUndefined();
    // As after every erasure, a note announces it to stats, destinations and the index.
    expect(await storedLead(first, 'erased')).toMatchObject({ workspace: sender.workspaceId });
    for (const leadId of others) expect(await storedLead(leadId)).toBeDefined();
    expect(await erase(sender, ANN)).toMatchObject({ erased: [], calls: 1 });
  });

  test('stays in another workspace', async () => {
    const [ours, theirs] = await Promise.all([fixture.newSender('Ours'), fixture.newSender('Theirs')]);
    const our = await lead(ours, { email: ANN });
    const their = await lead(theirs, { email: ANN });
    expect((await exportAll(ours, ANN)).leads).toMatchObject([{ submission_id: our }]);
    expect((await erase(ours, ANN)).ids).toEqual([our]);
    expect((await exportAll(ours, ANN)).leads).toEqual([]);
    expect((await exportAll(theirs, ANN)).leads).toMatchObject([{ submission_id: their }]);
  });

  test('is exported and erased completely with 120 leads', async () => {
    const sender = await fixture.newSender();
    const newestFirst = await leads(sender, 120, { email: ANN });
    const exported = await exportAll(sender, ANN);
    expect(exported.leads.map((each) => each.submission_id)).toEqual(newestFirst);

    const { body } = await ownerOf(sender).post('/people/erase', { body: { email: ANN } });
    expect(body).toMatchObject({ complete: false, cursor: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain('ann');
    const forOther = { email: 'bob@acme-tools.de', cursor: body.cursor };
    expect((await ownerOf(sender).post('/people/erase', { body: forOther, beyondSchema: true })).status).toBe(
      400,
    );
    const rest = await erase(sender, ANN);
    expect([...body.erased.map(({ submissionId }: Erased) => submissionId), ...rest.ids]).toEqual(
      newestFirst,
    );
    expect(rest.calls).toBeGreaterThanOrEqual(2);
    expect((await exportAll(sender, ANN)).leads).toEqual([]);
  });

  test('is erased also from a lead that is indexed during the call', async () => {
    const sender = await fixture.newSender();
    const first = await lead(sender, { email: ANN });
    let late: string | undefined;
    fixture.calls.injectBefore(async (command, input) => {
      const isErasure = command.startsWith('TransactWrite') && JSON.stringify(input).includes(first);
      if (!isErasure || late !== undefined) return undefined;
      late = 'on its way';
      late = await lead(sender, { email: ANN });
      return undefined;
    });
    const { ids } = await erase(sender, ANN);
    fixture.calls.injectBefore(undefined);
    expect(ids).toEqual([first, late]);
  });

  test('is told what was erased even if a call failed halfway', async () => {
    const sender = await fixture.newSender();
    const oldest = (await leads(sender, 12, { email: ANN })).at(-1) ?? '';
    fixture.calls.injectBefore((command, input) =>
      command.startsWith('TransactWrite') && JSON.stringify(input).includes(oldest)
        ? new Error('injected')
        : undefined,
    );
    const { body } = await ownerOf(sender).post('/people/erase', { body: { email: ANN } });
    const again = await ownerOf(sender).post('/people/erase', { body: { email: ANN } });
    fixture.calls.injectBefore(undefined);
    expect(body).toMatchObject({ complete: false });
    expect(body.erased).toHaveLength(11);
    expect(again.status).toBe(500);
    expect((await erase(sender, ANN)).ids).toEqual([oldest]);
  });

  test('is erased from damaged and from expired leads', async () => {
    const sender = await fixture.newSender();
    const keeping = { ...sender, ...(await fixture.newForm(sender.workspaceId)) };
    await ownerOf(sender).patch(`/forms/${keeping.formId}`, { body: { retentionDays: 1 } });
    const expired = await lead(keeping, { email: ANN });
    fixture.clock.now += 2 * 24 * 60 * 60 * 1000;
    const damaged = await lead(sender, { email: ANN });
    const unreadable = await lead(sender, { email: ANN });
    const damage = (leadId: string, values: Record<string, unknown>) =>
      setAttributes(fixture.observer, fixture.stack.tables.leads, { leadId, part: 'lead' }, values);
    await damage(damaged, { body: '{"email": "ann@' });
    await damage(unreadable, { packed: Buffer.from('no brotli') });
    const { leads } = await exportAll(sender, ANN);
    expect(leads).toMatchObject([
      { submission_id: unreadable, body: null },
      { submission_id: damaged, body: null },
    ]);
    const { body: related } = await ownerOf(sender).get(`/leads/${damaged}/related`);
    expect(related.leads).toMatchObject([{ submissionId: unreadable, sameEmail: true }]);
    expect((await erase(sender, ANN)).ids).toEqual([unreadable, damaged, expired]);
  });

  test('is exported with bodies, enrichment and messages, without excerpts of responses', async () => {
    const sender = await fixture.newSender();
    const leadId = await lead(sender, { email: ANN, amount: 1 });
    const Item = { leadId, part: 'enrichment', state: 'enriched', facts: {}, v: 1 };
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.leads, Item }));
    const { body: destination } = await ownerOf(sender).post('/destinations', {
      body: { kind: 'webhook', url: 'https://receiver.example.com/' },
    });
    const { destinationId } = destination;
    const { write } = makeMessages({ client: fixture.observer, tables: fixture.stack.tables });
    await write(
      {
        destinationId,
        leadId,
        type: 'lead.accepted',
        workspaceId: sender.workspaceId,
        status: 'failed',
        attempts: [],
        countedAttempts: 1,
        createdAt: '2026-11-15T12:00:00.000Z',
        answerExcerpt: 'the answer repeats nobody',
      },
      undefined,
      AbortSignal.timeout(10_000),
    );
    const { leads, response } = await exportAll(sender, ANN);
    expect(response.headers).toMatchObject({ 'content-type': 'application/x-ndjson; charset=utf-8' });
    expect(leads).toEqual([
      expect.objectContaining({
        submission_id: leadId,
        form_id: sender.formId,
        body: { email: ANN, amount: 1 },
        messages: [
          {
            message_id: expect.stringMatching(/^msg_/),
            destination_id: destinationId,
            type: 'lead.accepted',
            status: 'failed',
            created_at: '2026-11-15T12:00:00.000Z',
          },
        ],
      }),
    ]);
    expect(response.text).not.toContain('repeats nobody');
  });

  test('needs an address, and none is logged', async () => {
    const sender = await fixture.newSender();
    const owner = ownerOf(sender);
    for (const path of ['/people/erase', '/people/export']) {
      expect((await owner.post(path, { body: { email: ' ' } })).status).toBe(400);
      expect((await owner.post(path, { body: { email: ANN, cursor: 'x' }, beyondSchema: true })).status).toBe(
        400,
      );
    }
    expect(fixture.logLines.join('')).not.toContain(ANN);
  });
});
