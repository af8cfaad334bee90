import { describe, expect, test } from '@jest/globals';
import type { SendTask } from '#sending/message.ts';
import { HOUR, MINUTE, openSendingFixtureForTests, SECOND } from './sending-fixture.ts';

const { fixture, own, statusesOf } = await openSendingFixtureForTests();

/** A receiver that takes so long, on the fixture's clock. Requests at the same time take no longer together. */
function taking(milliseconds: number, status = 204) {
  return () => {
    const end = startedAt + milliseconds;
    fixture.clock.now = Math.max(fixture.clock.now, end);
    return { status };
  };
}
let startedAt = 0;

/** Works on the tasks of one queue as one batch, which begins now. */
async function batch(isWanted: (task: SendTask) => boolean, size = 10): Promise<SendTask[]> {
  const due = fixture.queued.filter(({ at, task }) => at <= fixture.now() && isWanted(task)).slice(0, size);
  for (const entry of due) fixture.queued.splice(fixture.queued.indexOf(entry), 1);
  startedAt = fixture.now();
  const tasks = due.map(({ task }) => task);
  await fixture.perform(tasks);
  return tasks;
}
const inFastLane = (task: SendTask) => !('lane' in task);
const inSlowLane = (task: SendTask) => 'lane' in task;

async function strained() {
  fixture.receivers.set(own.url('slow'), taking(3_001));
  const destination = await fixture.newDestination(own.workspaceId, own.url('slow'));
  await fixture.accept(own.workspaceId);
  await batch(inFastLane);
  return destination;
}

describe('a destination', () => {
  test('is moved to the slow lane by one response that takes longer than three seconds', async () => {
    const { destinationId } = await strained();
    expect(await fixture.healthOf(destinationId)).toMatchObject({ strainedAt: expect.any(String) });
    await fixture.accept(own.workspaceId);
    await batch(inFastLane);
    // Moved without a request.
    expect(own.received()).toHaveLength(1);
    expect(fixture.queued.map(({ task }) => task)).toEqual([expect.objectContaining({ lane: 'slow' })]);
    await batch(inSlowLane);
    expect(own.received()).toHaveLength(2);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
  });

  test('is moved by a timeout too, and not by a response after exactly three seconds', async () => {
    fixture.receivers.set(own.url('one'), taking(3_000));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    await fixture.accept(own.workspaceId);
    await batch(inFastLane);
    expect(await fixture.healthOf(destinationId)).toBeUndefined();
    fixture.receivers.set(own.url('one'), () => ({ error: 'timeout' }));
    await fixture.accept(own.workspaceId);
    await batch(inFastLane);
    expect(await fixture.healthOf(destinationId)).toMatchObject({ strainedAt: expect.any(String) });
  });

  test('leaves the slow lane after ten fast responses in a row', async () => {
    const { destinationId } = await strained();
    const sendOne = async (milliseconds: number) => {
      fixture.receivers.set(own.url('slow'), taking(milliseconds));
      await fixture.accept(own.workspaceId);
      await batch(inFastLane);
      await batch(inSlowLane);
    };
    for (let count = 0; count < 9; count += 1) await sendOne(10);
    await sendOne(4_000);
    for (let count = 0; count < 9; count += 1) await sendOne(10);
    expect(await fixture.healthOf(destinationId)).toHaveProperty('strainedAt');
    await sendOne(10);
    expect(await fixture.healthOf(destinationId)).not.toHaveProperty('strainedAt');
    await fixture.accept(own.workspaceId);
    await batch(inFastLane);
    expect(own.received()).toHaveLength(22);
  });
});

describe('the slow lane', () => {
  test('has one invocation per workspace at a time, and the rest waits in the table', async () => {
    const { destinationId } = await strained();
    for (let lead = 0; lead < 4; lead += 1) await fixture.accept(own.workspaceId);
    await batch(inFastLane);
    let second: SendTask[] = [];
    fixture.receivers.set(own.url('slow'), async () => {
      // While the first batch is under way, Lambda starts another.
      if (second.length === 0) second = await batch(inSlowLane);
      return { status: 204 };
    });
    fixture.received.length = 0;
    await batch(inSlowLane, 2);
    expect(second).toHaveLength(2);
    expect(own.received()).toHaveLength(2);
    expect((await statusesOf(destinationId)).filter((status) => status === 'parked')).toHaveLength(2);
    // The first batch wakes the destination that waited.
    await fixture.runFor(10 * SECOND);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
    expect(own.received()).toHaveLength(4);
  });

  test('is free again half a minute after an invocation died', async () => {
    const { destinationId } = await strained();
    await fixture.accept(own.workspaceId);
    await fixture.slowLane.take(own.workspaceId, 'an invocation that died', fixture.now(), fixture.signal);
    await fixture.runFor(0);
    expect(await statusesOf(destinationId)).toEqual(['parked', 'delivered']);
    await fixture.runFor(3 * MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
  });

  test('is where a destination begins while another one of its workspace is slow', async () => {
    const slowStartAt = new Date(fixture.now()).toISOString();
    fixture.receivers.set(own.url('new'), taking(10));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('new'), { slowStartAt });
    const sendOne = async () => {
      await fixture.accept(own.workspaceId);
      await batch(inFastLane);
      return batch(inSlowLane);
    };
    for (let count = 0; count < 10; count += 1) expect(await sendOne()).toHaveLength(1);
    expect(await sendOne()).toEqual([]);
    expect(await statusesOf(destinationId)).toHaveLength(11);
  });

  test('drains a destination that waited for hours, ten at a time', async () => {
    const { destinationId, ...rest } = await strained();
    await fixture.store.change({ destinationId, ...rest }, { status: 'paused' }, fixture.signal);
    for (let lead = 0; lead < 35; lead += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(HOUR);
    const paused = await fixture.destination(own.workspaceId, destinationId);
    if (!paused) throw new Error('gone');
    await fixture.store.change(paused, { status: 'active' }, fixture.signal);
    const tasks: number[] = [];
    fixture.receivers.set(own.url('slow'), () => {
      tasks.push(fixture.now());
      return { status: 204 };
    });
    await fixture.perform([{ task: 'wake', workspaceId: own.workspaceId, destinationId, resumed: true }]);
    await fixture.runFor(5 * MINUTE);
    expect(tasks).toHaveLength(35);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
  });
});
