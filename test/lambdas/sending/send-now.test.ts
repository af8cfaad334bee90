import { describe, expect, test } from '@jest/globals';
import type { Message, SendTask } from '#sending/message.ts';
import { HOUR, MINUTE, openSendingFixtureForTests, SECOND } from './sending-fixture.ts';

const { fixture, own, statusesOf } = await openSendingFixtureForTests();

function sendTask(destinationId: string, changes: Partial<Message> & object): SendTask {
  const { leadId = '', type = 'lead.accepted', createdAt: at = '' } = changes;
  const key = { workspaceId: own.workspaceId, destinationId, leadId, type };
  return { task: 'send', ...key, formId: 'form_1', at };
}

const tryTask = (destinationId: string, message: Message): SendTask =>
  ({ ...sendTask(destinationId, message), mode: 'try' }) as SendTask;

let tests = 0;
function testTask(destinationId: string): SendTask {
  tests += 1;
  const leadId = `019a0000-0000-7000-8000-${String(tests).padStart(12, '0')}`;
  const createdAt = new Date(fixture.now()).toISOString();
  return sendTask(destinationId, { leadId, type: 'destination.test', createdAt });
}

/** A destination whose breaker is open, and its messages, oldest first. */
async function unreachable() {
  const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
  for (let lead = 0; lead < 6; lead += 1) {
    await fixture.accept(own.workspaceId);
    fixture.clock.now += 1;
  }
  await fixture.runFor(0);
  const messages = (await fixture.messagesOf(destinationId)).toReversed();
  expect(await fixture.healthOf(destinationId)).toHaveProperty('openedAt');
  return { destinationId, messages, oldest: messages[0] as Message };
}

const works = () => fixture.receivers.set(own.url('dead'), () => ({ status: 204 }));
const planOf = async (destinationId: string) => {
  const { openedAt, probeAt, probeStep, dueAt } = (await fixture.healthOf(destinationId)) ?? {};
  return { openedAt, probeAt, probeStep, dueAt };
};

describe('a try', () => {
  test('of an unreachable destination sends one message at once, and changes no plan if it fails', async () => {
    const { destinationId, oldest } = await unreachable();
    await fixture.runFor(2 * HOUR);
    const plan = await planOf(destinationId);
    fixture.received.length = 0;
    for (let count = 0; count < 10; count += 1) await fixture.perform([tryTask(destinationId, oldest)]);
    expect(own.received()).toHaveLength(10);
    expect(await planOf(destinationId)).toEqual(plan);
    const message = (await fixture.messagesOf(destinationId)).find(({ leadId }) => leadId === oldest.leadId);
    expect(message).toMatchObject({ status: 'parked', countedAttempts: 1 });
    expect(message?.attempts.at(-1)).toMatchObject({ error: 'connection_refused' });
  });

  test('of a message that is retried later keeps its next attempt, and uses up none', async () => {
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('dead'));
    await fixture.accept(own.workspaceId);
    // Three attempts: the fourth comes half an hour after the third.
    await fixture.runFor(6 * MINUTE);
    const [before] = (await fixture.messagesOf(destinationId)) as [Message];
    expect(before).toMatchObject({ status: 'waiting', countedAttempts: 3 });
    for (let count = 0; count < 10; count += 1) await fixture.perform([tryTask(destinationId, before)]);
    const [after] = (await fixture.messagesOf(destinationId)) as [Message];
    const { nextAttemptAt } = before;
    expect(after).toMatchObject({ status: 'waiting', countedAttempts: 3, nextAttemptAt });
    expect(after.attempts).toHaveLength(13);
    fixture.received.length = 0;
    await fixture.runUntil(Date.parse(nextAttemptAt ?? '') - SECOND);
    expect(own.received()).toHaveLength(0);
    await fixture.runFor(4 * MINUTE);
    expect(own.received()).toHaveLength(1);
    expect((await fixture.messagesOf(destinationId))[0]).toMatchObject({ countedAttempts: 4 });
  });

  test('of a message that was delivered meanwhile sends nothing', async () => {
    const { destinationId, oldest } = await unreachable();
    works();
    await fixture.runFor(MINUTE);
    fixture.received.length = 0;
    await fixture.perform([tryTask(destinationId, oldest)]);
    expect(own.received()).toEqual([]);
  });
});

describe('a test event', () => {
  test('is sent while other messages are on hold, and ends as failed instead of waiting with them', async () => {
    const { destinationId } = await unreachable();
    const plan = await planOf(destinationId);
    fixture.received.length = 0;
    const task = testTask(destinationId);
    await fixture.perform([task]);
    expect(own.received()).toHaveLength(1);
    const [message] = (await fixture.messagesOf(destinationId)).filter(
      ({ type }) => type === 'destination.test',
    );
    expect(message).toMatchObject({ status: 'failed', attempts: [{ error: 'connection_refused' }] });
    expect(await planOf(destinationId)).toEqual(plan);
    await fixture.runFor(2 * HOUR);
    expect(own.received().filter(({ body }) => body.includes('destination.test'))).toHaveLength(1);
  });

  test('to a slow destination asks again for the lane until it is free', async () => {
    const slowStartAt = new Date(fixture.now()).toISOString();
    fixture.receivers.set(own.url('slow'), () => ({ status: 204 }));
    const changes = { slowStartAt };
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('slow'), changes);
    await fixture.slowLane.take(own.workspaceId, 'another invocation', fixture.now(), fixture.signal);
    await fixture.perform([testTask(destinationId)]);
    await fixture.runFor(10 * SECOND);
    expect(own.received()).toEqual([]);
    expect(await statusesOf(destinationId)).toEqual([]);
    await fixture.runFor(30 * SECOND);
    expect(await statusesOf(destinationId)).toEqual(['delivered']);
  });
});

test.each([
  ['a try', tryTask],
  ['a test event', testTask],
])('%s that succeeds shows that the destination works: all others follow', async (_, taskFor) => {
  const { destinationId, oldest } = await unreachable();
  await fixture.runFor(2 * HOUR);
  works();
  await fixture.perform([taskFor(destinationId, oldest)]);
  expect(await statusesOf(destinationId)).toContain('delivered');
  await fixture.runFor(10 * SECOND);
  expect(new Set(await statusesOf(destinationId))).toEqual(new Set(['delivered']));
});
