import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE, openSendingFixtureForTests, SECOND } from './sending-fixture.ts';

// What the circuit breaker means for one message among others.

const { fixture, own, statusesOf } = await openSendingFixtureForTests();

describe('a message that the receiver refuses', () => {
  /** Refuses the message of one lead, and accepts all others. */
  async function refusing(status: number) {
    const poison = { leadId: '' };
    fixture.receivers.set(own.url('one'), ({ body }) => ({
      status: body.includes(poison.leadId) ? status : 200,
    }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    poison.leadId = await fixture.accept(own.workspaceId);
    return { destinationId, poison: poison.leadId };
  }

  test('fails after its eight attempts, delays no other, and alone disables no destination', async () => {
    const { destinationId, poison } = await refusing(422);
    for (let part = 0; part < 6; part += 1) {
      await fixture.runFor(5 * HOUR);
      const sent = own.received().length;
      await fixture.accept(own.workspaceId);
      await fixture.runFor(0);
      expect(own.received().length).toBeGreaterThan(sent);
    }
    const messages = await fixture.messagesOf(destinationId);
    expect(messages.filter(({ status }) => status === 'delivered')).toHaveLength(6);
    expect(messages.find(({ leadId }) => leadId === poison)).toMatchObject({
      status: 'failed',
      countedAttempts: 8,
    });
    expect(own.received().filter(({ body }) => body.includes(poison))).toHaveLength(8);
    await fixture.runFor(5 * DAY);
    expect(await fixture.healthOf(destinationId)).not.toHaveProperty('failingSince');
    expect(await fixture.destination(own.workspaceId, destinationId)).toMatchObject({ status: 'active' });
  });

  test('opens the breaker as the twentieth in a row', async () => {
    fixture.receivers.set(own.url('one'), () => ({ status: 422 }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    for (let lead = 0; lead < 19; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(10 * SECOND);
    expect(await fixture.healthOf(destinationId)).not.toHaveProperty('openedAt');
    await fixture.accept(own.workspaceId);
    await fixture.runFor(0);
    expect(await fixture.healthOf(destinationId)).toHaveProperty('openedAt');
  });

  test('does not keep the breaker open after an outage', async () => {
    let works = false;
    const refused = new Set<string>();
    fixture.receivers.set(own.url('one'), ({ body }) => {
      if (!works) return { status: 503 };
      return { status: [...refused].some((leadId) => body.includes(leadId)) ? 422 : 200 };
    });
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    for (let lead = 0; lead < 9; lead += 1) refused.add(await fixture.accept(own.workspaceId));
    await fixture.accept(own.workspaceId);
    await fixture.runFor(3 * HOUR);
    works = true;
    await fixture.runFor(HOUR + 2 * MINUTE);
    const statuses = await statusesOf(destinationId);
    expect(statuses.filter((status) => status === 'delivered')).toHaveLength(1);
  });
});

describe('a message to a destination that is down', () => {
  test('fails after its eight attempts if it is the only one', async () => {
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
    await fixture.accept(own.workspaceId);
    await fixture.runFor(2 * DAY);
    expect(own.received()).toHaveLength(8);
    expect(await statusesOf(destinationId)).toEqual(['failed']);
  });

  test('takes turns with others as the probe, which uses none of its attempts', async () => {
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
    for (let lead = 0; lead < 5; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(5 * HOUR);
    const probes = own.received().slice(5);
    expect(probes).toHaveLength(8);
    expect(new Set(probes.map(({ id }) => id)).size).toBe(5);
    const messages = await fixture.messagesOf(destinationId);
    expect(messages.map(({ countedAttempts }) => countedAttempts)).toEqual([1, 1, 1, 1, 1]);
  });

  test('is sent once, however many look at the destination at the same time', async () => {
    let works = false;
    fixture.receivers.set(own.url('one'), () => (works ? { status: 200 } : { status: 503 }));
    const { destinationId, workspaceId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    for (let lead = 0; lead < 60; lead += 1) await fixture.accept(workspaceId);
    await fixture.runFor(2 * MINUTE);
    works = true;
    fixture.received.length = 0;
    const wake = { task: 'wake', workspaceId, destinationId } as const;
    await fixture.perform([{ ...wake, resumed: true }]);
    await Promise.all([fixture.perform([wake]), fixture.perform([wake]), fixture.perform([wake])]);
    const queued = fixture.queued.flatMap(({ task }) => (task.task === 'send' ? [task.leadId] : []));
    expect(queued.length).toBeGreaterThan(10);
    expect(new Set(queued).size).toBe(queued.length);
    await fixture.runFor(10 * MINUTE);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
    expect(own.received()).toHaveLength(60);
  });

  test('is queued once while it waits in the queue, for as long as a slow drain takes', async () => {
    fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
    const paused = await fixture.newDestination(own.workspaceId, own.url('one'), { status: 'paused' });
    const { workspaceId, destinationId } = paused;
    for (let lead = 0; lead < 60; lead += 1) await fixture.accept(workspaceId);
    await fixture.runFor(MINUTE);
    await fixture.store.change(paused, { status: 'active' }, fixture.signal);
    await fixture.perform([{ task: 'wake', workspaceId, destinationId, resumed: true }]);
    // Only looks at destinations are worked on; messages stay in the queue.
    const sends: unknown[] = [];
    for (let second = 0; second < 8 * 60; second += 1) {
      fixture.clock.now += SECOND;
      const due = fixture.queued.filter(({ at }) => at <= fixture.now());
      for (const entry of due) fixture.queued.splice(fixture.queued.indexOf(entry), 1);
      sends.push(...due.filter(({ task }) => task.task === 'send' && task.destinationId === destinationId));
      const wakes = due.filter(({ task }) => task.task === 'wake').map(({ task }) => task);
      if (wakes.length > 0) await fixture.perform(wakes);
      if (second % 60 === 0) await fixture.sweep();
    }
    expect(sends).toHaveLength(60);
    // A message that was lost in the queue is found in the table.
    await fixture.runFor(15 * MINUTE);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
  });
});

describe('a lead that is marked as spam while its message waits', () => {
  test.each([
    [true, 'cancelled'],
    [false, 'delivered'],
  ])('is not sent if only clean leads are wanted (%s)', async (onlyClean, status) => {
    fixture.receivers.set(own.url('one'), () => ({ status: fixture.now() < later ? 503 : 200 }));
    const later = fixture.now() + SECOND;
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'), { onlyClean });
    const leadId = await fixture.accept(own.workspaceId);
    await fixture.runFor(0);
    await fixture.setClean(leadId, false);
    await fixture.runFor(HOUR);
    expect(await statusesOf(destinationId)).toEqual([status]);
    await fixture.setClean(leadId, true);
    const { workspaceId } = own;
    const at = new Date(fixture.now()).toISOString();
    const event = { workspaceId, formId: 'form_1', leadId, at, clean: true, madeClean: true } as const;
    await fixture.announce({ type: 'lead.accepted', ...event });
    await fixture.runFor(HOUR);
    expect(await statusesOf(destinationId)).toEqual(['delivered']);
    expect(own.received().map(({ at: when }) => when >= later)).toEqual([false, true]);
  });
});
