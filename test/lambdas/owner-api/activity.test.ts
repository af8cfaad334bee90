import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { memberIdOf } from '#owner-api/principal.ts';
import { itemsOf } from '../../stored-items.ts';
import { type Owner, openOwnerFixture } from './owner-fixture.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-16T10:00:00Z'));
let owner: Owner;

beforeEach(async () => {
  owner = await fixture.newOwner();
  fixture.calls.injectBefore(undefined);
});

interface Entry {
  readonly action: string;
  readonly targets: Record<string, string>;
  readonly actor: Record<string, string>;
  readonly at: string;
}

async function activity(query = {}): Promise<Entry[]> {
  return (await owner.get('/activity', { query })).body.activity;
}

test('entries of earlier versions, with the ids of Cognito, show the ids of members', async () => {
  const [userId, removed] = ['0c8bd5a4-70a1-7027-9c3f-000000000001', '0c8bd5a4-70a1-7027-9c3f-000000000002'];
  const me = await fixture.join(owner.workspaceId, userId, 'owner');
  const { workspaceId } = owner;
  const actor = { kind: 'user', id: userId, name: 'ada@example.com' };
  const action = 'DELETE /settings/members/{memberId}';
  const Item = {
    ...{ workspaceId, activityId: '019a0000-0000-7000-8000-000000000000', at: '2026-11-15T10:00:00.000Z' },
    ...{ actor, action, targets: { memberId: removed }, v: 1 },
  };
  await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.activity, Item }));
  await owner.post('/forms', { body: { name: 'Quotes' }, authorized: { actor: `user:${me}` } });
  const [latest, earlier] = await activity();
  expect(latest?.actor.id).toBe(me);
  expect(earlier).toMatchObject({
    actor: { id: me },
    targets: { memberId: memberIdOf(workspaceId, removed) },
  });
});

test('a change says who, what and when, with ids', async () => {
  const actor = { actor: 'user:mem_1', actorName: 'grace@example.com' };
  const { formId } = (await owner.post('/forms', { body: { name: 'Quotes' }, authorized: actor })).body;
  fixture.clock.now += 1_000;
  const patched = { body: { name: 'Orders' }, authorized: actor };
  await owner.patch(`/forms/${formId}`, patched);
  const user = { kind: 'user', id: 'mem_1', name: 'grace@example.com' };
  const at = new Date(fixture.clock.now).toISOString();
  expect(await activity()).toEqual([
    expect.objectContaining({
      at,
      actor: user,
      action: 'PATCH /settings/forms/{formId}',
      targets: { formId },
    }),
    expect.objectContaining({ actor: user, action: 'POST /settings/forms', targets: { formId } }),
  ]);
});

test('a change by an API key names the key', async () => {
  const authorized = { actor: 'key:key_1', actorName: 'Zapier', role: undefined, scopes: 'forms:write' };
  expect((await owner.post('/forms', { body: { name: 'Quotes' }, authorized })).status).toBe(201);
  expect((await activity())[0]?.actor).toEqual({ kind: 'key', id: 'key_1', name: 'Zapier' });
});

test('no value and no secret is written down', async () => {
  const { formId } = (await owner.post('/forms', { body: { name: 'Very private name' } })).body;
  const secret = 'a secret that I chose myself';
  await owner.put(`/forms/${formId}/delivery/secret`, { body: { secret } });
  const { token } = (await owner.post('/tokens', { body: { formId, name: 'Name of a token' } })).body;
  const { apiKey } = (await owner.post('/api-keys', { body: { name: 'My key', scopes: ['stats:read'] } }))
    .body;
  const destination = { kind: 'webhook', url: 'https://receiver.example.com/hidden' };
  const { signingSecret } = (await owner.post('/destinations', { body: destination })).body;
  const { workspaceId } = owner;
  const items = await itemsOf(fixture.observer, fixture.stack.tables.activity, { workspaceId });
  expect(items).toHaveLength(5);
  const stored = JSON.stringify(items);
  for (const value of ['private', 'Name of', 'My key', 'hidden', secret, token, apiKey, signingSecret]) {
    expect(stored).not.toContain(value);
  }
  const seconds = Math.floor(fixture.clock.now / 1000) + 400 * 24 * 60 * 60;
  expect(items.every(({ expiresAt, v }) => expiresAt === seconds && v === 1)).toBe(true);
});

describe('is not in the log:', () => {
  test.each<[string, () => Promise<{ status: number }>, number]>([
    ['reading', () => owner.get('/forms'), 200],
    ['what was refused', () => owner.post('/forms', { body: {} }), 400],
    [
      'what a viewer tried',
      () => owner.post('/forms', { body: { name: 'x' }, authorized: { role: 'viewer' } }),
      403,
    ],
    ['what does not exist', () => owner.delete('/tokens/tok_0000000000000000000000'), 404],
  ])('%s', async (_, act, status) => {
    expect((await act()).status).toBe(status);
    expect(await activity()).toEqual([]);
  });

  test('debugging a signature', async () => {
    const { formId } = (await owner.post('/forms', { body: { name: 'Quotes' } })).body;
    const body = { bodyBase64: '' };
    expect((await owner.post(`/forms/${formId}/delivery/debug`, { body })).status).toBe(200);
    expect(await activity()).toHaveLength(1);
  });
});

test('pages are newest first, and every entry is on one of them', async () => {
  for (let n = 0; n < 5; n += 1) {
    fixture.clock.now += 1_000;
    await owner.post('/forms', { body: { name: `Form ${n}` } });
  }
  const seen: Entry[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '2', ...(cursor !== undefined && { cursor }) };
    const { body } = await owner.get('/activity', { query });
    seen.push(...body.activity);
    cursor = body.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(await activity());
  expect(seen.map(({ at }) => at)).toEqual(
    seen
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  expect(seen).toHaveLength(5);
});

test('a log that cannot be written leaves the change as it is, and operators are told', async () => {
  fixture.calls.injectBefore((command, input) => {
    const { TableName } = input as { TableName?: string };
    const isLog = command === 'PutItem' && TableName === fixture.stack.tables.activity;
    return isLog ? new Error('the table is gone') : undefined;
  });
  const { status, body } = await owner.post('/forms', { body: { name: 'Quotes' } });
  expect(status).toBe(201);
  fixture.calls.injectBefore(undefined);
  expect((await owner.get(`/forms/${body.formId}`)).status).toBe(200);
  expect(await activity()).toEqual([]);
  const line = fixture.logLines
    .map((each) => JSON.parse(each))
    .find(({ ActivityLost }) => ActivityLost === 1);
  expect(line).toMatchObject({
    level: 'ERROR',
    code: 'settings.activity_lost',
    workspaceId: owner.workspaceId,
    route: 'POST /settings/forms',
    targets: { formId: body.formId },
  });
  expect(JSON.stringify(line)).not.toContain('the table is gone');
});

test('inviting and removing members is in the log, without addresses', async () => {
  const body = { email: 'grace-of-the-log@example.com', role: 'viewer' };
  const { memberId } = (await owner.post('/members', { body })).body;
  fixture.clock.now += 1_000;
  await owner.delete(`/members/${memberId}`);
  const entries = await activity();
  expect(entries.map(({ action, targets }) => [action, targets])).toEqual([
    ['DELETE /settings/members/{memberId}', { memberId }],
    ['POST /settings/members', { memberId }],
  ]);
  expect(JSON.stringify(entries)).not.toContain('grace-of-the-log');
});
