import { BatchWriteCommand, type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isConflict, pauseBeforeRetry } from '../aws/retry.ts';

export type Key = Readonly<Record<string, unknown>>;

/** As many as one BatchWriteItem takes, and as many writes as one transaction takes. */
const BATCH = 25;
const TRANSACTION = 100;
/** Enough to hide the way to AWS and back; a table on demand throttles beyond what it is used to, and is retried. */
const AT_ONCE = 8;

/** Deletes items of one table. Deleting what is gone is no error, so that everything may be repeated. */
export async function deleteItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key[],
  signal: AbortSignal,
): Promise<void> {
  await inParallel(groupsOf(keys, BATCH), async (group) => {
    let pending = { [table]: group.map((key) => ({ DeleteRequest: { Key: { ...key } } })) };
    for (let attempt = 0; Object.keys(pending).length > 0; attempt += 1) {
      // What was throttled comes back as unprocessed, with status 200: the SDK does not retry it.
      if (attempt > 0) await pauseBeforeRetry(attempt, signal);
      const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems: pending }), {
        abortSignal: signal,
      });
      pending = UnprocessedItems as typeof pending;
    }
  });
}

/** Deletes items that go together: each `set` of keys is gone as a whole or not at all. */
export async function deleteTogether(
  client: DynamoDBDocumentClient,
  table: string,
  sets: readonly (readonly Key[])[],
  signal: AbortSignal,
): Promise<void> {
  const setsInOne = Math.max(1, Math.floor(TRANSACTION / (sets[0]?.length ?? 1)));
  await inParallel(groupsOf(sets, setsInOne), async (group) => {
    const TransactItems = group.flat().map((key) => ({ Delete: { TableName: table, Key: { ...key } } }));
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(new TransactWriteCommand({ TransactItems }), { abortSignal: signal });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  });
}

export function groupsOf<Each>(all: readonly Each[], size: number): Each[][] {
  const groups: Each[][] = [];
  for (let from = 0; from < all.length; from += size) groups.push(all.slice(from, from + size));
  return groups;
}

export async function inParallel<Each>(
  all: readonly Each[],
  work: (each: Each) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  async function takeTurns() {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next);
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, takeTurns));
}
