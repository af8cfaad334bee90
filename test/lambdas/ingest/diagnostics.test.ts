import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rejectionsIn } from '../../rejections-in.ts';
import { openWorkbench, REJECTED, SAMPLE, submissionId } from './workbench.ts';

const bench = openWorkbench(Date.parse('2026-11-15T12:34:56.789Z'));

const eventsOf = async (workspaceId: string) =>
  (await bench.diagnosticsOf(workspaceId)).filter(({ sk }) => String(sk).startsWith('event#'));

describe('a rejection in Diagnostics', () => {
  test('is counted by minute, surface, form and reason, an item for an hour, for 30 days', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    const begun = bench.clock.now;
    for (let i = 0; i < 3; i += 1) await environment.server(sender, { body: '[]' });
    bench.clock.now += 60_000;
    await environment.server(sender, { body: '[]' });
    const expiresAt = Math.floor(bench.clock.now / 1000) + 30 * 24 * 60 * 60;
    bench.clock.now = begun;
    const counters = (await bench.diagnosticsOf(sender.workspaceId)).filter((item) => rejectionsIn(item) > 0);
    const sk = `rejected#2026-11-15T12Z#1a#${sender.formId}#body_not_object`;
    const { workspaceId } = sender;
    expect(counters).toEqual([{ workspaceId, sk, m34: 3, m35: 1, expiresAt, v: 1 }]);
  });

  test('keeps what helps an owner, and never a value, a token, a signature or a secret', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await bench.administration.suspendWorkspace(sender.workspaceId);
    await environment.webhook(sender);
    const [event] = await eventsOf(sender.workspaceId);
    expect(event).toMatchObject({
      at: '2026-11-15T12:34:56.789Z',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      surface: '1b',
      formId: sender.formId,
      reason: 'workspace_suspended',
      sourceAddress: '192.0.2.1',
      userAgent: 'workbench',
      bodyBytes: Buffer.byteLength(SAMPLE),
      bodySha256: createHash('sha256').update(SAMPLE).digest('hex'),
    });
    const kept = JSON.stringify(await bench.diagnosticsOf(sender.workspaceId));
    for (const secret of [sender.secret, sender.token, 'Ada Byron', 'ada@analytical-engines.co.uk']) {
      expect(kept).not.toContain(secret);
    }
  });

  test('names the top-level keys of a body that parsed, and what was wrong', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
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
      timestamp_out_of_window: { skewSeconds: Math.floor(bench.clock.now / 1000) - 1_800_000_000 },
    });
  });

  test('takes one of 20 slots a minute, so that a flood stays bounded while every rejection is counted', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    for (let i = 0; i < 120; i += 1) await environment.server(sender, { body: 'null' });
    expect((await bench.reasonsOf(sender.workspaceId)).body_not_object).toBe(120);
    const events = await eventsOf(sender.workspaceId);
    expect(events.length).toBeLessThanOrEqual(20);
    expect(events.length).toBeGreaterThan(10);
  });

  test('of nobody in particular goes to the operator, spread over 16 shards', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    bench.clock.now = Date.parse('2031-03-03T03:03:03Z');
    for (let i = 0; i < 100; i += 1) {
      expect(await environment.server({ ...sender, token: `ingt_srv_guess${i}` })).toEqual(REJECTED);
    }
    // Asked by shard and hour: the table is shared with every other suite, so a page of a scan may miss some.
    const shards = Array.from({ length: 16 }, (_, shard) => `unattributed#${String(shard).padStart(2, '0')}`);
    const counters = await Promise.all(
      shards.map((shard) => bench.diagnosticsOf(shard, 'rejected#2031-03-03T03Z#1a#-#token_invalid')),
    );
    const counted = counters.map((items) => items.reduce((sum, item) => sum + rejectionsIn(item), 0));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(100);
    expect(counted.filter((count) => count > 0).length).toBeGreaterThan(8);
  });

  test('is dropped and counted when recording takes too long, and the answer is the same', async () => {
    const sender = await bench.newSender();
    const logLines: string[] = [];
    const environment = bench.newEnvironment({ logLines, recordingMilliseconds: 0 });
    expect(await environment.server(sender, { body: '[]' })).toEqual(REJECTED);
    expect(JSON.parse(logLines.at(-1) as string)).toMatchObject({
      code: 'submission.rejected',
      DiagnosticsDropped: 2,
    });
  });
});

describe('the log line of a submission', () => {
  test('is one line, is a metric, and holds no address, value or credential', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
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

describe('a signature that does not match', () => {
  const eventFor = async (
    send: (sender: Awaited<ReturnType<typeof bench.newSender>>) => Promise<unknown>,
  ) => {
    const sender = await bench.newSender();
    await send(sender);
    return (await eventsOf(sender.workspaceId))[0];
  };
  const signedWrongly = (sign: (secret: string, timestamp: string) => string) =>
    eventFor((sender) => {
      const timestamp = String(Math.floor(bench.clock.now / 1000));
      return bench.newEnvironment().webhook(sender, {
        headers: { 'X-SVC-Signature': sign(sender.secret, timestamp) },
      });
    });
  const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

  test('is explained where a usual mistake would have made it', async () => {
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
  });

  test('is not explained where none would', async () => {
    const forged = await signedWrongly(() => 'ab'.repeat(32));
    expect(forged).toMatchObject({ reason: 'signature_mismatch', detail: {} });
    expect(forged?.detail).not.toHaveProperty('likelyMistake');
  });
});

describe('the last use of a credential', () => {
  const usesOf = async (workspaceId: string) =>
    Object.fromEntries(
      (await bench.diagnosticsOf(workspaceId))
        .filter(({ sk }) => String(sk).startsWith('use#'))
        .map(({ sk, lastUsedAt }) => [sk, lastUsedAt]),
    );

  test('is noted by token and by secret, the previous one apart', async () => {
    bench.clock.now = Date.parse('2026-11-15T12:34:56.789Z');
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await environment.server(sender);
    await environment.webhook(sender);
    const { secret } = await bench.administration.rotateSecret({
      formId: sender.formId,
      graceMilliseconds: 3_600_000,
    });
    bench.clock.now += 61_000;
    await environment.webhook(sender);
    await environment.webhook({ ...sender, secret });
    expect(await usesOf(sender.workspaceId)).toEqual({
      [`use#token#${sender.tokenId}`]: '2026-11-15T12:34:56.789Z',
      [`use#secret#${sender.formId}#current`]: '2026-11-15T12:35:57.789Z',
      [`use#secret#${sender.formId}#previous`]: '2026-11-15T12:35:57.789Z',
    });
  });

  test('is written at most once a minute, beside the lead and not before it', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await environment.server(sender);
    bench.calls.reset();
    for (let i = 0; i < 3; i += 1) await environment.server(sender);
    expect(bench.calls.commands()).toEqual([
      'UpdateItem',
      'PutItem',
      'UpdateItem',
      'PutItem',
      'UpdateItem',
      'PutItem',
    ]);
    bench.clock.now += 60_000;
    await environment.server(sender); // configuration has grown old as well
    bench.calls.reset();
    bench.clock.now += 59_999;
    await environment.server(sender);
    expect(bench.calls.inSequence()).toBe(2);
  });

  test('is not noted for what was rejected, and costs no lead when it cannot be written', async () => {
    const sender = await bench.newSender();
    await bench.newEnvironment().webhook({ ...sender, secret: 'some other secret' });
    expect(await usesOf(sender.workspaceId)).toEqual({});
    const environment = bench.newEnvironment({ recordingMilliseconds: 0 });
    submissionId(await environment.server(sender));
  });
});
