import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#alerts/alert.ts';
import { makeAlertReader } from '#alerts/alert-reader-store.ts';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { localStack } from '../../local-stack.ts';
import { makeStoredAlerts } from './stored-alerts.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const [MINUTE, DAY] = [60_000, 86_400_000];
const { tables, newClient } = localStack();
const client = toDocumentClient(newClient());
const clock = { now: NOW };
const reader = makeAlertReader({ client, tables, now: () => clock.now });
const stored = makeStoredAlerts({ client, tables });
const signal = AbortSignal.timeout(120_000);

let workspaceId: string;

beforeEach(() => {
  workspaceId = `ws_${randomUUID()}`;
  clock.now = NOW;
});

/** Opened a minute apart; returns their ids, newest first. */
async function openAlerts(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = count; n > 0; n -= 1) {
    ids.unshift((await stored.open(workspaceId, { at: NOW - n * MINUTE })).alertId);
  }
  return ids;
}

async function page(limit: number, before?: string) {
  const { alerts, next } = await reader.page(workspaceId, { limit, before }, signal);
  return { ids: alerts.map(({ alertId }) => alertId), next };
}

describe('a page of the history', () => {
  test('is the last one if it has exactly as many alerts as asked for', async () => {
    const ids = await openAlerts(3);
    expect(await page(3)).toEqual({ ids, next: undefined });
    expect(await page(4)).toEqual({ ids, next: undefined });
  });

  test('names its last alert if there is one more', async () => {
    const ids = await openAlerts(4);
    expect(await page(3)).toEqual({ ids: ids.slice(0, 3), next: ids[2] });
    expect(await page(3, ids[2])).toEqual({ ids: ids.slice(3), next: undefined });
  });

  test('after another one is also the last if it is exactly full', async () => {
    const ids = await openAlerts(4);
    expect(await page(2, ids[1])).toEqual({ ids: ids.slice(2), next: undefined });
  });

  test('begins where the one before ended, even if that alert is gone', async () => {
    const ids = await openAlerts(3);
    const Key = { workspaceId, sk: `alert#${ids[0]}` };
    await client.send(new DeleteCommand({ TableName: tables.alerts, Key }));
    expect((await page(5, ids[0])).ids).toEqual(ids.slice(1));
  });

  test('is empty without alerts', async () => {
    expect(await page(5)).toEqual({ ids: [], next: undefined });
  });

  test('hides alerts that have expired, and looks behind them', async () => {
    const oldest = await stored.open(workspaceId, { at: NOW - 9 * MINUTE });
    for (let n = 8; n > 2; n -= 1) {
      await stored.close(await stored.open(workspaceId, { at: NOW - n * MINUTE }), NOW);
    }
    const newest = await stored.open(workspaceId, { at: NOW - MINUTE });
    expect((await page(10)).ids).toHaveLength(8);
    clock.now = NOW + 90 * DAY;
    expect((await page(1)).ids).toEqual([newest.alertId]);
    expect(await page(2)).toEqual({ ids: [newest.alertId, oldest.alertId], next: undefined });
    expect(await page(1)).toEqual({ ids: [newest.alertId], next: newest.alertId });
    expect(await page(1, newest.alertId)).toEqual({ ids: [oldest.alertId], next: undefined });
  });
});

describe('one alert', () => {
  test('is found by its id until it expires', async () => {
    const alert = await stored.open(workspaceId, { at: NOW });
    await stored.close(alert, NOW);
    const find = async () => (await reader.find(workspaceId, alert.alertId, signal))?.alertId;
    expect(await find()).toBe(alert.alertId);
    clock.now = NOW + 90 * DAY - 1000;
    expect(await find()).toBe(alert.alertId);
    clock.now = NOW + 90 * DAY;
    expect(await find()).toBeUndefined();
  });
});

describe('open alerts', () => {
  test('are listed newest first, without those that were closed', async () => {
    const ids = await openAlerts(2);
    await stored.close(await stored.open(workspaceId, { at: NOW }), NOW + MINUTE);
    const open = await reader.open(workspaceId, signal);
    expect(open.map(({ alertId }) => alertId)).toEqual(ids);
  });

  test('are listed up to 100, the newest', async () => {
    const ids = await openAlerts(101);
    const open = await reader.open(workspaceId, signal);
    expect(open.map(({ alertId }) => alertId)).toEqual(ids.slice(0, 100));
  });
});

describe('settings', () => {
  test('are the defaults until they are changed, and cannot be overwritten unseen', async () => {
    const first = await reader.settings(workspaceId, signal);
    expect(first).toEqual({ settings: DEFAULT_SETTINGS });
    const changed = { ...DEFAULT_SETTINGS, quietMinutes: 5 };
    expect(await reader.changeSettings(workspaceId, changed, first, signal)).toBe(true);
    const second = await reader.settings(workspaceId, signal);
    expect(second).toEqual({ settings: changed, revision: 1 });
    const again = (seen: typeof first) => reader.changeSettings(workspaceId, DEFAULT_SETTINGS, seen, signal);
    expect([await again(first), await again(second), await again(second)]).toEqual([false, true, false]);
    expect((await reader.settings(workspaceId, signal)).settings).toEqual(DEFAULT_SETTINGS);
  });
});
