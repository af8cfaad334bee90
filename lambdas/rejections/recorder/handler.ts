import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { STREAM_METRICS, tablesFromEnvironment } from '../../contract.ts';
import type { StreamRecord } from '../../model/lead-item.ts';
import { type DiagnosticsStore, makeDiagnosticsStore } from '../recorder-store.ts';
import { readNewRejection } from '../rejection-record.ts';

export interface RecorderDependencies {
  readonly store: DiagnosticsStore;
  readonly log: FunctionLog;
  readonly now: () => number;
}

/**
 * The event of a mapping with a tumbling window. The window itself is not used, but without one the event has no shard
 * id.
 */
export interface RecorderEvent {
  readonly Records?: readonly StreamRecord[];
  readonly shardId?: string;
  readonly eventSourceARN?: string;
}

/** Below the function's timeout, so that a stalled table shows as an error. */
const DEADLINE_MS = 8_000;

/** Derives Diagnostics from the stream of rejections, so that no request waits for it. */
export function makeRecorder({ store, log, now }: RecorderDependencies) {
  return async function recordRejections(event: RecorderEvent) {
    const { Records = [], shardId, eventSourceARN: streamArn } = event;
    const rejections = Records.flatMap((record) => readNewRejection(record) ?? []);
    // The last invocation of a window may bring no records.
    if (rejections.length > 0) {
      if (!shardId || !streamArn) throw new Error('The mapping needs a tumbling window: shardId is missing');
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const recorded = await store.enter({ streamArn, shardId }, rejections, now(), signal);
      log.write('recorder.batch', { [STREAM_METRICS.recorded]: recorded });
    }
    // Without a state Lambda takes the invocation for a failure.
    return { state: {} };
  };
}

export function recorderDependencies(env: NodeJS.ProcessEnv): RecorderDependencies {
  const tables = tablesFromEnvironment(env, ['diagnostics']);
  const store = makeDiagnosticsStore({ client: makeDocumentClient(), tables });
  return { store, log: makeFunctionLog(Date.now), now: Date.now };
}
