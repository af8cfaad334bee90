import { randomBytes, randomUUID } from 'node:crypto';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { makeAlertReader } from '#alerts/alert-reader-store.ts';
import { makeAlertBook } from '#alerts/alerts-store.ts';
import { type EvaluationDependencies, evaluateWorkspace } from '#alerts/watch/evaluate-workspace.ts';
import { makeWatch } from '#alerts/watch/handler.ts';
import { makeWorkspaceReader } from '#alerts/watch/read-workspace-store.ts';
import type { AlertEvent } from '#sending/destination.ts';
import { makeActiveWorkspaces } from '#stats/active-workspaces-store.ts';
import { makeLeadId } from '#submission/lead-item.ts';
import { signatureOf } from '#submission/signed-request.ts';
import { until } from '../../until.ts';
import { copyTable } from '../settings/store-bench.ts';
import { openWorkbench, SAMPLE, type Sender } from '../submission/workbench.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-15T12:00:00Z');
const bench = openWorkbench(NOW);
const { tables } = bench.stack;
const client = bench.observer;
const book = makeAlertBook({ client, tables });
const alerts = makeAlertReader({ client, tables, now: () => NOW });
const signal = AbortSignal.timeout(300_000);
let announced: AlertEvent[] = [];

const dependencies: EvaluationDependencies = {
  reader: makeWorkspaceReader({ client, tables }),
  book,
  events: {
    async send(events) {
      announced.push(...events);
      return new Set();
    },
  },
  newAlertId: (now) => makeLeadId(now, randomBytes(10)),
};

const evaluate = ({ workspaceId }: Sender, at: number, parts: Partial<EvaluationDependencies> = {}) =>
  evaluateWorkspace(workspaceId, at, { ...dependencies, ...parts }, signal);
const types = () => announced.map(({ type }) => type);

beforeEach(() => {
  announced = [];
});

/** A new environment each time: one of them notes a use only once per minute. */
const submit = (sender: Sender) => bench.newEnvironment().webhook(sender);

/** A sender that goes on signing with a secret that was rotated away. */
async function breakSender(): Promise<{ broken: Sender; repaired: Sender }> {
  const broken = await bench.newSender();
  bench.clock.now = NOW;
  expect((await submit(broken)).statusCode).toBe(202);
  const { secret } = await bench.administration.rotateSecret({ formId: broken.formId });
  bench.clock.now = NOW + 5 * 60_000;
  expect((await submit(broken)).statusCode).toBe(200);
  await until(
    async () => (await bench.diagnosticsOf(broken.workspaceId, 'rejected#')).length,
    (count) => count > 0,
  );
  return { broken, repaired: { ...broken, secret } };
}

afterEach(() => {
  bench.clock.now = NOW;
});

describe('a sender that breaks', () => {
  test('opens one alert, which says who, since when, why and what to do, and closes it once it works', async () => {
    const { broken, repaired } = await breakSender();
    expect(await evaluate(broken, NOW + 30 * 60_000)).toMatchObject({ opened: 0 });
    expect(await evaluate(broken, NOW + 65 * 60_000)).toEqual({ opened: 1, closed: 0, hasOpen: true });
    expect(await evaluate(broken, NOW + 70 * 60_000)).toEqual({ opened: 0, closed: 0, hasOpen: true });
    const [open] = await alerts.open(broken.workspaceId, signal);
    expect(open).toMatchObject({
      kind: 'sender_broken',
      since: '2026-11-15T12:00:00.000Z',
      openedAt: '2026-11-15T13:05:00.000Z',
      facts: { formId: broken.formId, surface: '1b', rejections: 1, mistake: 'secret_previous' },
    });
    const text = [open?.opened.title, ...(open?.opened.lines ?? [])].join('\n');
    expect(text).toContain('15 Nov 2026, 12:00 UTC');
    expect(text).toMatch(/Reason: .*old secret|previous|earlier/i);
    expect(text).toContain('What to do:');

    bench.clock.now = NOW + 2 * HOUR;
    expect((await submit(repaired)).statusCode).toBe(202);
    expect(await evaluate(broken, NOW + 2 * HOUR + 60_000)).toEqual({ opened: 0, closed: 1, hasOpen: false });
    expect(await alerts.open(broken.workspaceId, signal)).toEqual([]);
    const { alerts: history } = await alerts.page(broken.workspaceId, { limit: 10 }, signal);
    expect(history).toMatchObject([
      { outcome: 'recovered', closed: { title: expect.stringContaining('Resolved') } },
    ]);
    expect(announced).toMatchObject([
      { type: 'alert.opened', leadId: open?.alertId, formId: broken.formId },
      { type: 'alert.closed', leadId: open?.alertId, formId: broken.formId },
    ]);
  });

  test('makes one message if two evaluations run at the same time', async () => {
    const { broken } = await breakSender();
    const results = await Promise.all(Array.from({ length: 8 }, () => evaluate(broken, NOW + 2 * HOUR)));
    expect(results.reduce((sum, { opened }) => sum + opened, 0)).toBe(1);
    expect(new Set(announced.map(({ leadId }) => leadId)).size).toBe(1);
    const { alerts: history } = await alerts.page(broken.workspaceId, { limit: 10 }, signal);
    expect(history).toHaveLength(1);
  });

  test('is announced by the next evaluation if this one dies before its message', async () => {
    const { broken } = await breakSender();
    const refused = { send: async (events: readonly AlertEvent[]) => new Set(events) };
    await expect(evaluate(broken, NOW + 2 * HOUR, { events: refused })).rejects.toThrow('SQS refused');
    expect(announced).toEqual([]);
    await evaluate(broken, NOW + 2 * HOUR + 300_000);
    await evaluate(broken, NOW + 2 * HOUR + 600_000);
    expect(types()).toEqual(['alert.opened']);
  });

  test('is not alerted while its form is archived, and its alert ends then', async () => {
    const { broken } = await breakSender();
    await evaluate(broken, NOW + 2 * HOUR);
    await bench.administration.archiveForm(broken.formId);
    await evaluate(broken, NOW + 3 * HOUR);
    const { alerts: history } = await alerts.page(broken.workspaceId, { limit: 10 }, signal);
    expect(history).toMatchObject([{ outcome: 'ended' }]);
    await evaluate(broken, NOW + 9 * HOUR);
    expect(types()).toEqual(['alert.opened', 'alert.closed']);
  });

  test('is not alerted for forged requests, however many', async () => {
    const sender = await bench.newSender();
    await submit(sender);
    bench.clock.now = NOW + 60_000;
    const environment = bench.newEnvironment();
    for (let request = 0; request < 6; request += 1) {
      await environment.webhook({ ...sender, secret: 'a guess that is long enough' });
    }
    await until(
      async () => (await bench.diagnosticsOf(sender.workspaceId, 'rejected#')).length,
      (count) => count > 0,
    );
    for (const hours of [1, 24, 6 * 24]) await evaluate(sender, NOW + hours * HOUR);
    expect(announced).toEqual([]);
  });
});

test('a clock that drifts is seen by the skew of its last use, which costs no call of its own', async () => {
  const sender = await bench.newSender();
  const timestamp = String(NOW / 1000 - 200);
  const signature = signatureOf(sender.secret, timestamp, Buffer.from(SAMPLE)).toString('hex');
  const headers = { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
  expect((await bench.newEnvironment().webhook(sender, { headers })).statusCode).toBe(202);
  expect(await bench.diagnosticsOf(sender.workspaceId, 'use#')).toMatchObject([
    { formId: sender.formId, skewSeconds: 200 },
  ]);
  await evaluate(sender, NOW + 60_000);
  expect(await alerts.open(sender.workspaceId, signal)).toMatchObject([
    { kind: 'clock_drift', facts: { skewSeconds: 200 } },
  ]);
});

test('an old secret that is still in use before its end', async () => {
  const sender = await bench.newSender();
  const { formId } = sender;
  await bench.administration.rotateSecret({ formId, graceMilliseconds: 20 * HOUR });
  expect((await submit(sender)).statusCode).toBe(202);
  await evaluate(sender, NOW + 60_000);
  expect(await alerts.open(sender.workspaceId, signal)).toMatchObject([
    { kind: 'rotation_ending', facts: { formId } },
  ]);
});

test('the daily limit, with a warning that gives way to it', async () => {
  const sender = await bench.newSender();
  const pretend = (count: number) =>
    bench.pretendCounted(sender, `n1bd${Math.floor(NOW / 86_400_000)}`, count);
  await pretend(40_000);
  await evaluate(sender, NOW);
  await pretend(50_000);
  await evaluate(sender, NOW + 300_000);
  await evaluate(sender, NOW + 13 * HOUR);
  const { alerts: history } = await alerts.page(sender.workspaceId, { limit: 10 }, signal);
  expect(history.map(({ subject, outcome }) => `${subject} ${outcome}`)).toEqual([
    '1b#reached recovered',
    '1b#near superseded',
  ]);
  expect(types()).toEqual(['alert.opened', 'alert.opened', 'alert.closed']);
});

test('a destination that fails, which is not told about itself', async () => {
  const sender = await bench.newSender();
  const destinationId = `dest_${randomUUID().replaceAll('-', '')}`;
  const { workspaceId } = sender;
  const destination = { workspaceId, destinationId, name: 'CRM', kind: 'webhook', status: 'active', v: 1 };
  await client.send(new PutCommand({ TableName: tables.destinations, Item: destination }));
  const failingSince = new Date(NOW - HOUR).toISOString();
  await client.send(
    new PutCommand({
      TableName: tables.messages,
      Item: { destinationId, sk: '#health', failingSince, failures: 9, v: 1 },
    }),
  );
  await evaluate(sender, NOW);
  expect(await alerts.open(workspaceId, signal)).toMatchObject([
    { kind: 'destination_failing', facts: { destinationId, destinationName: 'CRM', problem: 'failing' } },
  ]);
  expect(announced).toMatchObject([{ aboutDestination: destinationId }]);
  await client.send(
    new UpdateCommand({
      TableName: tables.messages,
      Key: { destinationId, sk: '#health' },
      UpdateExpression: 'REMOVE failingSince, failures',
    }),
  );
  await evaluate(sender, NOW + 300_000);
  expect(types()).toEqual(['alert.opened', 'alert.closed']);
});

describe('silence', () => {
  /** Four weeks with this many leads in every hour, the last one at NOW. */
  async function regularSender(): Promise<Sender> {
    const sender = await bench.newSender();
    const { workspaceId, formId } = sender;
    for (let hour = 1; hour <= 15 * 24; hour += 1) {
      const at = new Date(NOW - hour * HOUR).toISOString().slice(0, 13);
      const Item = { workspaceId, sk: `hour#${at}Z#${formId}`, accepted: 12, server: 0, v: 1 };
      await client.send(new PutCommand({ TableName: tables.stats, Item }));
    }
    expect((await submit(sender)).statusCode).toBe(202);
    return sender;
  }

  test('of a form that receives leads regularly; its baseline is built once a day', async () => {
    const sender = await regularSender();
    let histories = 0;
    const counted = {
      ...dependencies.reader,
      history: (...of: Parameters<typeof dependencies.reader.history>) => {
        histories += 1;
        return dependencies.reader.history(...of);
      },
    };
    await evaluate(sender, NOW + 10 * 60_000, { reader: counted });
    await evaluate(sender, NOW + 15 * 60_000, { reader: counted });
    expect([histories, announced.length]).toEqual([1, 0]);
    await evaluate(sender, NOW + 3 * HOUR, { reader: counted });
    expect([histories, types()]).toEqual([1, ['alert.opened']]);
    const [open] = await alerts.open(sender.workspaceId, signal);
    expect(open).toMatchObject({
      kind: 'silence',
      since: '2026-11-15T12:00:00.000Z',
      facts: { formId: sender.formId },
    });
    await evaluate(sender, NOW + 30 * HOUR, { reader: counted });
    expect(histories).toBe(2);
  });

  test('is no problem of a form that its owner deactivated', async () => {
    const sender = await regularSender();
    await bench.administration.setFormActive({ formId: sender.formId, active: false });
    await evaluate(sender, NOW + 5 * HOUR);
    expect(announced).toEqual([]);
  });
});

test('a suspended workspace is left alone', async () => {
  const { broken } = await breakSender();
  await bench.administration.suspendWorkspace(broken.workspaceId);
  expect(await evaluate(broken, NOW + 2 * HOUR)).toEqual({ opened: 0, closed: 0, hasOpen: false });
});

test("the owner's thresholds count", async () => {
  const { broken } = await breakSender();
  const seen = await alerts.settings(broken.workspaceId, signal);
  const settings = { ...seen.settings, senderBroken: { enabled: true, afterMinutes: 180 } };
  await alerts.changeSettings(broken.workspaceId, settings, seen, signal);
  expect(await evaluate(broken, NOW + 2 * HOUR)).toMatchObject({ opened: 0 });
  expect(await evaluate(broken, NOW + 3 * HOUR)).toMatchObject({ opened: 1 });
});

describe('the watch', () => {
  const names: Promise<string>[] = [];
  afterAll(() => Promise.all(names));

  async function openWatch() {
    const stats = await copyTable(bench.stack.newClient(), tables.stats);
    const own = { client, tables: { ...tables, stats } };
    const active = makeActiveWorkspaces(own);
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const log = { write: (code: string, counts: object) => void lines.push({ code, ...counts }) };
    const marks = async () => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: stats,
          KeyConditionExpression: 'workspaceId = :active',
          ExpressionAttributeValues: { ':active': 'active' },
        }),
      );
      return Items;
    };
    return {
      active,
      lines,
      marks,
      watch: (parts = {}) => makeWatch({ ...dependencies, active, log, write, ...parts }),
    };
  }

  test('looks at active workspaces only, at the time of its event, and goes on after a failure', async () => {
    const { active, lines, watch } = await openWatch();
    const [{ broken }, { broken: unlucky }, { broken: inactive }] = [
      await breakSender(),
      await breakSender(),
      await breakSender(),
    ];
    await active.mark([broken.workspaceId, unlucky.workspaceId], NOW, signal);
    const reader = {
      ...dependencies.reader,
      facts: async (workspaceId: string, ...rest: [number, AbortSignal]) => {
        if (workspaceId === unlucky.workspaceId) throw new Error('lost');
        return dependencies.reader.facts(workspaceId, ...rest);
      },
    };
    await watch({ reader })({ time: '2026-11-15T14:00:00Z' });
    expect(lines).toMatchObject([
      { code: 'watch.defect', workspaceId: unlucky.workspaceId },
      { code: 'watch.run', WorkspacesWatched: 1, AlertsOpened: 1, AlertsClosed: 0, WatchFailures: 1 },
    ]);
    expect(await alerts.open(inactive.workspaceId, signal)).toEqual([]);
  });

  test('forgets a workspace after 15 days without leads, unless an alert is open', async () => {
    const { active, marks, watch } = await openWatch();
    const [{ broken }, healthy] = [await breakSender(), await bench.newSender()];
    await active.mark([broken.workspaceId, healthy.workspaceId], NOW, signal);
    const twoDays = new Date(NOW + 48 * HOUR);
    await watch()({ time: twoDays.toISOString() });
    expect(
      (await marks()).filter(({ markedAt }) => markedAt === twoDays.getTime()).map(({ sk }) => sk),
    ).toEqual([broken.workspaceId]);
    expect(await active.list(NOW + 16 * 24 * HOUR, signal)).toMatchObject([
      { workspaceId: broken.workspaceId },
    ]);
  });

  test('refuses an event without a time', async () => {
    const { watch } = await openWatch();
    await expect(watch()({ time: '' })).rejects.toThrow('no time');
  });
});
