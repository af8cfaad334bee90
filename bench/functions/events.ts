import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Sender, submissionId } from '../../local/fixture/ingest-fixture.ts';
import { BODIES } from '../fixtures/index.ts';
import type { Kit } from './kit.ts';

const BATCH = 10;

/** Stored by the real ingest function. */
export async function newLeads(
  kit: Kit,
  sender: Sender,
  bodyOf = (_n: number) => BODIES['1 KB'],
): Promise<Record<string, unknown>[]> {
  const environment = kit.newEnvironment();
  const leads = [];
  for (let n = 0; n < BATCH; n += 1) {
    const leadId = submissionId(await environment.server(sender, { body: bodyOf(n) }));
    const Key = { leadId, part: 'lead' };
    const { Item } = await kit.observer.send(new GetCommand({ TableName: kit.stack.tables.leads, Key }));
    leads.push(Item ?? {});
  }
  return leads;
}

let sequence = 0;

/** As Lambda hands on what a stream has. */
export function inStream(items: readonly object[]) {
  const Records = items.map((item) => {
    sequence += 1;
    const NewImage = marshall(item, { removeUndefinedValues: true });
    return {
      eventName: 'INSERT',
      dynamodb: { SequenceNumber: String(sequence).padStart(21, '0'), NewImage },
    };
  });
  return { shardId: 'shardId-1', eventSourceARN: 'arn:aws:dynamodb:::stream', Records };
}

export function inQueue(bodies: readonly (object | string)[]) {
  const Records = bodies.map((each) => ({
    messageId: randomUUID(),
    receiptHandle: 'handle',
    body: typeof each === 'string' ? each : JSON.stringify(each),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
  }));
  return { Records };
}
