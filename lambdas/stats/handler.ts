import { makeDocumentClient, type StoreContext } from '../aws/dynamodb.ts';
import { makeWorkspaceGuard, type WorkspaceGuard } from '../aws/removed-workspaces.ts';
import { type FunctionLog, makeFunctionLog } from '../aws/telemetry.ts';
import { STREAM_METRICS, tablesFromEnvironment } from '../contract.ts';
import { requireShard, type ShardEvent } from '../model/stream-record.ts';
import { type ActiveWorkspaces, makeActiveWorkspaces } from './active-workspaces-store.ts';
import { readSequencedLead } from './stats-items.ts';
import { type LeadStats, makeLeadStats } from './stats-store.ts';

export interface StatsDependencies {
  readonly stats: LeadStats;
  readonly active: Pick<ActiveWorkspaces, 'mark'>;
  readonly workspaces: WorkspaceGuard;
  readonly log: FunctionLog;
  readonly now: () => number;
}

/** Below the function's timeout, so that a stalled table shows as an error. */
const DEADLINE_MS = 8_000;

/** Counts accepted leads by hour, form and score band, from the stream, so that no request waits for it. */
export function makeStats({ stats, active, workspaces, log, now }: StatsDependencies) {
  return async function countLeads(event: ShardEvent) {
    const read = (event.Records ?? []).flatMap((record) => readSequencedLead(record) ?? []);
    // The last invocation of a window may bring no records.
    if (read.length > 0) {
      const signal = AbortSignal.timeout(DEADLINE_MS);
      const removed = await workspaces.removed(
        read.map(({ workspaceId }) => workspaceId),
        signal,
      );
      const leads = read.filter(({ workspaceId }) => !removed.has(workspaceId));
      await stats.count(requireShard(event), leads, signal);
      await active.mark(
        leads.map(({ workspaceId }) => workspaceId),
        now(),
        signal,
      );
      log.write('stats.batch', { [STREAM_METRICS.counted]: leads.length });
    }
    // Without a state Lambda takes the invocation for a failure.
    return { state: {} };
  };
}

/** What counting reads and writes. */
export function statsStores(
  context: StoreContext<'stats' | 'workspaces'>,
): Pick<StatsDependencies, 'stats' | 'active' | 'workspaces'> {
  return {
    stats: makeLeadStats(context),
    active: makeActiveWorkspaces(context),
    workspaces: makeWorkspaceGuard(context),
  };
}

export function statsDependencies(env: NodeJS.ProcessEnv): StatsDependencies {
  const tables = tablesFromEnvironment(env, ['stats', 'workspaces']);
  const stores = statsStores({ client: makeDocumentClient(), tables });
  return { ...stores, log: makeFunctionLog(Date.now), now: Date.now };
}
