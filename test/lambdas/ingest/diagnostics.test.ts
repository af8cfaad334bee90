import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openWorkbench, REJECTED, SAMPLE } from './workbench.ts';

const bench = openWorkbench(Date.parse('2026-11-15T12:34:56.789Z'));

const eventsOf = async (workspaceId: string) =>
  (await bench.diagnosticsOf(workspaceId)).filter(({ sk }) => String(sk).startsWith('event#'));

describe('a rejection in Diagnostics', () => {
  test('is counted by minute, surface, form and reason, for 30 days', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    for (let i = 0; i < 3; i += 1) await environment.server(sender, { body: '[]' });
    const counters = (await bench.diagnosticsOf(sender.workspaceId)).filter(({ rejections }) => rejections);
    expect(counters).toEqual([
      expect.objectContaining({
        sk: `rejected#2026-11-15T12:34Z#1a#${sender.formId}#body_not_object`,
        rejections: 3,
        expiresAt: Math.floor(bench.clock.now / 1000) + 30 * 24 * 60 * 60,
      }),
    ]);
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
    const { Items = [] } = await bench.observer.send(
      new ScanCommand({
        TableName: bench.stack.tables.diagnostics,
        FilterExpression: 'begins_with(sk, :counter)',
        ExpressionAttributeValues: { ':counter': 'rejected#2031-03-03T03:03Z#1a#-#token_invalid' },
      }),
    );
    expect(Items.reduce((sum, { rejections }) => sum + Number(rejections), 0)).toBe(100);
    const shards = new Set(Items.map(({ workspaceId }) => workspaceId as string));
    for (const shard of shards) expect(shard).toMatch(/^unattributed#(0\d|1[0-5])$/);
    expect(shards.size).toBeGreaterThan(8);
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
    expect(JSON.parse(environment.logLines[1] as string)._aws.CloudWatchMetrics[0]).toMatchObject({
      Namespace: 'LeadIngest',
      Dimensions: [['surface'], ['surface', 'reason']],
    });
    for (const secret of [sender.secret, sender.token, 'Ada', '192.0.2.1']) {
      expect(environment.logLines.join()).not.toContain(secret);
    }
  });
});
