import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { signatureOf } from '#model/request-signature.ts';
import { makeHealthStore } from '#sending/health-store.ts';
import { SAMPLE, type Sender } from '../submission/submission-fixture.ts';
import { HOUR, NOW, openWatchFixture } from './watch-fixture.ts';

const fixture = openWatchFixture();
const {
  alerts,
  announced,
  dependencies,
  evaluate,
  observer: client,
  signal,
  submit,
  tables,
  types,
} = fixture;

test('a wrong clock stays open while a sender with a right one uses the same secret', async () => {
  const sender = await fixture.newSender();
  const sendAt = async (minutes: number, slowSeconds: number, environment = fixture.newEnvironment()) => {
    fixture.clock.now = NOW + minutes * 60_000;
    const timestamp = String(fixture.clock.now / 1000 - slowSeconds);
    const signature = signatureOf(sender.secret, timestamp, Buffer.from(SAMPLE)).toString('hex');
    const headers = { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
    expect((await environment.webhook(sender, { headers })).statusCode).toBe(202);
  };
  // The wrong clock sends in the minute in which one environment notes only the right one, and is noted with the next.
  const environment = fixture.newEnvironment();
  for (const [minutes, slow] of [
    [0, 1],
    [0.5, -150],
    [2, 1],
  ] as const)
    await sendAt(minutes, slow, environment);
  await evaluate(sender, NOW + 3 * 60_000);
  expect(await alerts.open(sender.workspaceId, signal)).toMatchObject([
    { kind: 'clock_drift', facts: { skewSeconds: -150 } },
  ]);
  for (const minutes of [5, 10, 20, 40, 60]) {
    await sendAt(minutes, 1);
    await evaluate(sender, NOW + minutes * 60_000 + 1_000);
  }
  expect(types()).toEqual(['alert.opened']);
  // An hour after the wrong clock was noted last.
  await sendAt(63, 1);
  await evaluate(sender, NOW + 64 * 60_000);
  expect(types()).toEqual(['alert.opened', 'alert.closed']);
});

test.each<[string, (formId: string) => Promise<unknown>, string[]]>([
  ['ended by its owner', (formId) => fixture.administration.endGrace(formId), ['sender_broken']],
  // Only the last secret before the current one is recognized.
  [
    'replaced by another',
    (formId) => fixture.administration.rotateSecret({ formId, graceMilliseconds: HOUR }),
    [],
  ],
])(
  'an old secret that is %s: its alert ends at once, and the sender is broken by its own rule',
  async (_what, end, kinds) => {
    const sender = await fixture.newSender();
    const { formId } = sender;
    await fixture.administration.rotateSecret({ formId, graceMilliseconds: 20 * HOUR });
    expect((await submit(sender)).statusCode).toBe(202);
    await evaluate(sender, NOW + 60_000);
    fixture.clock.now = NOW + 2 * 60_000;
    await end(formId);
    await evaluate(sender, NOW + 5 * 60_000);
    const { alerts: history } = await alerts.page(sender.workspaceId, { limit: 10 }, signal);
    expect(history).toMatchObject([
      {
        kind: 'rotation_ending',
        outcome: 'ended',
        closed: { lines: [expect.stringContaining('has stopped working'), expect.anything()] },
      },
    ]);
    await evaluate(sender, NOW + 3 * HOUR);
    expect(types()).toEqual(['alert.opened', 'alert.closed']);
    expect((await submit(sender)).statusCode).toBe(200);
    await fixture.rejectionCounted(sender);
    await evaluate(sender, NOW + 3 * HOUR);
    const open = await alerts.open(sender.workspaceId, signal);
    expect(open.map(({ kind }) => kind)).toEqual(kinds);
  },
);

test('the daily limit, with a warning that gives way to it', async () => {
  const sender = await fixture.newSender();
  const pretend = (count: number) =>
    fixture.pretendCounted(sender, `n1bd${Math.floor(NOW / 86_400_000)}`, count);
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

test('a destination that fails, which is not told about itself; resuming it does not repair it', async () => {
  const sender = await fixture.newSender();
  const of = { workspaceId: sender.workspaceId, destinationId: `dest_${randomUUID().replaceAll('-', '')}` };
  const { destinationId } = of;
  const destination = { ...of, name: 'CRM', kind: 'webhook', status: 'active', v: 1 };
  await client.send(new PutCommand({ TableName: tables.destinations, Item: destination }));
  const health = makeHealthStore({ client, tables });
  const failAt = (nowMilliseconds: number) =>
    health.countFailure(
      { ...of, leadId: '1', type: 'lead.accepted' },
      { isAboutMessage: false, nowMilliseconds },
      signal,
    );
  await failAt(NOW - HOUR);
  await evaluate(sender, NOW);
  expect(await alerts.open(of.workspaceId, signal)).toMatchObject([
    { kind: 'destination_failing', facts: { destinationId, destinationName: 'CRM', problem: 'failing' } },
  ]);
  expect(announced).toMatchObject([{ aboutDestination: destinationId }]);
  await health.recover(of, NOW, signal, 'untried');
  await evaluate(sender, NOW + 300_000);
  await failAt(NOW + 400_000);
  await evaluate(sender, NOW + 600_000);
  expect(types()).toEqual(['alert.opened']);
  await health.recover(of, NOW + 700_000, signal);
  await evaluate(sender, NOW + 900_000);
  expect(types()).toEqual(['alert.opened', 'alert.closed']);
});

describe('silence', () => {
  /** Four weeks with this many leads in every hour, the last one at NOW. */
  async function regularSender(): Promise<Sender> {
    const sender = await fixture.newSender();
    const { workspaceId, formId } = sender;
    const puts = Array.from({ length: 15 * 24 }, (_, hour) => {
      const at = new Date(NOW - (hour + 1) * HOUR).toISOString().slice(0, 13);
      const Item = { workspaceId, sk: `hour#${at}Z#${formId}`, accepted: 12, server: 0, v: 1 };
      return client.send(new PutCommand({ TableName: tables.stats, Item }));
    });
    await Promise.all(puts);
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

  /** Leads from browsers in the hour that begins so many hours after NOW. */
  async function countFromBrowsers({ workspaceId, formId }: Sender, hours: number, leads: number) {
    const at = new Date(NOW + hours * HOUR).toISOString().slice(0, 13);
    const Item = { workspaceId, sk: `hour#${at}Z#${formId}`, accepted: leads, browser: leads, v: 1 };
    await client.send(new PutCommand({ TableName: tables.stats, Item }));
  }

  test('of a webhook is not hidden by a lead from a browser, and not over with one', async () => {
    const sender = await regularSender();
    await evaluate(sender, NOW + 10 * 60_000);
    await countFromBrowsers(sender, 2, 1);
    await evaluate(sender, NOW + 3 * HOUR);
    const [open] = await alerts.open(sender.workspaceId, signal);
    expect(open).toMatchObject({
      kind: 'silence',
      since: '2026-11-15T12:00:00.000Z',
      facts: { surface: '1b' },
    });
    await countFromBrowsers(sender, 4, 1);
    await evaluate(sender, NOW + 4.5 * HOUR);
    expect(types()).toEqual(['alert.opened']);
  });

  test('is not expected of browsers and tests: their leads are in no baseline', async () => {
    const sender = await fixture.newSender();
    const { workspaceId, formId } = sender;
    const Item = {
      workspaceId,
      sk: `hour#2026-11-15T11Z#${formId}`,
      accepted: 10,
      server: 2,
      browser: 6,
      test: 1,
      v: 1,
    };
    await client.send(new PutCommand({ TableName: tables.stats, Item }));
    const history = await dependencies.reader.history(workspaceId, NOW, signal);
    const hour = NOW / HOUR - 1;
    expect([...history]).toEqual([
      [`${formId}#1a`, [{ hour, accepted: 2 }]],
      [`${formId}#1b`, [{ hour, accepted: 1 }]],
    ]);
  });

  test('is no problem of a form that its owner deactivated', async () => {
    const sender = await regularSender();
    await fixture.administration.setFormActive({ formId: sender.formId, active: false });
    await evaluate(sender, NOW + 5 * HOUR);
    expect(announced).toEqual([]);
  });
});
