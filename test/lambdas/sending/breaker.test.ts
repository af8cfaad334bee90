import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openSendingBench } from './sending-bench.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let bench: Awaited<ReturnType<typeof openSendingBench>>;
let workspaceId: string;
let count = 0;

beforeAll(async () => {
  bench = await openSendingBench();
});
afterAll(() => bench.close());

beforeEach(() => {
  count += 1;
  workspaceId = `ws_${count}`;
  bench.received.length = 0;
  bench.queued.length = 0;
});

const url = (name: string) => `https://${name}.example/${count}`;
/** What this test's own receivers got: destinations of earlier tests are still probed. */
const received = () => bench.received.filter((each) => each.url.endsWith(`/${count}`));
const statusesOf = async (destinationId: string) =>
  (await bench.messagesOf(destinationId)).map(({ status }) => status);

describe('a destination', () => {
  test('that answers 410 is disabled, and what comes after is parked', async () => {
    bench.receivers.set(url('one'), () => ({ status: 410 }));
    const { destinationId } = await bench.newDestination(workspaceId, url('one'));
    await bench.accept(workspaceId);
    await bench.runFor(MINUTE);
    expect(await bench.destination(workspaceId, destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
    await bench.accept(workspaceId);
    await bench.runFor(DAY);
    expect(received()).toHaveLength(1);
    expect(await statusesOf(destinationId)).toEqual(['parked', 'failed']);
  });

  test('that is unreachable is probed at 5 s, 1, 5 and 30 min and hourly, while messages are parked', async () => {
    const { destinationId } = await bench.newDestination(workspaceId, url('dead'));
    for (let lead = 0; lead < 5; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(0);
    expect(received()).toHaveLength(5);
    const opened = bench.now();
    for (let lead = 0; lead < 20; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(4 * HOUR);
    const probes = received()
      .slice(5)
      .map(({ at }) => Math.round((at - opened) / SECOND));
    expect(probes.slice(0, 3)).toEqual([5, 65, 365]);
    // From then on the sweep starts them, once a minute.
    expect(probes.slice(3).map((seconds) => Math.floor((seconds - 365) / 60))).toEqual([30, 90, 150, 210]);
    const messages = await bench.messagesOf(destinationId);
    expect(messages).toHaveLength(25);
    expect(new Set(messages.map(({ status }) => status))).toEqual(new Set(['parked']));
    expect(Math.max(...messages.map(({ countedAttempts }) => countedAttempts))).toBe(1);
  });

  test('that recovers gets everything that waited, in growing steps', async () => {
    let works = false;
    bench.receivers.set(url('one'), () => (works ? { status: 200 } : { status: 503 }));
    const { destinationId } = await bench.newDestination(workspaceId, url('one'));
    for (let lead = 0; lead < 60; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(2 * MINUTE);
    works = true;
    bench.received.length = 0;
    await bench.runFor(10 * MINUTE);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
    expect(received()).toHaveLength(60);
    const steps = new Map<number, number>();
    for (const { at } of received()) steps.set(at, (steps.get(at) ?? 0) + 1);
    expect([...steps.values()]).toEqual([11, 20, 29]);
    // Nothing is left to look at.
    await bench.runFor(10 * MINUTE);
    expect(await bench.healthOf(destinationId)).not.toHaveProperty('dueAt');
  });

  test('that fails for five days is disabled, and resumes with all that waited', async () => {
    let works = false;
    bench.receivers.set(url('one'), () => (works ? { status: 200 } : { error: 'timeout' }));
    const { destinationId } = await bench.newDestination(workspaceId, url('one'));
    for (let lead = 0; lead < 6; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(5 * DAY + 2 * HOUR);
    const disabled = await bench.destination(workspaceId, destinationId);
    expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    const before = received().length;
    await bench.runFor(DAY);
    expect(received()).toHaveLength(before);
    works = true;
    if (!disabled) throw new Error('gone');
    await bench.keeper.change(disabled, { status: 'active', disabledReason: undefined }, bench.signal);
    await bench.perform([{ task: 'wake', workspaceId, destinationId, resumed: true }]);
    await bench.runFor(10 * MINUTE);
    expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
  });

  test('that is paused keeps its messages until it is resumed', async () => {
    bench.receivers.set(url('one'), () => ({ status: 200 }));
    const paused = await bench.newDestination(workspaceId, url('one'), { status: 'paused' });
    const { destinationId } = paused;
    for (let lead = 0; lead < 3; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(DAY);
    expect(received()).toHaveLength(0);
    await bench.keeper.change(paused, { status: 'active' }, bench.signal);
    await bench.perform([{ task: 'wake', workspaceId, destinationId, resumed: true }]);
    await bench.runFor(5 * MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('that is deleted gets nothing more', async () => {
    const { destinationId } = await bench.newDestination(workspaceId, url('dead'));
    await bench.accept(workspaceId);
    await bench.runFor(SECOND);
    await bench.keeper.remove(workspaceId, destinationId, bench.signal);
    await bench.runFor(DAY);
    expect(received()).toHaveLength(1);
  });

  test('that was deleted with everything stays away when a late task wakes it', async () => {
    const destinationId = 'dest_gone';
    await bench.perform([{ task: 'wake', workspaceId, destinationId }]);
    expect(await bench.healthOf(destinationId)).toBeUndefined();
  });

  test('that is dead delays no other', async () => {
    bench.receivers.set(url('good'), () => ({ status: 200 }));
    const good = await bench.newDestination(workspaceId, url('good'));
    const dead = await bench.newDestination(workspaceId, url('dead'));
    for (let lead = 0; lead < 40; lead += 1) await bench.accept(workspaceId);
    await bench.runFor(0);
    expect(new Set(await statusesOf(good.destinationId))).toEqual(new Set(['delivered']));
    // One batch of ten at most is under way when the breaker opens.
    expect(received().filter((each) => each.url === url('dead')).length).toBeLessThanOrEqual(15);
    expect(await statusesOf(dead.destinationId)).toHaveLength(40);
  });

  test('replays all that failed since a time', async () => {
    bench.receivers.set(url('one'), () => ({ status: 410 }));
    const { destinationId } = await bench.newDestination(workspaceId, url('one'));
    await bench.accept(workspaceId);
    await bench.runFor(HOUR);
    const since = await bench.accept(workspaceId);
    await bench.runFor(HOUR);
    expect(await statusesOf(destinationId)).toEqual(['parked', 'failed']);
    bench.receivers.set(url('one'), () => ({ status: 200 }));
    const disabled = await bench.destination(workspaceId, destinationId);
    if (!disabled) throw new Error('gone');
    await bench.keeper.change(disabled, { status: 'active', disabledReason: undefined }, bench.signal);
    await bench.perform([{ task: 'replay', workspaceId, destinationId, from: since }]);
    await bench.runFor(MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'failed']);
    await bench.perform([{ task: 'replay', workspaceId, destinationId, from: '0' }]);
    await bench.runFor(MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
  });
});
