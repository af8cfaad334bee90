import { BatchWriteItemCommand, type WriteRequest as WireRequest } from '@aws-sdk/client-dynamodb';
import { pauseBeforeRetry, retryThrottled, type StoreContext } from './dynamodb.ts';
import { onShortPath, toAttributes } from './short-path.ts';

export type WriteRequest = { DeleteRequest: { Key: object } } | { PutRequest: { Item: object } };

/** As many items as one call writes. */
const WRITE_AT_ONCE = 25;

/** Writes and deletes items, none of them twice. */
export async function batchWrite(
  client: StoreContext<never>['client'],
  table: string,
  requests: readonly WriteRequest[],
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < requests.length; from += WRITE_AT_ONCE) {
    let pending = requests.slice(from, from + WRITE_AT_ONCE).map(toWire);
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      // A throttled item comes back as unprocessed, with status 200: the SDK does not retry it.
      if (attempt > 0) await pauseBeforeRetry(attempt, signal);
      const command = onShortPath(new BatchWriteItemCommand({ RequestItems: { [table]: pending } }));
      const response = await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
      pending = response.UnprocessedItems?.[table] ?? [];
    }
  }
}

const toWire = (request: WriteRequest): WireRequest =>
  'PutRequest' in request
    ? { PutRequest: { Item: toAttributes(request.PutRequest.Item) } }
    : { DeleteRequest: { Key: toAttributes(request.DeleteRequest.Key) } };
