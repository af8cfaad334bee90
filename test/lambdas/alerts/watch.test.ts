import { describe, expect, test } from '@jest/globals';
import { makeWatch } from '#alerts/watch/handler.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import type { AlertEvent } from '#sending/destination.ts';
import { makeActiveWorkspaces } from '#stats/active-workspaces-store.ts';
import { sampleTestLead } from '#workspaces/delivery-routes.ts';
import { itemsOf } from '../../stored-items.ts';
import { HOUR, NOW, openWatchFixture } from './watch-fixture.ts';

const fixture = openWatchFixture();
const {
  alerts,
  announced,
  breakSender,
  dependencies,
  evaluate,
  observer: client,
  signal,
  submit,
  tables,
  types,
} = fixture;

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

    fixture.clock.now = NOW + 2 * HOUR;
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

  test('is not taken for repaired because a test was accepted, with whichever credential', async () => {
    const { broken, repaired } = await breakSender();
    await evaluate(broken, NOW + 65 * 60_000);
    const uses = await fixture.diagnosticsOf(broken.workspaceId, 'use#');
    fixture.clock.now = NOW + 2 * HOUR;
    const environment = fixture.newEnvironment();
    for (const surface of ['1a', '1b'] as const) {
      const response = await environment.send(surface, repaired, { body: sampleTestLead({}) });
      expect(response.statusCode).toBe(202);
    }
    expect(await fixture.diagnosticsOf(broken.workspaceId, 'use#')).toEqual(uses);
    expect(await evaluate(broken, NOW + 2 * HOUR + 60_000)).toEqual({ opened: 0, closed: 0, hasOpen: true });
    // A real lead right after the test is noted, though uses are noted only once per minute.
    expect((await environment.webhook(repaired)).statusCode).toBe(202);
    expect(await evaluate(broken, NOW + 2 * HOUR + 60_000)).toMatchObject({ closed: 1 });
  });

  test('makes one message if two evaluations run at the same time', async () => {
    const { broken } = await breakSender();
    const results = await Promise.all(Array.from({ length: 8 }, () => evaluate(broken, NOW + 2 * HOUR)));
    expect(results.reduce((sum, { opened }) => sum + opened, 0)).toBe(1);
    expect(types()).toEqual(['alert.opened']);
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
    await fixture.administration.archiveForm(broken.formId);
    await evaluate(broken, NOW + 3 * HOUR);
    const { alerts: history } = await alerts.page(broken.workspaceId, { limit: 10 }, signal);
    expect(history).toMatchObject([{ outcome: 'ended' }]);
    await evaluate(broken, NOW + 9 * HOUR);
    expect(types()).toEqual(['alert.opened', 'alert.closed']);
  });
});

test('a suspended workspace is left alone', async () => {
  const { broken } = await breakSender();
  await fixture.administration.suspendWorkspace(broken.workspaceId);
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
  async function openWatch() {
    const stats = await copyTable(fixture.stack.newClient(), tables.stats);
    const own = { client, tables: { ...tables, stats } };
    const active = makeActiveWorkspaces(own);
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line));
    const log = { write: (code: string, counts: object) => void lines.push({ code, ...counts }) };
    const marks = () => itemsOf(client, stats, { workspaceId: 'active' });
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
      { code: 'watch.run', WorkspacesWatched: 1, AlertsOpened: 1, WatchFailures: 1 },
    ]);
    // A metric costs as much for a zero.
    expect(lines[1]).not.toHaveProperty('AlertsClosed');
    expect(await alerts.open(inactive.workspaceId, signal)).toEqual([]);
  });

  test('goes on where the last run stopped, with one log line for all that were not reached', async () => {
    const { active, lines, watch } = await openWatch();
    const ids = Array.from({ length: 100 }, (_, index) => `ws_${String(index).padStart(3, '0')}`);
    await active.mark(ids, NOW, signal);
    const seen = new Map<string, number>();
    /** Time for so many workspaces. */
    const run = async (reachable: number) => {
      const time = new AbortController();
      let left = reachable;
      const facts = async (workspaceId: string) => {
        seen.set(workspaceId, (seen.get(workspaceId) ?? 0) + 1);
        left -= 1;
        if (left === 0) time.abort();
        return undefined;
      };
      const reader = { ...dependencies.reader, facts };
      const timeIsUp = () => time.signal;
      await watch({ reader, timeIsUp })({ time: '2026-11-15T14:00:00Z' });
    };
    for (let round = 0; round < 5; round += 1) await run(60);
    // Up to 19 more were under way each time.
    expect([...seen.values()].reduce((sum, each) => sum + each, 0)).toBeLessThan(5 * 80);
    expect(ids.map((id) => seen.get(id) ?? 0).filter((times) => times < 2)).toEqual([]);
    expect(lines.filter(({ code }) => code === 'watch.not_reached')).toHaveLength(5);
    const [first, summary] = lines;
    expect(first).toMatchObject({ workspaces: 100, nextWorkspaceId: ids[100 - Number(first?.notReached)] });
    expect(summary).toMatchObject({ code: 'watch.run', WatchFailures: first?.notReached });
    await run(1_000);
    expect(lines.at(-1)).toMatchObject({ WorkspacesWatched: 100 });
    expect(lines.at(-1)).not.toHaveProperty('WatchFailures');
  });

  test('forgets a workspace after 15 days without leads, unless an alert is open', async () => {
    const { active, marks, watch } = await openWatch();
    const [{ broken }, healthy] = [await breakSender(), await fixture.newSender()];
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
