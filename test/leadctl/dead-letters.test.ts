import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { letDie, makeOwnQueues, outputsWith } from './own-engines.ts';
import { openTestStack, runLeadctl } from './run-leadctl.ts';

const stack = openTestStack();
const folder = temporaryFolder('leadctl-dlq');

/** The test stack with separate queues. */
async function ownStack() {
  const queues = await makeOwnQueues(stack.queueClient);
  const file = outputsWith(queues, folder);
  const put = async (queue: string, MessageBody: string) => {
    const command = new SendMessageCommand({ QueueUrl: queues[queue], MessageBody });
    return (await stack.queueClient.send(command)).MessageId as string;
  };
  return { queues, put, run: (...args: string[]) => runLeadctl(['--outputs', file, 'dlq', ...args]) };
}

test('lists dead letters without taking any, and sends them back', async () => {
  const { put, run } = await ownStack();
  const leadId = randomUUID();
  const messageId = await put(OUTPUTS.queues.enrichmentDeadLetters, JSON.stringify({ leadId }));
  const strange = await put(OUTPUTS.queues.enrichmentDeadLetters, 'not ours');
  const { messages } = JSON.parse((await run('list', '--json')).stdout);
  expect(messages).toHaveLength(2);
  expect(messages).toContainEqual(
    expect.objectContaining({ messageId, submissionId: leadId, receiveCount: 1 }),
  );
  expect(messages).toContainEqual(expect.objectContaining({ messageId: strange }));
  // Still there, and visible immediately.
  const human = await run('list');
  expect(human).toMatchObject({ exitCode: 0, stderr: '' });
  expect(human.stdout).toMatch(new RegExp(`${messageId} +${leadId} +[23] +0 min`));
  expect(human.stdout).not.toContain('not ours');
  expect(JSON.parse((await run('redrive', '--yes', '--json')).stdout)).toEqual({ moved: 2 });
  expect((await run('list')).stdout).toBe('No dead letters.\n');
});

test('lists dead letters of sending with their tasks', async () => {
  const { put, run } = await ownStack();
  const leadId = randomUUID();
  for (const body of [
    { type: 'lead.accepted', leadId, workspaceId: 'ws_1', formId: 'form_1' },
    { type: 'lead.erased', leadId, workspaceId: 'ws_1' },
    { task: 'send', type: 'lead.enriched', leadId, destinationId: 'dest_1' },
    { task: 'wake', destinationId: 'dest_2' },
  ]) {
    await put(OUTPUTS.queues.sendingDeadLetters, JSON.stringify(body));
  }
  const { stdout } = await run('list', '--queue', 'sending');
  for (const row of [
    ` ${leadId} +\\d +0 min +lead\\.accepted +-`,
    ` ${leadId} +\\d +0 min +index lead\\.erased +-`,
    ` ${leadId} +\\d +0 min +send lead\\.enriched +dest_1`,
    ' - +\\d +0 min +wake +dest_2',
  ]) {
    expect(stdout).toMatch(new RegExp(`${row}\n`));
  }
  expect(stdout).toContain('dlq redrive --queue sending');
});

test('returns each to the queue it came from', async () => {
  const { queues, run } = await ownStack();
  const sources = [queues[OUTPUTS.queues.sending], queues[OUTPUTS.queues.index], queues.otherSource];
  for (const [index, url] of sources.entries()) await letDie(stack.queueClient, url as string, `m${index}`);
  expect(await run('redrive', '--queue', 'sending', '--yes')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: 'Sent 3 messages back to their queues.\n',
  });
  for (const [index, QueueUrl] of sources.entries()) {
    const { Messages } = await stack.queueClient.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages?.map(({ Body }) => Body)).toEqual([`m${index}`]);
  }
});
