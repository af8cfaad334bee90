import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { OUTPUTS } from '#contract';
import { type Enrichment, fromEnrichmentItem } from '#enrichment/enrichment-item.ts';
import { fromLeadItem, type Lead } from '#model/lead-item.ts';
import { localStack } from '../../local-stack.ts';
import { type Finding, judged } from '../findings.ts';
import { type Item, itemsOf } from '../stored.ts';

/** A message whose environment was killed returns after the queue's visibility timeout of 3 minutes. */
const PATIENCE_MILLISECONDS = 8 * 60_000;
const LOOK_MILLISECONDS = 3_000;

/** Waits until all background work is done, or the patience ends. */
export async function settle(): Promise<{ stored: StoredState; findings: Finding[] }> {
  const startedAt = performance.now();
  for (;;) {
    const [waiting, dead] = await queueLengths();
    const stored = await readStoredState();
    const clean = stored.leads.filter((lead) => lead.clean);
    const done =
      waiting === 0 &&
      acceptedOf(stored.hourlyCounts) === stored.leads.length &&
      clean.every(({ leadId }) => stored.enrichments.has(leadId));
    const tookMilliseconds = performance.now() - startedAt;
    if (done || tookMilliseconds > PATIENCE_MILLISECONDS) {
      const took = `after ${(tookMilliseconds / 1000).toFixed(0)} s`;
      return {
        stored,
        findings: [
          judged('background work finishes', done, `${waiting} messages left ${took}`),
          judged('no dead letters', dead === 0, `${dead}`),
        ],
      };
    }
    await sleep(LOOK_MILLISECONDS);
  }
}

function acceptedOf(counts: readonly Item[]): number {
  return counts.reduce((sum, { accepted }) => sum + Number(accepted), 0);
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

/** Everything in the tables about the submissions of the run. */
export interface StoredState {
  readonly leads: readonly Lead[];
  readonly enrichments: ReadonlyMap<string, Enrichment>;
  /** By hash of workspace and key. */
  readonly keyRecords: ReadonlyMap<string, Item>;
  readonly workspaces: ReadonlyMap<string, Item>;
  /** As each shard of the stream counted them. */
  readonly hourlyCounts: readonly Item[];
}

export async function readStoredState(): Promise<StoredState> {
  const { tables, newClient } = localStack();
  const client = toDocumentClient(newClient());
  try {
    const [parts, keys, workspaces, stats] = (await Promise.all(
      [tables.leads, tables.idempotency, tables.workspaces, tables.stats].map((table) =>
        itemsOf(client, table),
      ),
    )) as [Item[], Item[], Item[], Item[]];
    return {
      leads: parts.filter(({ part }) => part === 'lead').map(fromLeadItem),
      enrichments: new Map(
        parts
          .filter(({ part }) => part === 'enrichment')
          .map((item) => [String(item.leadId), fromEnrichmentItem(item)]),
      ),
      keyRecords: new Map(keys.map((item) => [String(item.keyHash), item])),
      workspaces: new Map(workspaces.map((item) => [String(item.workspaceId), item])),
      hourlyCounts: stats.filter(({ sk }) => String(sk).startsWith('hour#')),
    };
  } finally {
    client.destroy();
  }
}
