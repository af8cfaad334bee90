import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { makeLeadId } from '#model/lead-item.ts';
import { makeDestinationStore, makeDestinationSwitch } from '#sending/destinations-store.ts';
import { makeHealthStore } from '#sending/health-store.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { forgetMessages } from '#sending/send/wake-destination.ts';
import { makeSlowLane } from '#sending/slow-lane-store.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const NOW = Date.parse(NOON);
const fixture = openOwnerFixture(NOW);
const { tables } = fixture.stack;
const URL = 'https://receiver.example.com/leads';

async function newDestination(body: object = { kind: 'webhook', url: URL }) {
  const owner = await fixture.newOwner();
  const { body: made } = await owner.post('/destinations', { body });
  const { signingSecret, ...view } = made;
  fixture.queued.length = 0;
  return { owner, made, view, signingSecret, at: `/destinations/${made.destinationId}` };
}

const secretOf = ({ destinationId }: { destinationId: string }) =>
  fixture.itemOf('destinationSecrets', { destinationId });

/** As the send function does it. */
async function disable({ workspaceId }: Owner, { destinationId }: { destinationId: string }) {
  const { disable: stop } = makeDestinationSwitch({ client: fixture.observer, tables });
  await stop({ workspaceId, destinationId }, 'gone', fixture.clock.now, AbortSignal.timeout(10_000));
}

describe('changes', () => {
  test('leave alone what they do not name', async () => {
    const { owner, view, at } = await newDestination();
    const { body: renamed } = await owner.patch(at, { body: { name: ' CRM ' } });
    expect(renamed).toEqual({ ...view, name: 'CRM' });
    const events = ['lead.enriched'];
    const { body: both } = await owner.patch(at, { body: { events, onlyClean: false, includeFields: true } });
    expect(both).toEqual({ ...renamed, events, onlyClean: false, includeFields: true });
    expect((await owner.get(at)).body).toEqual(both);
    expect(fixture.queued).toEqual([]);
  });

  test('pause, and resume what waits, also after the service has disabled it', async () => {
    const { owner, view, made, at } = await newDestination();
    expect((await owner.patch(at, { body: { status: 'paused' } })).body.status).toBe('paused');
    expect(fixture.queued).toEqual([]);
    expect((await owner.post(`${at}/test`)).status).toBe(409);
    expect((await owner.patch(at, { body: { status: 'active' } })).body).toEqual(view);
    expect(fixture.queued).toEqual([
      { task: 'wake', workspaceId: owner.workspaceId, destinationId: made.destinationId, resumed: true },
    ]);
    await disable(owner, made);
    expect((await owner.get(at)).body).toEqual({
      ...view,
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: NOON,
    });
    expect((await owner.patch(at, { body: { status: 'active' } })).body).toEqual(view);
  });

  test('of the address of an active destination send what waits', async () => {
    const { owner, at } = await newDestination();
    await owner.patch(at, { body: { url: `${URL}/new` } });
    expect(fixture.queued).toMatchObject([{ task: 'wake', resumed: true }]);
    await owner.patch(at, { body: { status: 'paused' } });
    await owner.patch(at, { body: { url: URL } });
    expect(fixture.queued).toHaveLength(1);
  });

  test('made at the same time are all kept', async () => {
    const { owner, view, made, at } = await newDestination();
    await Promise.all([
      owner.patch(at, { body: { name: 'CRM' } }),
      owner.patch(at, { body: { onlyClean: false } }),
      disable(owner, made),
    ]);
    expect((await owner.get(at)).body).toEqual({
      ...view,
      name: 'CRM',
      onlyClean: false,
      status: 'disabled',
      disabledReason: 'gone',
      disabledAt: NOON,
    });
  });

  test('are refused if somebody else is always faster', async () => {
    const { owner, made, at } = await newDestination();
    const Key = { workspaceId: owner.workspaceId, destinationId: made.destinationId };
    fixture.calls.injectBefore(async (command) => {
      if (command === 'PutItem') {
        await fixture.observer.send(
          new UpdateCommand({
            TableName: tables.destinations,
            Key,
            UpdateExpression: 'ADD revision :one',
            ExpressionAttributeValues: { ':one': 1 },
          }),
        );
      }
      return undefined;
    });
    const response = await owner.patch(at, { body: { name: 'Late' } });
    fixture.calls.injectBefore(undefined);
    expect(response.status).toBe(409);
    expect((await owner.get(at)).body.name).toBe('receiver.example.com');
  });
});

test('a Slack URL is not replaced by an earlier one that arrives late', async () => {
  const slack = 'https://hooks.slack.com/services/T000/B000/abcdef';
  const { owner, made, at } = await newDestination({ kind: 'slack', url: slack });
  await owner.patch(at, { body: { name: 'Sales' } });
  await owner.patch(at, { body: { url: `${slack}2` } });
  const { setSlackUrl } = makeDestinationStore({ client: fixture.observer, tables });
  await setSlackUrl(made.destinationId, `${slack}1`, 1, AbortSignal.timeout(10_000));
  expect(await secretOf(made)).toMatchObject({ slackUrl: `${slack}2` });
});

describe('rotation', () => {
  test('keeps the old secret for a day, or as long as the owner chooses', async () => {
    const { owner, made, view, signingSecret, at } = await newDestination();
    const { status, body } = await owner.post(`${at}/rotate`);
    expect(status).toBe(201);
    expect(body).toEqual({
      destinationId: made.destinationId,
      signingSecret: expect.not.stringContaining(signingSecret),
      previousWorksUntil: '2026-11-16T12:00:10.000Z',
    });
    expect(await secretOf(made)).toMatchObject({
      signingSecret: body.signingSecret,
      previousSecret: signingSecret,
      previousEndsAtMilliseconds: Date.parse(body.previousWorksUntil),
    });
    const rotated = { ...view, secretSetAt: NOON, previousSecretWorksUntil: body.previousWorksUntil };
    expect((await owner.get(at)).body).toEqual(rotated);

    const { body: second } = await owner.post(`${at}/rotate`, { body: { graceSeconds: 0 } });
    expect(second.previousWorksUntil).toBe(NOON);
    expect((await owner.get(at)).body).toEqual(view);
  });

  test('loses no secret when it is written twice, and none to an earlier one that arrives late', async () => {
    const { made, signingSecret: old } = await newDestination();
    const { rotateSecret } = makeDestinationStore({ client: fixture.observer, tables });
    const rotate = (signingSecret: string, revision: number) =>
      rotateSecret(made.destinationId, { signingSecret, endsAt: NOW, revision }, AbortSignal.timeout(10_000));
    // As the SDK does it when a response was lost.
    expect([await rotate('whsec_new', 2), await rotate('whsec_new', 2)]).toEqual([true, true]);
    expect(await rotate('whsec_late', 1)).toBe(false);
    expect(await secretOf(made)).toMatchObject({ signingSecret: 'whsec_new', previousSecret: old });
  });

  test('refuses a longer grace period than a week', async () => {
    const { owner, at } = await newDestination();
    const { body } = await owner.post(`${at}/rotate`, { body: { graceSeconds: 604_801 } });
    expect(body.errors).toEqual([{ field: 'graceSeconds', problem: expect.stringMatching(/0 to 604800/) }]);
  });

  test('is for webhooks only', async () => {
    const { owner, at } = await newDestination({ kind: 'email', email: 'sales@example.com' });
    expect((await owner.post(`${at}/rotate`)).status).toBe(409);
  });
});

describe('deleting', () => {
  test('also deletes what its responses may have repeated of leads', async () => {
    const { owner, made, at } = await newDestination();
    const { destinationId } = made;
    const { signal } = new AbortController();
    const messages = makeMessages({ client: fixture.observer, tables });
    const failed = { status: 'failed', attempts: [], countedAttempts: 8, createdAt: NOON } as const;
    const [first, second] = [1, 2].map((n) => ({
      destinationId,
      workspaceId: owner.workspaceId,
      leadId: makeLeadId(NOW, Buffer.alloc(10, n)),
      type: 'lead.accepted' as const,
      ...failed,
    }));
    for (const each of [first, second]) {
      if (each) await messages.write({ ...each, answerExcerpt: 'No, Ada Byron!' }, undefined, signal);
    }
    await owner.delete(at);
    const [task] = fixture.queued.splice(0);
    if (task?.task !== 'forgetAll') throw new Error('nothing was queued');
    const health = makeHealthStore({ client: fixture.observer, tables });
    const dependencies = { messages, health, queue: { add: async () => undefined }, now: () => NOW };
    expect(await forgetMessages(task, dependencies, signal)).toBe(2);
    const { messages: left } = await messages.page(destinationId, { from: '0', limit: 10 }, signal);
    expect(left.map(({ answerExcerpt }) => answerExcerpt)).toEqual([undefined, undefined]);
  });

  test('removes the destination and its secret', async () => {
    const { owner, made, at } = await newDestination();
    expect((await owner.delete(at)).status).toBe(204);
    expect(await secretOf(made)).toBeUndefined();
    expect((await owner.get('/destinations')).body.destinations).toEqual([]);
    for (const response of [await owner.get(at), await owner.delete(at), await owner.post(`${at}/test`)]) {
      expect(response.status).toBe(404);
    }
  });

  test('that was cut short is completed by repeating it, and by nobody else', async () => {
    const { owner, made, at } = await newDestination();
    let deletes = 0;
    fixture.calls.injectBefore((command) => {
      if (command === 'DeleteItem') deletes += 1;
      return command === 'DeleteItem' && deletes > 1 ? new Error('cut short') : undefined;
    });
    expect((await owner.delete(at)).status).toBe(500);
    fixture.calls.injectBefore(undefined);
    await fixture.ownerOf('ws_other').delete(at);
    expect(await secretOf(made)).toBeDefined();
    expect((await owner.delete(at)).status).toBe(404);
    expect(await secretOf(made)).toBeUndefined();
  });
});

describe('health of destinations', () => {
  const DAY = 24 * 60 * 60 * 1000;

  async function newOwner(health: object = {}) {
    const owner = await fixture.newOwner();
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
});
