import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { STREAM_METRICS, tablesFromEnvironment } from '../../contract.ts';
import { requireShard, type ShardEvent } from '../../model/stream-record.ts';
import { type DiagnosticsStore, makeDiagnosticsStore } from '../recorder-store.ts';
import { readNewRejection } from '../rejection-record.ts';

export interface RecorderDependencies {
  readonly ledger: DiagnosticsStore;
  readonly log: FunctionLog;
  readonly now: () => number;
}

/** Below the function's timeout, so that a stalled table shows as an error. */
const DEADLINE_MS = 8_000;

/** Derives Diagnostics from the stream of rejections, so that no request waits for it. */
export function makeRecorder({ ledger, log, now }: RecorderDependencies) {
  return async function recordRejections(event: ShardEvent) {
    const rejections = (event.Records ?? []).flatMap((record) => readNewRejection(record) ?? []);
    // The last invocation of a window may bring no records.
    if (rejections.length > 0) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const recorded = await ledger.enter(requireShard(event), rejections, now(), signal);
      log.write('recorder.batch', { [STREAM_METRICS.recorded]: recorded });
    }
    // Without a state Lambda takes the invocation for a failure.
    return { state: {} };
  };
}

export function recorderDependencies(env: NodeJS.ProcessEnv): RecorderDependencies {
  const tables = tablesFromEnvironment(env, ['diagnostics']);
  const ledger = makeDiagnosticsStore({ client: makeDocumentClient(), tables });
  return { ledger, log: makeFunctionLog(Date.now), now: Date.now };
}
