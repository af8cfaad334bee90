import { createHash, createHmac } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { itemBytes } from '#model/lead-item.ts';
import { rateWindowsAt } from '#model/limits.ts';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import { openSubmissionFixture, REJECTED, SAMPLE, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture(Date.parse('2026-11-15T12:34:56.789Z'));
const { rejections, unauthenticatedRejections } = fixture.stack.tables;
const rejectionTables = [rejections, unauthenticatedRejections];

const eventsOf = (workspaceId: string) => fixture.rejectionsOf(workspaceId);
const DAY_SECONDS = 24 * 60 * 60;

describe('the record of a rejection', () => {
  test('keeps what helps an owner, and never a value, a token, a signature or a secret', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await fixture.administration.suspendWorkspace(sender.workspaceId);
    await environment.webhook(sender);
    const [event] = await eventsOf(sender.workspaceId);
    expect(event).toMatchObject({
      at: '2026-11-15T12:34:56.789Z',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      extendedRequestId: 'xyz=',
      surface: '1b',
      formId: sender.formId,
      reason: 'workspace_suspended',
      sourceAddress: '192.0.2.1',
      userAgent: 'workbench',
      bodyBytes: Buffer.byteLength(SAMPLE),
      bodySha256: createHash('sha256').update(SAMPLE).digest('hex'),
    });
    const kept = JSON.stringify(event);
    for (const secret of [sender.secret, sender.token, 'Ada Byron', 'ada@analytical-engines.co.uk']) {
      expect(kept).not.toContain(secret);
    }
  });

  test('says what was wrong', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const key = 'x'.repeat(256);
    await environment.server(sender, { headers: { 'X-SVC-Idempotency-Key': key } });
    await environment.server(sender, { body: Buffer.alloc(131_073, 32) });
    await environment.webhook(sender, { headers: { 'X-SVC-Timestamp': '1800000000' } });
    const details = Object.fromEntries(
      (await eventsOf(sender.workspaceId)).map(({ reason, detail }) => [reason, detail]),
    );
    expect(details).toEqual({
      idempotency_key_malformed: { length: 256 },
      body_too_large: { length: 131_073 },
      timestamp_out_of_window: { skewSeconds: Math.floor(fixture.clock.now / 1000) - 1_800_000_000 },
    });
  });

  test('is kept for 30 days in the table of authenticated senders, or for one day in that of all others', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await environment.server(sender, { body: '[]' });
    await environment.webhook({ ...sender, secret: 'something else entirely' });
    const [own, stranger] = await eventsOf(sender.workspaceId);
    const now = Math.floor(fixture.clock.now / 1000);
    expect(own).toMatchObject({ table: rejections, authenticated: true, expiresAt: now + 30 * DAY_SECONDS });
    expect(stranger).toMatchObject({ table: unauthenticatedRejections, authenticated: false });
    expect(stranger?.expiresAt).toBe(now + DAY_SECONDS);
    const names = (record: object | undefined) => Object.keys(record ?? {}).sort();
    expect(names(stranger)).toEqual(names(own));
  });

  test('of an unknown token belongs to nobody', async () => {
    const sender = await fixture.newSender();
    const token = `ingt_srv_${'x'.repeat(40)}`;
    expect(await fixture.newEnvironment().server({ ...sender, token })).toEqual(REJECTED);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({});
    const [record] = (await fixture.rejectionsOf()).slice(-1);
    expect(record).toMatchObject({ reason: 'token_invalid', formId: null, sharedBy: null });
    expect(record?.sk).toMatch(/^none#/);
  });

  test('has at most 1,000 bytes: user agent and key names are truncated', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`schlüssel-🔑-${n}`, n]));
    await fixture.pretendCounted(sender, rateWindowsAt('1a', fixture.clock.now).minuteCounter, 1_000);
    await environment.server(sender, {
      body: JSON.stringify(fields),
      userAgent: `Agent/1.0 ${'🦆'.repeat(500)}`,
    });
    await environment.server(sender, { headers: { 'Content-Type': `text/${'ü'.repeat(5_000)}` } });
    const records = await eventsOf(sender.workspaceId);
    expect(records).toHaveLength(2);
    for (const { table: _table, ...record } of records)
      expect(itemBytes({ ...record })).toBeLessThanOrEqual(1_000);
    expect(records[0]?.keyNames?.slice(0, 2)).toEqual(['schlüssel-🔑-0', 'schlüssel-🔑-1']);
    expect(records[0]?.keyNames?.length).toBeGreaterThan(5);
    expect(records[0]?.userAgent).toMatch(/^Agent\/1\.0 (🦆)+$/u);
  });

  test('is dropped and counted if an unauthenticated one takes too long, with the same response', async () => {
    const sender = await fixture.newSender();
    const logLines: string[] = [];
    const environment = fixture.newEnvironment({ logLines, recordingMilliseconds: 0 });
    expect(await environment.webhook({ ...sender, secret: 'something else entirely' })).toEqual(REJECTED);
    expect(JSON.parse(logLines.at(-1) as string)).toMatchObject({
      code: 'submission.rejected',
      DiagnosticsDropped: 1,
    });
  });

  test('is dropped when throttled, unless the sender is authenticated: then it is retried', async () => {
    const sender = await fixture.newSender();
    const logLines: string[] = [];
    const environment = fixture.newEnvironment({ logLines });
    let throttled = 0;
    fixture.calls.injectBefore((command, input) => {
      const { TableName } = input as { TableName?: string };
      const isRecord = TableName !== undefined && rejectionTables.includes(TableName);
      if (command !== 'PutItem' || !isRecord || throttled >= 4) return undefined;
      throttled += 1;
      return Object.assign(new Error('injected'), { name: 'ThrottlingException' });
    });
    await environment.webhook({ ...sender, secret: 'something else entirely' });
    const afterStranger = throttled;
    await environment.server(sender, { body: '[]' });
    fixture.calls.injectBefore(undefined);
    expect(afterStranger).toBe(1);
    expect(throttled).toBe(4);
    expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ body_not_object: 1 });
    const dropped = logLines.map((line) => JSON.parse(line).DiagnosticsDropped);
    expect(dropped).toEqual([1, undefined]);
  });
});

describe('an idempotency key with another body', () => {
  const keyed = (body: string) => ({ body, headers: { 'X-SVC-Idempotency-Key': 'order-1' } });

  test('gets the original response, and is recorded with the original submission', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const first = await environment.server(sender, keyed('{"name":"Ada"}'));
    expect(await environment.server(sender, keyed('{"name":"Ada"}'))).toEqual(first);
    expect(await eventsOf(sender.workspaceId)).toEqual([]);
    expect(await environment.webhook(sender, keyed('{"name":"Bea"}'))).toEqual(first);
    const [record, ...others] = await eventsOf(sender.workspaceId);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      reason: 'idempotency_key_reused',
      surface: '1b',
      authenticated: true,
      detail: { originalSubmissionId: submissionId(first) },
      bodySha256: createHash('sha256').update('{"name":"Bea"}').digest('hex'),
    });
  });

  test('is not recorded for a key of an earlier version without a hash', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    const first = await environment.server(sender, keyed('{"name":"Ada"}'));
    await fixture.observer.send(
      new UpdateCommand({
        TableName: fixture.stack.tables.idempotency,
        Key: { keyHash: hashIdempotencyKey(sender.workspaceId, 'order-1') },
        UpdateExpression: 'REMOVE bodySha256',
      }),
    );
    expect(await environment.server(sender, keyed('{"name":"Bea"}'))).toEqual(first);
    expect(await eventsOf(sender.workspaceId)).toEqual([]);
  });
});

describe('a signature that does not match', () => {
  const eventFor = async (
    send: (sender: Awaited<ReturnType<typeof fixture.newSender>>) => Promise<unknown>,
  ) => {
    const sender = await fixture.newSender();
    await send(sender);
    return (await eventsOf(sender.workspaceId))[0];
  };
  const signedWrongly = (sign: (secret: string, timestamp: string) => string) =>
    eventFor((sender) => {
      const timestamp = String(Math.floor(fixture.clock.now / 1000));
      return fixture.newEnvironment().webhook(sender, {
        headers: { 'X-SVC-Signature': sign(sender.secret, timestamp) },
      });
    });
  const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

  test('is explained if a common mistake explains it, and only then', async () => {
    const bodyAlone = await signedWrongly((secret) => hmac(secret, SAMPLE).digest('hex'));
    expect(bodyAlone).toMatchObject({
      reason: 'signature_mismatch',
      detail: { likelyMistake: expect.any(String) },
    });
    const base64 = await signedWrongly((secret, timestamp) =>
      hmac(secret, `${timestamp}.${SAMPLE}`).digest('base64'),
    );
    expect(base64).toMatchObject({
      reason: 'signature_malformed',
      detail: { likelyMistake: expect.any(String) },
    });
    const forged = await signedWrongly(() => 'ab'.repeat(32));
    expect(forged).toMatchObject({ reason: 'signature_mismatch', detail: {} });
    expect(forged?.detail).not.toHaveProperty('likelyMistake');
  });
});
