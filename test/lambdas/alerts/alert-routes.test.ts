import { randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ALERT_KINDS, type Alert, type AlertFacts } from '#alerts/alert.ts';
import { makeAlertReader } from '#alerts/alert-reader-store.ts';
import { DOCUMENT } from '../owner-api/api-document.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { makeStoredAlerts } from './stored-alerts.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const NOW = Date.parse(NOON);
const fixture = openOwnerFixture(NOW);
const { newOwner } = fixture;
const context = { client: fixture.observer, tables: fixture.stack.tables };
const stored = makeStoredAlerts(context);
const MINUTE = 60_000;

/** Every fact there is. */
const FACTS: Required<AlertFacts> = {
  formId: 'form_1',
  formName: 'Contact us',
  surface: '1b',
  tokenName: 'Web shop',
  destinationId: 'dest_1',
  destinationName: 'CRM',
  problem: 'failing',
  lastAcceptedAt: NOON,
  rejections: 14,
  reason: 'signature_mismatch',
  mistake: 'secret_with_whitespace',
  expectedLeads: 3,
  used: 40_000,
  limit: 50_000,
  percent: 80,
  endsAt: NOON,
  skewSeconds: -130,
};

type Schemas = Record<string, { enum: string[]; properties: Record<string, unknown> }>;
const { schemas } = DOCUMENT.components as { schemas: Schemas };

test('the document knows every kind of alert and every fact', () => {
  expect(schemas.AlertKind?.enum).toEqual([...ALERT_KINDS]);
  expect(Object.keys(schemas.AlertFacts?.properties ?? {}).sort()).toEqual(Object.keys(FACTS).sort());
});

describe('an alert', () => {
  test('is shown with its texts and facts, and with nothing else that is stored', async () => {
    const owner = await newOwner();
    const incident = { at: NOW - 50 * MINUTE, kind: 'sender_broken', facts: FACTS } as const;
    const alert = await stored.open(owner.workspaceId, incident);
    const open = {
      alertId: alert.alertId,
      kind: 'sender_broken',
      status: 'open',
      since: '2026-11-15T10:10:10.000Z',
      openedAt: '2026-11-15T11:10:10.000Z',
      title: 'Leads to “Contact us” are being rejected',
      text: alert.opened.lines.join('\n'),
      formId: 'form_1',
      surface: '1b',
      destinationId: 'dest_1',
      facts: FACTS,
    };
    expect((await owner.get(`/alerts/${alert.alertId}`)).body).toEqual(open);
    await stored.close(alert, NOW);
    expect((await owner.get(`/alerts/${alert.alertId}`)).body).toEqual({
      ...open,
      status: 'closed',
      closedAt: NOON,
      outcome: 'recovered',
      closedTitle: 'Resolved: leads to “Contact us” are accepted again',
      closedText: expect.stringMatching(/nothing was accepted since .*\n.* 50 minutes\.$/),
    });
  });

  test('of a workspace-wide problem has no form', async () => {
    const owner = await newOwner();
    const facts = { surface: '1a', used: 50_000, limit: 50_000, percent: 100, endsAt: NOON } as const;
    const { alertId } = await stored.open(owner.workspaceId, { at: NOW, kind: 'daily_limit', facts });
    const { body } = await owner.get(`/alerts/${alertId}`);
    expect(body).toMatchObject({ title: 'Daily limit reached for server tokens', surface: '1a', facts });
    expect(body).not.toHaveProperty('formId');
  });

  test.each(['x', 'settings', '019a0000-0000-7000-8000-000000000000'])('%s is not found', async (id) => {
    const owner = await newOwner();
    expect((await owner.get(`/alerts/${id}`)).status).toBe(404);
    expect((await owner.post(`/alerts/${id}/seen`)).status).toBe(404);
  });

  test('is marked as seen by the first who says so, and stays so when it is closed', async () => {
    const owner = await newOwner();
    const alert = await stored.open(owner.workspaceId, { at: NOW - MINUTE });
    const at = `/alerts/${alert.alertId}`;
    expect((await owner.get(at)).body).not.toHaveProperty('seen');
    const asKey = { actor: 'key:key_1', role: undefined, scopes: 'alerts:read alerts:write' };
    const asViewer = { actor: 'user:mem_viewer', role: 'viewer' } as const;
    expect((await owner.post(`${at}/seen`, { authorized: asViewer })).status).toBe(403);
    const by = { at: NOON, byId: 'key_1' };
    expect((await owner.post(`${at}/seen`, { authorized: asKey })).body.seen).toEqual({ ...by, by: 'you' });
    expect((await owner.post(`${at}/seen`)).body.seen).toEqual({ ...by, by: 'key' });
    await stored.close(alert, NOW);
    expect((await owner.get(at)).body).toMatchObject({ status: 'closed', seen: { ...by, by: 'key' } });
    const other = await stored.open(owner.workspaceId, { at: NOW });
    await owner.post(`/alerts/${other.alertId}/seen`);
    const { body } = await owner.get('/alerts', { query: { status: 'open' }, authorized: asViewer });
    expect(body.alerts).toMatchObject([{ alertId: other.alertId, seen: { at: NOON, by: 'member' } }]);
  });
});

describe('the list of alerts', () => {
  let owner: Owner;
  let alerts: Alert[];

  /** How many minutes ago each was opened. */
  async function list(query: Record<string, string> = {}) {
    const { body } = await owner.get('/alerts', { query });
    const minutesAgo = body.alerts.map(({ openedAt }: Alert) => (NOW - Date.parse(openedAt)) / MINUTE);
    return { minutesAgo, cursor: body.cursor as string | undefined };
  }

  beforeAll(async () => {
    owner = await newOwner();
    alerts = [];
    for (let minutesAgo = 5; minutesAgo >= 0; minutesAgo -= 1) {
      alerts.unshift(await stored.open(owner.workspaceId, { at: NOW - minutesAgo * MINUTE }));
    }
    for (const alert of [alerts[1], alerts[3]]) await stored.close(alert as Alert, NOW);
  });

  test('has all of them, newest first, in pages with a cursor if there is more', async () => {
    expect(await list()).toEqual({ minutesAgo: [0, 1, 2, 3, 4, 5], cursor: undefined });
    expect(await list({ status: 'all', limit: '6' })).toEqual(await list());
    const { cursor = '', ...first } = await list({ limit: '3' });
    expect(first).toEqual({ minutesAgo: [0, 1, 2] });
    expect(await list({ limit: '3', cursor })).toEqual({ minutesAgo: [3, 4, 5], cursor: undefined });
  });

  test('has 50 on a page unless asked for more, and the newest 100 of those that are open', async () => {
    const busy = await newOwner();
    for (let n = 0; n < 101; n += 1) await stored.open(busy.workspaceId, { at: NOW - n * MINUTE });
    const { body } = await busy.get('/alerts');
    expect(body.alerts).toHaveLength(50);
    const { body: rest } = await busy.get('/alerts', { query: { limit: '100', cursor: body.cursor } });
    expect(rest.alerts).toHaveLength(51);
    const { body: open } = await busy.get('/alerts', { query: { status: 'open' } });
    expect(open.alerts).toEqual([...body.alerts, ...rest.alerts].slice(0, 100));
  });

  test('has those that are open now', async () => {
    expect(await list({ status: 'open' })).toEqual({ minutesAgo: [0, 2, 4, 5], cursor: undefined });
    expect(await list({ status: 'open', limit: '2' })).toEqual({ minutesAgo: [0, 2], cursor: undefined });
  });

  test('takes only its own cursors, and none for open alerts', async () => {
    const { cursor = '' } = await list({ limit: '1' });
    const wrong = [
      await owner.get('/alerts', { query: { cursor, status: 'open' }, beyondSchema: true }),
      await owner.get('/alerts', { query: { cursor: 'bm90IG91cnM' }, beyondSchema: true }),
    ];
    for (const { body } of wrong) expect(body.errors).toMatchObject([{ field: 'cursor' }]);
  });
});

describe('the reader of alerts', () => {
  const DAY = 86_400_000;
  const clock = { now: NOW };
  const reader = makeAlertReader({ ...context, now: () => clock.now });
  const signal = AbortSignal.timeout(120_000);

  let workspaceId: string;

  beforeEach(() => {
    workspaceId = `ws_${randomUUID()}`;
    clock.now = NOW;
  });

  async function page(limit: number, before?: string) {
    const { alerts, next } = await reader.page(workspaceId, { limit, before }, signal);
    return { ids: alerts.map(({ alertId }) => alertId), next };
  }

  test('begins a page where the one before ended, even if that alert is gone', async () => {
    const older = await stored.open(workspaceId, { at: NOW - MINUTE });
    const gone = await stored.open(workspaceId, { at: NOW });
    const Key = { workspaceId, sk: `alert#${gone.alertId}` };
    await fixture.observer.send(new DeleteCommand({ TableName: fixture.stack.tables.alerts, Key }));
    expect((await page(5, gone.alertId)).ids).toEqual([older.alertId]);
  });

  test('hides alerts that have expired, looks behind them, and ends a page that is exactly full', async () => {
    const oldest = await stored.open(workspaceId, { at: NOW - 9 * MINUTE });
    for (let n = 8; n > 2; n -= 1) {
      await stored.close(await stored.open(workspaceId, { at: NOW - n * MINUTE }), NOW);
    }
    const newest = await stored.open(workspaceId, { at: NOW - MINUTE });
    expect((await page(10)).ids).toHaveLength(8);
    clock.now = NOW + 90 * DAY;
    expect(await page(2)).toEqual({ ids: [newest.alertId, oldest.alertId], next: undefined });
    expect(await page(1)).toEqual({ ids: [newest.alertId], next: newest.alertId });
    expect(await page(1, newest.alertId)).toEqual({ ids: [oldest.alertId], next: undefined });
  });

  test('finds an alert by its id until it expires', async () => {
    const alert = await stored.open(workspaceId, { at: NOW });
    await stored.close(alert, NOW);
    const find = async () => (await reader.find(workspaceId, alert.alertId, signal))?.alertId;
    clock.now = NOW + 90 * DAY - 1000;
    expect(await find()).toBe(alert.alertId);
    clock.now = NOW + 90 * DAY;
    expect(await find()).toBeUndefined();
  });
});
