import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { OUTPUTS } from '#contract';
import { makeIndexBacklog } from '#leads/people/index-backlog-store.ts';
import { letDie, makeOwnQueues } from '../../leadctl/own-engines.ts';
import { openTestStack } from '../../leadctl/run-leadctl.ts';
import { leadOf, newOwner, patience } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const { queueClient } = openTestStack();
const fixture = await openSearchFixture();
const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const context = { client: fixture.writer, tables: fixture.tables, now: () => NOW };

async function ownQueues() {
  const urls = await makeOwnQueues(queueClient);
  const [index, deadLetters] = [OUTPUTS.queues.index, OUTPUTS.queues.sendingDeadLetters].map(
    (name) => urls[name] as string,
  ) as [string, string];
  const queues = { index, deadLetters };
  const before = (askedAt: number, oldestSeconds = 0) =>
    makeIndexBacklog({ ...context, queueClient, queues, lag: async () => oldestSeconds }).before(
      { workspaceId: 'ws_unknown', askedAt },
      patience(),
    );
  return { queues, index, before };
}

test('nothing waits in empty queues, and a message that waits, or is being worked on, holds up what was asked for later', async () => {
  const { index, before } = await ownQueues();
  expect(await before(NOW - 6 * MINUTE)).toBeUndefined();
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

test('on one machine, where nobody measures the lag, the queue has to be empty', async () => {
  const { queues, index } = await ownQueues();
  const backlog = makeIndexBacklog({ ...context, queueClient, queues });
  const asked = { workspaceId: 'ws_unknown', askedAt: NOW };
  expect(await backlog.before(asked, patience())).toBeUndefined();
  await queueClient.send(new SendMessageCommand({ QueueUrl: index, MessageBody: '{}' }));
  expect(await backlog.before(asked, patience())).toBe('indexing');
});

test('a lead that nobody has named on the queue yet holds up what was asked for after it', async () => {
  const { queues } = await ownQueues();
  const backlog = makeIndexBacklog({ ...context, queueClient, queues });
  const lead = leadOf(newOwner(), 1, { body: person('Ada Byron', 'Engines', 'ada@engines.example') });
  const { workspaceId, formId, leadId } = lead;
  const form = { slug: formId, formId, workspaceId };
  await fixture.writer.send(new PutCommand({ TableName: fixture.tables.forms, Item: form }));
  await fixture.put([lead]);
  const receivedAt = Date.parse(lead.receivedAt);
  const before = (askedAt: number) => backlog.before({ workspaceId, askedAt }, patience());
  expect(await before(receivedAt)).toBe('indexing');
  expect(await before(receivedAt - 1)).toBeUndefined();
  await fixture.deliver([fixture.messageOf(lead)]);
  expect(await before(receivedAt)).toBeUndefined();
  await fixture.dependencies.index.remove({ workspaceId, leadId }, patience());
  expect(await before(receivedAt)).toBeUndefined();
});
