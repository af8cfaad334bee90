import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { OUTPUTS } from '#contract';
import { localStack } from '../../local-stack.ts';
import { type Finding, judged } from '../findings.ts';
import { readStoredState, type StoredState } from './stored-state.ts';

/** A message whose environment was killed comes back when the queue's visibility timeout of 3 minutes is over. */
const PATIENCE_MILLISECONDS = 8 * 60_000;
const LOOK_MILLISECONDS = 3_000;

/** Waits until nothing is left to be done in the background, or for as long as that may take. */
export async function settle(): Promise<{ stored: StoredState; findings: Finding[] }> {
  const startedAt = performance.now();
  for (;;) {
    const [waiting, dead] = await queueLengths();
    const stored = await readStoredState();
    const clean = stored.leads.filter((lead) => lead.clean);
    const done =
      waiting === 0 &&
      stored.countedMarks.size === stored.leads.length &&
      clean.every(({ leadId }) => stored.enrichments.has(leadId));
    const tookMilliseconds = performance.now() - startedAt;
    if (done || tookMilliseconds > PATIENCE_MILLISECONDS) {
      const took = `after ${(tookMilliseconds / 1000).toFixed(0)} s`;
      return {
        stored,
        findings: [
          judged('the background comes to its end', done, `${waiting} messages left ${took}`),
          judged('no dead letters', dead === 0, `${dead}`),
        ],
      };
    }
    await sleep(LOOK_MILLISECONDS);
  }
}

async function queueLengths(): Promise<[number, number]> {
  const { output } = localStack();
  const client = new SQSClient({
    endpoint: output(OUTPUTS.localSqsEndpoint),
    region: output(OUTPUTS.region),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  async function lengthOf(queue: string): Promise<number> {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: output(queue), AttributeNames: ['All'] }),
    );
    return (
      Number(Attributes.ApproximateNumberOfMessages) +
      Number(Attributes.ApproximateNumberOfMessagesNotVisible)
    );
  }
  try {
    return [await lengthOf(OUTPUTS.queues.enrichment), await lengthOf(OUTPUTS.queues.enrichmentDeadLetters)];
  } finally {
    client.destroy();
  }
}
