import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { makeSlowLane } from '#sending/slow-lane-store.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const NOW = Date.parse(NOON);
const DAY = 24 * 60 * 60 * 1000;
const fixture = openOwnerFixture(NOW);
const { tables } = fixture.stack;
const URL = 'https://receiver.example.com/leads';

async function newOwner(health: object = {}) {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Health' });
  const owner = fixture.ownerOf(workspaceId);
  const create = async () =>
    (await owner.post('/destinations', { body: { kind: 'webhook', url: URL } })).body;
  const { destinationId, signingSecret: _secret, ...view } = await create();
  const setHealth = async (id: string, known: object) => {
    const Item = { destinationId: id, sk: '#health', ...known };
    await fixture.observer.send(new PutCommand({ TableName: tables.messages, Item }));
  };
  await setHealth(destinationId, health);
  return { owner, create, setHealth, destinationId, view, at: `/destinations/${destinationId}` };
}

test.each([
  [{}, { state: 'ok' }],
  [{ failingSince: NOON }, { state: 'failing', failingSince: NOON }],
  [
    { failingSince: NOON, openedAt: NOON },
    { state: 'unreachable', failingSince: NOON },
  ],
  [{ strainedAt: NOON }, { state: 'ok', slowSince: NOON }],
])('%j is shown as %j', async (health, shown) => {
  const { owner, view, destinationId, at } = await newOwner(health);
  expect((await owner.get(at)).body).toEqual({ ...view, destinationId, health: shown });
  expect((await owner.get('/destinations')).body.destinations).toMatchObject([{ health: shown }]);
  expect((await owner.patch(at, { body: { name: 'X' } })).body.health).toEqual(shown);
});

describe('while a destination is slow', () => {
  const slow = { state: 'ok', slowSince: NOON };

  test('new ones of its workspace begin as slow', async () => {
    const { create } = await newOwner({ strainedAt: NOON });
    expect((await create()).health).toEqual(slow);
    const other = await newOwner();
    expect((await other.create()).health).toEqual({ state: 'ok' });
  });

  test('a changed URL begins as slow, and a changed name does not', async () => {
    const { owner, create, setHealth, at } = await newOwner();
    const { destinationId } = await create();
    await setHealth(destinationId, { strainedAt: NOON });
    expect((await owner.patch(at, { body: { name: 'X' } })).body.health).toEqual({ state: 'ok' });
    expect((await owner.patch(at, { body: { url: `${URL}/2` } })).body.health).toEqual(slow);
  });

  test.each([
    ['is remembered for a day', 1_000, slow],
    ['is forgotten after that', DAY, { state: 'ok' }],
  ])('one that was deleted %s', async (_, ago, health) => {
    const { owner, create, destinationId, at } = await newOwner();
    const lane = makeSlowLane({ client: fixture.observer, tables });
    const key = { workspaceId: owner.workspaceId, destinationId };
    await lane.markSlow(key, NOW - ago, AbortSignal.timeout(10_000));
    await owner.delete(at);
    expect((await create()).health).toEqual(health);
  });
});
