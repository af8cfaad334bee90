import { describe, expect, test } from '@jest/globals';
import { itemBytes } from '#submission/lead-item.ts';
import { rateWindowsAt, type Surface } from '#submission/limits.ts';
import { crowd, openWorkbench, REJECTED, submissionId } from './workbench.ts';

const bench = openWorkbench();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function flood(
  count: number,
  send: (
    environment: ReturnType<typeof bench.newEnvironment>,
    index: number,
  ) => Promise<{ statusCode: number }>,
) {
  const environments = Array.from({ length: 40 }, () => bench.newEnvironment());
  const answers = await crowd(count, environments.length, (index, lane) =>
    send(environments[lane] as (typeof environments)[number], index),
  );
  return answers.filter(({ statusCode }) => statusCode === 202).length;
}

describe('the minute limit', () => {
  // The second surface starts close to its limit: the race at the limit is the same, without another 1,500 submissions.
  test.each([
    ['1a', 0, 1_500],
    ['1b', 900, 200],
  ] as const)(
    'admits exactly 1,000 on surface %s, %i of them earlier, under a flood of %i, and leaves the other surface alone',
    async (surface, earlier, sent) => {
      const sender = await bench.newSender();
      await bench.pretendCounted(sender, rateWindowsAt(surface, bench.clock.now).minuteCounter, earlier);
      const room = 1_000 - earlier;
      const accepted = await flood(sent, (environment) => environment.send(surface, sender));
      expect(accepted).toBe(room);
      expect(await bench.leadIdsOf(sender.formId)).toHaveLength(room);
      expect((await bench.reasonsOf(sender.workspaceId)).rate_limited_minute).toBe(sent - room);
      const other: Surface = surface === '1a' ? '1b' : '1a';
      submissionId(await bench.newEnvironment().send(other, sender));
    },
  );

  test('is shared by the tokens of a workspace', async () => {
    const first = await bench.newSender();
    const second = { ...first, ...(await bench.newForm(first.workspaceId)) };
    await bench.pretendCounted(first, rateWindowsAt('1a', bench.clock.now).minuteCounter, 900);
    const accepted = await flood(200, (environment, index) => environment.server(index % 2 ? first : second));
    expect(accepted).toBe(100);
    const leads = await Promise.all([first, second].map(({ formId }) => bench.leadIdsOf(formId)));
    expect(leads.flat()).toHaveLength(100);
    expect(Math.min(...leads.map(({ length }) => length))).toBeGreaterThan(0);
  });

  test('starts again with the next UTC minute, not a minute later', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    bench.clock.now = Date.parse('2026-11-15T12:00:59.999Z');
    await bench.pretendCounted(sender, rateWindowsAt('1a', bench.clock.now).minuteCounter, 1_000);
    expect(await environment.server(sender)).toEqual(REJECTED);
    bench.clock.now += 1;
    submissionId(await environment.server(sender));
  });

  test('does not count submissions rejected for another reason', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await environment.server(sender, { body: 'no json' });
    await environment.webhook({ ...sender, secret: 'not the secret at all' });
    const counters = Object.keys(await bench.workspaceItem(sender.workspaceId)).filter((name) =>
      /^n1/.test(name),
    );
    expect(counters).toEqual([]);
  });

  test('is remembered by the environment that was denied: it does not write to the gate again until the window ends', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    await bench.pretendCounted(sender, rateWindowsAt('1a', bench.clock.now).minuteCounter, 1_000);
    await environment.server(sender);
    bench.calls.reset();
    for (let i = 0; i < 5; i += 1) await environment.server(sender);
    const updates = bench.calls.commands().filter((command) => command === 'UpdateItem');
    expect(updates).toEqual([]);
    expect((await bench.reasonsOf(sender.workspaceId)).rate_limited_minute).toBe(6);
  });
});

describe('the day limit', () => {
  test.each(['1a', '1b'] as const)(
    'admits exactly up to 50,000 on surface %s, whatever the minute',
    async (surface) => {
      const sender = await bench.newSender();
      bench.clock.now = Date.parse('2026-11-15T23:58:30Z');
      await bench.pretendCounted(sender, rateWindowsAt(surface, bench.clock.now).dayCounter, 49_970);
      const accepted = await flood(60, (environment) => environment.send(surface, sender));
      expect(accepted).toBe(30);
      expect(await bench.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_day: 30 });

      const environment = bench.newEnvironment();
      bench.clock.now += MINUTE;
      expect(await environment.send(surface, sender)).toEqual(REJECTED);
      bench.clock.now = Date.parse('2026-11-16T00:00:00Z');
      submissionId(await environment.send(surface, sender));
    },
  );
});

describe('the gate item', () => {
  // A month in which each submission meets a cold environment, or one that last saw the workspace days ago.
  test('stays under 1 KB after a month of sparse traffic', async () => {
    bench.clock.now = Date.parse('2026-12-01T00:00:00Z');
    const sender = await bench.newSender('W'.repeat(100));
    const warm = bench.newEnvironment();
    let largest = 0;
    for (let hour = 0; hour < 30 * 24; hour += 7) {
      bench.clock.now = Date.parse('2026-12-01T00:00:00Z') + hour * 60 * MINUTE + (hour % 60) * MINUTE;
      const environment = hour % 3 === 0 ? bench.newEnvironment() : warm;
      submissionId(await environment.send(hour % 2 === 0 ? '1a' : '1b', sender));
      largest = Math.max(largest, itemBytes(await bench.workspaceItem(sender.workspaceId)));
    }
    expect(largest).toBeLessThan(1_024);
    const counters = Object.keys(await bench.workspaceItem(sender.workspaceId)).filter((name) =>
      /^n1/.test(name),
    );
    expect(counters.length).toBeLessThanOrEqual(8);
  });

  test('keeps the count of the previous window, so that a late request cannot reopen it', async () => {
    const sender = await bench.newSender();
    const start = Date.parse('2027-01-10T10:00:59Z');
    const late = bench.newEnvironment();
    const prompt = bench.newEnvironment();
    bench.clock.now = start;
    await bench.pretendCounted(sender, rateWindowsAt('1a', start).minuteCounter, 999);
    submissionId(await prompt.server(sender));
    bench.clock.now = start + MINUTE;
    for (let i = 0; i < 3; i += 1) submissionId(await prompt.server(sender));
    bench.clock.now = start; // a request that was received in the full minute arrives at the gate only now
    expect(await late.server(sender)).toEqual(REJECTED);
  });

  test('forgets the window before the previous one', async () => {
    const sender = await bench.newSender();
    const environment = bench.newEnvironment();
    bench.clock.now = Date.parse('2027-01-10T10:00:00Z');
    submissionId(await environment.server(sender));
    const old = rateWindowsAt('1a', bench.clock.now);
    bench.clock.now += 2 * DAY;
    submissionId(await environment.server(sender));
    const item = await bench.workspaceItem(sender.workspaceId);
    expect(item).not.toHaveProperty(old.minuteCounter);
    expect(item).not.toHaveProperty(old.dayCounter);
  });
});
