import { describe, expect, test } from '@jest/globals';
import { itemBytes } from '#model/lead-item.ts';
import { rateWindowsAt, type Surface } from '#model/limits.ts';
import { crowd, openSubmissionFixture, REJECTED, submissionId } from './submission-fixture.ts';

const fixture = openSubmissionFixture();
const MINUTE = 60_000;

async function flood(
  count: number,
  send: (
    environment: ReturnType<typeof fixture.newEnvironment>,
    index: number,
  ) => Promise<{ statusCode: number }>,
) {
  const environments = Array.from({ length: 40 }, () => fixture.newEnvironment());
  const responses = await crowd(count, environments.length, (index, lane) =>
    send(environments[lane] as (typeof environments)[number], index),
  );
  return responses.filter(({ statusCode }) => statusCode === 202).length;
}

describe('the minute limit', () => {
  // Starts close to the limit: the race is the same as after 1,000 submissions, which a row of the conformance run sends.
  test.each(['1a', '1b'] as const)(
    'admits exactly 1,000 on surface %s under a flood, and leaves the other surface alone',
    async (surface) => {
      const [earlier, sent] = [980, 60];
      const sender = await fixture.newSender();
      await fixture.pretendCounted(sender, rateWindowsAt(surface, fixture.clock.now).minuteCounter, earlier);
      const room = 1_000 - earlier;
      const accepted = await flood(sent, (environment) => environment.send(surface, sender));
      expect(accepted).toBe(room);
      expect(await fixture.leadIdsOf(sender.formId)).toHaveLength(room);
      expect((await fixture.reasonsOf(sender.workspaceId)).rate_limited_minute).toBe(sent - room);
      const other: Surface = surface === '1a' ? '1b' : '1a';
      submissionId(await fixture.newEnvironment().send(other, sender));
    },
  );

  test('is shared by the tokens of a workspace', async () => {
    const first = await fixture.newSender();
    const second = { ...first, ...(await fixture.newForm(first.workspaceId)) };
    await fixture.pretendCounted(first, rateWindowsAt('1a', fixture.clock.now).minuteCounter, 980);
    const accepted = await flood(50, (environment, index) => environment.server(index % 2 ? first : second));
    expect(accepted).toBe(20);
    const leads = await Promise.all([first, second].map(({ formId }) => fixture.leadIdsOf(formId)));
    expect(leads.flat()).toHaveLength(20);
    expect(Math.min(...leads.map(({ length }) => length))).toBeGreaterThan(0);
  });

  test('does not count submissions rejected for another reason', async () => {
    const sender = await fixture.newSender();
    const environment = fixture.newEnvironment();
    await environment.server(sender, { body: 'no json' });
    await environment.webhook({ ...sender, secret: 'not the secret at all' });
    const counters = Object.keys(await fixture.workspaceItem(sender.workspaceId)).filter((name) =>
      /^n1/.test(name),
    );
    expect(counters).toEqual([]);
  });
});

describe('the day limit', () => {
  test.each(['1a', '1b'] as const)(
    'admits exactly up to 50,000 on surface %s, whatever the minute',
    async (surface) => {
      const sender = await fixture.newSender();
      fixture.clock.now = Date.parse('2026-11-15T23:58:30Z');
      await fixture.pretendCounted(sender, rateWindowsAt(surface, fixture.clock.now).dayCounter, 49_980);
      const accepted = await flood(40, (environment) => environment.send(surface, sender));
      expect(accepted).toBe(20);
      expect(await fixture.reasonsOf(sender.workspaceId)).toEqual({ rate_limited_day: 20 });

      const environment = fixture.newEnvironment();
      fixture.clock.now += MINUTE;
      expect(await environment.send(surface, sender)).toEqual(REJECTED);
      fixture.clock.now = Date.parse('2026-11-16T00:00:00Z');
      submissionId(await environment.send(surface, sender));
    },
  );
});

describe('the gate item', () => {
  // A month in which each submission meets a cold environment, or one that last saw the workspace days ago.
  test('stays under 1 KB after a month of sparse traffic', async () => {
    fixture.clock.now = Date.parse('2026-12-01T00:00:00Z');
    const sender = await fixture.newSender('W'.repeat(100));
    const warm = fixture.newEnvironment();
    let largest = 0;
    for (let hour = 0; hour < 30 * 24; hour += 31) {
      fixture.clock.now = Date.parse('2026-12-01T00:00:00Z') + hour * 60 * MINUTE + (hour % 60) * MINUTE;
      const environment = hour % 3 === 0 ? fixture.newEnvironment() : warm;
      submissionId(await environment.send(hour % 2 === 0 ? '1a' : '1b', sender));
      largest = Math.max(largest, itemBytes(await fixture.workspaceItem(sender.workspaceId)));
    }
    expect(largest).toBeLessThan(1_024);
    const counters = Object.keys(await fixture.workspaceItem(sender.workspaceId)).filter((name) =>
      /^n1/.test(name),
    );
    expect(counters.length).toBeLessThanOrEqual(8);
  });

  test('keeps the count of the previous window, so that a late request cannot reopen it', async () => {
    const sender = await fixture.newSender();
    const start = Date.parse('2027-01-10T10:00:59Z');
    const late = fixture.newEnvironment();
    const prompt = fixture.newEnvironment();
    fixture.clock.now = start;
    await fixture.pretendCounted(sender, rateWindowsAt('1a', start).minuteCounter, 999);
    submissionId(await prompt.server(sender));
    fixture.clock.now = start + MINUTE;
    for (let i = 0; i < 3; i += 1) submissionId(await prompt.server(sender));
    fixture.clock.now = start; // a request that was received in the full minute arrives at the gate only now
    expect(await late.server(sender)).toEqual(REJECTED);
  });
});
