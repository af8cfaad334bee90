import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE, openSendingFixtureForTests, SECOND } from './sending-fixture.ts';

const { fixture, own, statusesOf } = await openSendingFixtureForTests();

describe('a destination', () => {
  test('that is unreachable is probed at 5 s, 1, 5 and 30 min and hourly, while messages are parked', async () => {
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
    for (let lead = 0; lead < 5; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(0);
    expect(own.received()).toHaveLength(5);
    const opened = fixture.now();
    for (let lead = 0; lead < 20; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(4 * HOUR);
    const probes = own
      .received()
      .slice(5)
      .map(({ at }) => Math.round((at - opened) / SECOND));
    expect(probes.slice(0, 3)).toEqual([5, 65, 365]);
    // From then on the sweep starts them, once a minute.
    expect(probes.slice(3).map((seconds) => Math.floor((seconds - 365) / 60))).toEqual([30, 90, 150, 210]);
    const messages = await fixture.messagesOf(destinationId);
    expect(messages).toHaveLength(25);
    expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(['parked']));
    expect(Math.max(...messages.map(({ countedAttempts }) => countedAttempts))).toBe(1);
  });

  test('that recovers gets everything that waited, in growing steps', async () => {
    let works = false;
    fixture.receivers.set(own.url('one'), () => (works ? { status: 200 } : { status: 503 }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    for (let lead = 0; lead < 60; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(2 * MINUTE);
    works = true;
    fixture.received.length = 0;
    await fixture.runFor(10 * MINUTE);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
    expect(own.received()).toHaveLength(60);
    const steps = new Map<number, number>();
    for (const { at } of own.received()) steps.set(at, (steps.get(at) ?? 0) + 1);
    expect([...steps.values()]).toEqual([11, 20, 29]);
    // Nothing is left to look at.
    await fixture.runFor(10 * MINUTE);
    expect(await fixture.healthOf(destinationId)).not.toHaveProperty('dueAt');
  });

  test('that fails for five days is disabled, and resumes with all that waited', async () => {
    let works = false;
    fixture.receivers.set(own.url('one'), () => (works ? { status: 200 } : { error: 'timeout' }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    for (let lead = 0; lead < 6; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(5 * DAY + 2 * HOUR);
    const disabled = await fixture.destination(own.workspaceId, destinationId);
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const before = own.received().length;
    await fixture.runFor(DAY);
    expect(own.received()).toHaveLength(before);
    works = true;
    if (!disabled) throw new Error('gone');
    await fixture.store.change(disabled, { status: 'active', disabledReason: undefined }, fixture.signal);
    await fixture.perform([{ task: 'wake', workspaceId: own.workspaceId, destinationId, resumed: true }]);
    expect(await fixture.healthOf(destinationId)).toMatchObject({ untriedSince: expect.any(Number) });
    await fixture.runFor(10 * MINUTE);
    expect(await fixture.healthOf(destinationId)).not.toHaveProperty('untriedSince');
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
  });

  test('that was deleted with everything stays away when a late task wakes it', async () => {
    const destinationId = 'dest_gone';
    await fixture.perform([{ task: 'wake', workspaceId: own.workspaceId, destinationId }]);
    expect(await fixture.healthOf(destinationId)).toBeUndefined();
  });

  test('that is dead delays no other', async () => {
    fixture.receivers.set(own.url('good'), () => ({ status: 200 }));
    const good = await fixture.newDestination(own.workspaceId, own.url('good'));
    const dead = await fixture.newDestination(own.workspaceId, own.url('dead'));
    for (let lead = 0; lead < 40; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(0);
    expect(new Set(await statusesOf(good.destinationId))).toEqual(new Set(['delivered']));
    // One batch of ten at most is under way when the breaker opens.
    expect(own.received().filter((each) => each.url === own.url('dead')).length).toBeLessThanOrEqual(15);
    expect(await statusesOf(dead.destinationId)).toHaveLength(40);
  });

  test('that returns 410 is disabled, what comes after is parked, and all since a time is replayed', async () => {
    fixture.receivers.set(own.url('one'), () => ({ status: 410 }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    await fixture.accept(own.workspaceId);
    await fixture.runFor(HOUR);
    expect(await fixture.healthOf(destinationId)).toHaveProperty('failingSince');
    const since = await fixture.accept(own.workspaceId);
    await fixture.runFor(DAY);
    expect(own.received()).toHaveLength(1);
    expect(await statusesOf(destinationId)).toEqual(['parked', 'failed']);
    fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
    const disabled = await fixture.destination(own.workspaceId, destinationId);
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    if (!disabled) throw new Error('gone');
    await fixture.store.change(disabled, { status: 'active', disabledReason: undefined }, fixture.signal);
    await fixture.perform([{ task: 'replay', workspaceId: own.workspaceId, destinationId, from: since }]);
    await fixture.runFor(MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'failed']);
    await fixture.perform([{ task: 'replay', workspaceId: own.workspaceId, destinationId, from: '0' }]);
    await fixture.runFor(MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
  });

  test('that is deleted gets nothing more, and is forgotten with its messages', async () => {
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
    await fixture.accept(own.workspaceId);
    await fixture.runFor(SECOND);
    expect(await fixture.healthOf(destinationId)).toBeDefined();
    await fixture.store.remove(own.workspaceId, destinationId, fixture.signal);
    await fixture.perform([{ task: 'forgetAll', workspaceId: own.workspaceId, destinationId, from: '0' }]);
    const { expiresAt } = (await fixture.healthOf(destinationId)) as { expiresAt?: number };
    expect(expiresAt).toBe(Math.ceil((fixture.now() + 30 * DAY) / SECOND));
    await fixture.runFor(DAY);
    expect(own.received()).toHaveLength(1);
  });
});
