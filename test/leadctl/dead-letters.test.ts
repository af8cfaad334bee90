import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { letDie, makeOwnQueues } from './own-engines.ts';
import { openTestStack, runLeadctl, testOutputsFile } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

interface Listed {
  messages: { messageId: string; submissionId?: string; receiveCount: number; sentAt: string }[];
}

describe('dead letters of sending', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadctl-dlq-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The test stack with separate queues. */
  async function ownStack() {
    const queues = await makeOwnQueues(stack.queueClient);
    const [[name, outputs] = ['', {}]] = Object.entries(
      JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Record<string, object>,
    );
    const file = join(folder, `${randomUUID()}.json`);
    writeFileSync(file, JSON.stringify({ [name]: { ...outputs, ...queues } }));
    return { queues, run: (...args: string[]) => runLeadctl(['--outputs', file, 'dlq', ...args]) };
  }

  test('lists dead letters with their tasks', async () => {
    const { queues, run } = await ownStack();
    const leadId = randomUUID();
    const bodies = [
      { type: 'lead.accepted', leadId, workspaceId: 'ws_1', formId: 'form_1' },
      { type: 'lead.erased', leadId, workspaceId: 'ws_1' },
      { task: 'send', type: 'lead.enriched', leadId, destinationId: 'dest_1' },
      { task: 'wake', destinationId: 'dest_2' },
    ];
    const QueueUrl = queues[OUTPUTS.queues.sendingDeadLetters];
    for (const body of bodies) {
      await stack.queueClient.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
    }
    const { stdout } = await run('list', '--queue', 'sending', '--json');
    const { messages } = JSON.parse(stdout) as Listed;
    expect(messages).toHaveLength(4);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ submissionId: leadId, task: 'lead.accepted' }),
        expect.objectContaining({ submissionId: leadId, task: 'index lead.erased' }),
        expect.objectContaining({
          submissionId: leadId,
          task: 'send lead.enriched',
          destinationId: 'dest_1',
        }),
        expect.objectContaining({ task: 'wake', destinationId: 'dest_2' }),
      ]),
    );
    const human = await run('list', '--queue', 'sending');
    expect(human.stdout).toMatch(new RegExp(` ${leadId} +\\d +0 min +send lead\\.enriched +dest_1\\n`));
    expect(human.stdout).toMatch(/ - +\d +0 min +wake +dest_2\n/);
    expect(human.stdout).toContain('dlq redrive --queue sending');
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
});
