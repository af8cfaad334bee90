import { type Outcome, readBatchResponse } from '../../lambdas/in-turn/batch.ts';
import { LOCAL_REGION } from '../local-account.ts';
import {
  backoffMilliseconds,
  type EventSourceSettings,
  invalidResponseMessage,
  pause,
} from './event-source.ts';
import type { StreamMapping } from './mapping.ts';

export interface StreamItem {
  readonly sequenceNumber: string;
  readonly json: string;
}

export type DeliverBatch = (items: readonly StreamItem[], shardId: string) => Promise<void>;

/** Invokes the function with a batch until it succeeds. Order matters, so a failing record blocks the stream. */
export function makeStreamDelivery(
  mapping: StreamMapping,
  { invoke, print }: Pick<EventSourceSettings, 'invoke' | 'print'>,
  signal: AbortSignal,
): DeliverBatch {
  /** The state of a window is not passed on: a function always finds it empty. */
  function windowOf(shardId: string): string {
    const { tumblingWindowSeconds: seconds, streamArn } = mapping;
    if (seconds === 0) return '';
    const start = Math.floor(Date.now() / 1000 / seconds) * seconds * 1000;
    const window = { start: new Date(start), end: new Date(start + seconds * 1000) };
    const rest = { isFinalInvokeForWindow: false, isWindowTerminatedEarly: false };
    const properties = { window, state: {}, shardId, eventSourceARN: inRegion(streamArn), ...rest };
    return `,${JSON.stringify(properties).slice(1, -1)}`;
  }

  async function attempt(items: readonly StreamItem[], shardId: string): Promise<Outcome> {
    try {
      const records = items.map(({ json }) => json).join(',');
      const payload = await invoke(`{"Records":[${records}]${windowOf(shardId)}}`);
      if (mapping.tumblingWindowSeconds > 0 && !hasState(payload)) {
        print(`${mapping.logicalId} has a tumbling window, but its function returned no state`);
        return 'failed';
      }
      if (!mapping.reportsItemFailures) return 'done';
      const outcome = readBatchResponse(payload, new Set(items.map(({ sequenceNumber }) => sequenceNumber)));
      if (outcome === 'failed') print(invalidResponseMessage(mapping.logicalId));
      return outcome;
    } catch {
      // The function's own log says why.
      return 'failed';
    }
  }

  return async function deliver(items, shardId) {
    let rest = items;
    for (let failures = 1; rest.length > 0 && !signal.aborted; failures += 1) {
      const outcome = await attempt(rest, shardId);
      if (outcome === 'done') return;
      if (outcome !== 'failed') {
        // Records before the first failure are done. The rest is retried, also what succeeded.
        const lowest = rest.findIndex(({ sequenceNumber }) => outcome.has(sequenceNumber));
        if (lowest > 0) failures = 1;
        rest = rest.slice(lowest);
      } else if (mapping.bisects && rest.length > 1) {
        const middle = Math.ceil(rest.length / 2);
        await deliver(rest.slice(0, middle), shardId);
        rest = rest.slice(middle);
        // Splitting is not a retry.
        failures = 0;
        continue;
      }
      if (failures > mapping.maximumRetries) {
        print(`${mapping.logicalId} discards ${rest.length} records after ${mapping.maximumRetries} retries`);
        return;
      }
      await pause(backoffMilliseconds(failures), signal);
    }
  };
}

function hasState(payload: string): boolean {
  try {
    const response = JSON.parse(payload) as { state?: unknown } | null;
    return typeof response?.state === 'object' && response.state !== null;
  } catch {
    return false;
  }
}

/** A record from the streams API: items in DynamoDB JSON, bytes in base64, times in seconds. */
export interface StreamRecord {
  readonly dynamodb?: { readonly SequenceNumber?: string; readonly [key: string]: unknown };
  readonly userIdentity?: { readonly PrincipalId?: string; readonly Type?: string };
  readonly [key: string]: unknown;
}

/** A record as a function receives it. */
export interface LambdaStreamRecord {
  readonly dynamodb: { readonly SequenceNumber?: string };
  readonly [key: string]: unknown;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export function toLambdaRecord(record: StreamRecord, streamArn: string): LambdaStreamRecord {
  const { eventID, eventName, eventVersion, dynamodb = {}, userIdentity } = record;
  return {
    eventID,
    eventName,
    eventVersion,
    eventSource: 'aws:dynamodb',
    awsRegion: LOCAL_REGION,
    dynamodb,
    // Present for items that were deleted by time to live.
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
    eventSourceARN: inRegion(streamArn),
  };
}

/** DynamoDB Local uses its own region name. */
export function inRegion(streamArn: string): string {
  return streamArn.replace(':ddblocal:', `:${LOCAL_REGION}:`);
}
