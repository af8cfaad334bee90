import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { OUTPUTS } from '#contract';
import { makeIndexBacklog } from '#leads/people/index-backlog-store.ts';
import { letDie, makeOwnQueues } from '../../leadctl/own-engines.ts';
import { openTestStack } from '../../leadctl/run-leadctl.ts';
import { patience } from './lead-fixture.ts';

const { queueClient } = openTestStack();
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

async function ownQueues() {
  const queues = await makeOwnQueues(queueClient);
  const [index, deadLetters] = [OUTPUTS.queues.index, OUTPUTS.queues.sendingDeadLetters].map(
    (name) => queues[name] as string,
  ) as [string, string];
  const before = (askedAt: number, oldestSeconds = 0) =>
    makeIndexBacklog(
      queueClient,
      { index, deadLetters },
      () => NOW,
      async () => oldestSeconds,
    ).before(askedAt, patience());
  return { index, before };
}

test('nothing waits in empty queues', async () => {
  const { before } = await ownQueues();
  expect(await before(NOW)).toBeUndefined();
});

test('a message that waits, or is being worked on, holds up what was asked for later', async () => {
  const { index, before } = await ownQueues();
  await queueClient.send(new SendMessageCommand({ QueueUrl: index, MessageBody: '{}' }));
  expect(await before(NOW)).toBe('indexing');
  await queueClient.send(new ReceiveMessageCommand({ QueueUrl: index, VisibilityTimeout: 60 }));
  expect(await before(NOW)).toBe('indexing');
});

test('a busy queue holds up nothing that was asked for before its oldest message came', async () => {
  const { index, before } = await ownQueues();
  await queueClient.send(new SendMessageCommand({ QueueUrl: index, MessageBody: '{}' }));
  expect(await before(NOW - 60 * MINUTE, 30 * 60)).toBeUndefined();
  expect(await before(NOW - 20 * MINUTE, 30 * 60)).toBe('indexing');
  // The age is known a few minutes late.
  expect(await before(NOW - 32 * MINUTE, 30 * 60)).toBe('indexing');
});

test('a dead letter holds up everything', async () => {
  const { index, before } = await ownQueues();
  await letDie(queueClient, index, '{}');
  expect(await before(NOW - 60 * MINUTE, 1)).toBe('dead_letters');
});
