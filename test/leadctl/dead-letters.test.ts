import { randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, expect, test } from '@jest/globals';
import { onTestStack, resultOf } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

interface Listed {
  messages: { messageId: string; submissionId?: string; receiveCount: number; sentAt: string }[];
}

async function putDeadLetter(MessageBody: string): Promise<string> {
  const QueueUrl = stack.outputs.deadLetterQueueUrl;
  const { MessageId } = await stack.queueClient.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  return MessageId as string;
}

test('lists dead letters without taking any, and sends them back', async () => {
  const leadId = randomUUID();
  const messageId = await putDeadLetter(JSON.stringify({ leadId }));
  const strange = await putDeadLetter('not ours');

  const first = await resultOf<Listed>(['dlq', 'list', '--limit', '500']);
  expect(first.messages).toContainEqual(
    expect.objectContaining({ messageId, submissionId: leadId, receiveCount: 1 }),
  );
  expect(first.messages).toContainEqual(expect.objectContaining({ messageId: strange }));
  // Still there, and to be seen at once.
  const human = await onTestStack(['dlq', 'list', '--limit', '500']);
  expect(human).toMatchObject({ exitCode: 0, stderr: '' });
  expect(human.stdout).toMatch(new RegExp(`${messageId} +${leadId} +2 +0 min`));
  expect(human.stdout).not.toContain('not ours\n');

  const { moved } = await resultOf<{ moved: number }>(['dlq', 'redrive', '--yes']);
  expect(moved).toBeGreaterThanOrEqual(2);
  const after = await resultOf<Listed>(['dlq', 'list', '--limit', '500']);
  expect(after.messages.map((message) => message.messageId)).not.toContain(messageId);
});

test('sends nothing back without a terminal or --yes', async () => {
  const run = await onTestStack(['dlq', 'redrive']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Add --yes to send all dead letters');
});
