import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { makeOwnerAdministration } from '#workspaces/administration.ts';
import { openSubmissionFixture, SAMPLE, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const DAY_SECONDS = 86_400;
/** The clock of the fixture is at a whole second. */
const nowSeconds = () => fixture.clock.now / 1000;
const keyed = (key: string) => ({ headers: { 'X-SVC-Idempotency-Key': key } });

const leadItem = (leadId: string) => fixture.itemOf('leads', { leadId, part: 'lead' });

describe.each(['1a', '1b'] as const)('leads of a form on surface %s', (surface) => {
  test('expire as the form says, with and without a key, without another call', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    await fixture.administration.setFormRetention({ formId: sender.formId, retentionDays: 30 });
    submissionId(await ingest.send(surface, sender));
    for (const [request, calls] of [
      [{}, ['UpdateItem', 'PutItem']],
      [keyed('k'), ['BatchGetItem', 'UpdateItem', 'TransactWriteItems']],
    ] as const) {
      fixture.calls.reset();
      const leadId = submissionId(await ingest.send(surface, sender, request));
      expect(fixture.calls.commands()).toEqual(calls);
      expect(await leadItem(leadId)).toMatchObject({ expiresAt: nowSeconds() + 30 * DAY_SECONDS });
    }
  });

  test('follow a change from the next one on, with a warm function; existing leads do not change', async () => {
    const sender = await fixture.newSender();
    const ingest = fixture.newEnvironment();
    const sendAfter = async (retentionDays: number | null) => {
      await fixture.administration.setFormRetention({ formId: sender.formId, retentionDays });
      return submissionId(await ingest.send(surface, sender));
    };
    const leadIds = [await sendAfter(null), await sendAfter(7), await sendAfter(1), await sendAfter(null)];
    const expiries = await Promise.all(leadIds.map(async (leadId) => (await leadItem(leadId))?.expiresAt));
    expect(expiries).toEqual([
      undefined,
      nowSeconds() + 7 * DAY_SECONDS,
      nowSeconds() + DAY_SECONDS,
      undefined,
    ]);
  });
});

const administrationOf = makeOwnerAdministration({
  client: fixture.observer,
  tables: fixture.stack.tables,
  now: () => fixture.clock.now,
  randomBytes,
});

const BODY = JSON.stringify({
  email: 'grace@navy.mil',
  friend: 'ada@analytical-engines.co.uk',
  name: 'Grace Hopper',
  message: 'Please call me back about the loom, we need two of them by spring.',
});

test.each(['1a', '1b'] as const)(
  'leads on surface %s store the roles of the form if they differ from auto-detection',
  async (surface) => {
    const sender = await fixture.newSender();
    const { formId, workspaceId } = sender;
    const ingest = fixture.newEnvironment();
    const owner = administrationOf(workspaceId);
    const rolesAfter = async (fields: { key: string; role: string }[]) => {
      await owner.updateForm(formId, { fields });
      const leadId = submissionId(await ingest.send(surface, sender, { body: BODY }));
      return (await fixture.leadById(leadId))?.roles;
    };
    expect(await rolesAfter([{ key: 'email', role: 'email' }])).toBeUndefined();
    expect(await rolesAfter([{ key: 'friend', role: 'email' }])).toEqual({
      email: 'friend',
      name: 'name',
      message: 'message',
    });
  },
);

describe('the log line of a submission', () => {
  test('is one line with a metric, without address, values or credentials', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await environment.webhook(sender);
    await environment.webhook({ ...sender, secret: 'something else entirely' });
    expect(environment.logLines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        code: 'submission.accepted',
        surface: '1b',
        Accepted: 1,
        bodyBytes: SAMPLE.length,
      }),
      expect.objectContaining({ code: 'submission.rejected', reason: 'signature_mismatch', Rejected: 1 }),
    ]);
    expect(JSON.parse(environment.logLines[1] as string)._aws.CloudWatchMetrics).toMatchObject([
      { Namespace: 'LeadIngest', Dimensions: [['surface']] },
      { Dimensions: [['surface', 'reason']], Metrics: [{ Name: 'Rejected', Unit: 'Count' }] },
    ]);
    for (const secret of [sender.secret, sender.token, 'Ada', '192.0.2.1']) {
      expect(environment.logLines.join()).not.toContain(secret);
    }
  });
});

describe('the last use of a credential', () => {
  const usesOf = async (workspaceId: string) =>
    Object.fromEntries(
      (await fixture.diagnosticsOf(workspaceId))
        .filter(({ sk }) => String(sk).startsWith('use#'))
        .map(({ sk, lastUsedAt }) => [sk, lastUsedAt]),
    );

  test('is recorded per token and per secret, with the previous secret separate', async () => {
    fixture.clock.now = Date.parse('2026-11-15T12:34:56.789Z');
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await environment.server(sender);
    await environment.webhook(sender);
    const { secret } = await fixture.administration.rotateSecret({
      formId: sender.formId,
      graceMilliseconds: 3_600_000,
    });
    fixture.clock.now += 61_000;
    await environment.webhook(sender);
    await environment.webhook({ ...sender, secret });
    expect(await usesOf(sender.workspaceId)).toEqual({
      [`use#token#${sender.tokenId}`]: '2026-11-15T12:34:56.789Z',
      [`use#secret#${sender.formId}#current`]: '2026-11-15T12:35:57.789Z',
      [`use#secret#${sender.formId}#previous`]: '2026-11-15T12:35:57.789Z',
    });
  });

  test('is written at most once per minute, in parallel with the lead', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await environment.server(sender);
    fixture.calls.reset();
    for (let i = 0; i < 3; i += 1) await environment.server(sender);
    expect(fixture.calls.commands()).toEqual([
      'UpdateItem',
      'PutItem',
      'UpdateItem',
      'PutItem',
      'UpdateItem',
      'PutItem',
    ]);
    fixture.clock.now += 60_000;
    await environment.server(sender); // configuration has grown old as well
    fixture.calls.reset();
    fixture.clock.now += 59_999;
    await environment.server(sender);
    expect(fixture.calls.inSequence()).toBe(2);
  });

  test('is not recorded for rejections, and no lead is lost if it cannot be written', async () => {
    const sender = await fixture.newSender();
    await fixture.newEnvironment().webhook({ ...sender, secret: 'some other secret' });
    expect(await usesOf(sender.workspaceId)).toEqual({});
    const environment = fixture.newEnvironment({ recordingMilliseconds: 0 });
    submissionId(await environment.server(sender));
  });
});
