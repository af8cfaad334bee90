import { backoffMilliseconds } from './backoff.ts';
import { complaintOf, type Outcome, readBatchResponse } from './batch-response.ts';
import type { EventSourceSettings } from './event-source.ts';
import type { StreamMapping } from './mapping.ts';
import { pause } from './pace.ts';

export interface StreamItem {
  readonly sequenceNumber: string;
  readonly json: string;
}

export type DeliverBatch = (items: readonly StreamItem[]) => Promise<void>;

/** Hands a batch to the function until it is done, in order: a stream waits for its slowest record. */
export function makeStreamDelivery(
  mapping: StreamMapping,
  { invoke, print }: Pick<EventSourceSettings, 'invoke' | 'print'>,
  signal: AbortSignal,
): DeliverBatch {
  async function attempt(items: readonly StreamItem[]): Promise<Outcome> {
    try {
      const payload = await invoke(`{"Records":[${items.map(({ json }) => json).join(',')}]}`);
      if (!mapping.reportsItemFailures) return 'done';
      const outcome = readBatchResponse(payload, new Set(items.map(({ sequenceNumber }) => sequenceNumber)));
      if (outcome === 'failed') print(complaintOf(mapping.logicalId));
      return outcome;
    } catch {
      // The function's own log says why.
      return 'failed';
    }
  }

  return async function deliver(items) {
    let rest = items;
    for (let failures = 1; rest.length > 0 && !signal.aborted; failures += 1) {
      const outcome = await attempt(rest);
      if (outcome === 'done') return;
      if (outcome !== 'failed') {
        // What stands before the first failure is done; what follows it comes again, done or not.
        const lowest = rest.findIndex(({ sequenceNumber }) => outcome.has(sequenceNumber));
        if (lowest > 0) failures = 1;
        rest = rest.slice(lowest);
      } else if (mapping.bisects && rest.length > 1) {
        const middle = Math.ceil(rest.length / 2);
        await deliver(rest.slice(0, middle));
        rest = rest.slice(middle);
        // Splitting is not a retry.
        failures = 0;
        continue;
      }
      if (failures > mapping.maximumRetries) {
        print(`${mapping.logicalId} gives up ${rest.length} records after ${mapping.maximumRetries} retries`);
        return;
      }
      await pause(backoffMilliseconds(failures), signal);
    }
  };
}
