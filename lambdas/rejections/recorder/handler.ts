import { makeDocumentClient, type StoreContext } from '../../aws/dynamodb.ts';
import { makeWorkspaceGuard, type WorkspaceGuard } from '../../aws/removed-workspaces.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { STREAM_METRICS, tablesFromEnvironment } from '../../contract.ts';
import { requireShard, type ShardEvent } from '../../model/stream-record.ts';
import { type DiagnosticsStore, makeDiagnosticsStore } from '../recorder-store.ts';
import { ownerOf, readNewRejection, type StreamedRejection } from '../rejection-record.ts';

export interface RecorderDependencies {
  readonly store: DiagnosticsStore;
  readonly workspaces: WorkspaceGuard;
  readonly log: FunctionLog;
  readonly now: () => number;
}

/** Below the function's timeout, so that a stalled table shows as an error. */
const DEADLINE_MS = 8_000;

/** Derives Diagnostics from the stream of rejections, so that no request waits for it. */
export function makeRecorder({ store, workspaces, log, now }: RecorderDependencies) {
  return async function recordRejections(event: ShardEvent) {
    const rejections = (event.Records ?? []).flatMap((record) => readNewRejection(record) ?? []);
    // The last invocation of a window may bring no records.
    if (rejections.length > 0) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const removed = await workspaces.removed(rejections.flatMap(workspacesOf), signal);
      const kept = rejections.flatMap((rejection) => withoutRemoved(rejection, removed));
      const recorded = await store.enter(requireShard(event), kept, now(), signal);
      log.write('recorder.batch', { [STREAM_METRICS.recorded]: recorded });
    }
    // Without a state Lambda takes the invocation for a failure.
    return { state: {} };
  };
}

function workspacesOf({ record }: StreamedRejection): readonly string[] {
  const owner = ownerOf(record);
  return record.sharedBy ?? (owner === undefined ? [] : [owner]);
}

/** Nothing if all its workspaces are gone. What belongs to nobody is kept for the operator. */
function withoutRemoved(rejection: StreamedRejection, removed: ReadonlySet<string>): StreamedRejection[] {
  const owners = workspacesOf(rejection);
  const left = owners.filter((workspaceId) => !removed.has(workspaceId));
  if (left.length === owners.length) return [rejection];
  return left.length === 0 ? [] : [{ ...rejection, record: { ...rejection.record, sharedBy: left } }];
}

/** What recording reads and writes. */
export function recorderStores(
  context: StoreContext<'diagnostics' | 'workspaces'>,
): Pick<RecorderDependencies, 'store' | 'workspaces'> {
  return { store: makeDiagnosticsStore(context), workspaces: makeWorkspaceGuard(context) };
}

export function recorderDependencies(env: NodeJS.ProcessEnv): RecorderDependencies {
  const tables = tablesFromEnvironment(env, ['diagnostics', 'workspaces']);
  const stores = recorderStores({ client: makeDocumentClient(), tables });
  return { ...stores, log: makeFunctionLog(Date.now), now: Date.now };
}
