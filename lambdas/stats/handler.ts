import type { DynamoDBStreamEvent } from 'aws-lambda';
import { makeDocumentClient, type StoreContext } from '../aws/dynamodb.ts';
import { type FunctionLog, makeFunctionLog } from '../aws/telemetry.ts';
import { STREAM_METRICS, tablesFromEnvironment } from '../contract.ts';
import { readNewLead } from '../model/lead-item.ts';
import { type ActiveWorkspaces, makeActiveWorkspaces } from './active-workspaces-store.ts';
import { isTest } from './stats-items.ts';
import { type LeadStats, makeLeadStats } from './stats-store.ts';

export interface StatsDependencies {
  readonly stats: LeadStats;
  readonly active: Pick<ActiveWorkspaces, 'mark'>;
  readonly log: FunctionLog;
  readonly now: () => number;
}

/** Below the function's timeout, so that a stalled table shows as an error. */
const DEADLINE_MS = 8_000;

/** Counts accepted leads by hour, form and score band, from the stream, so that no request waits for it. */
export function makeStats({ stats, active, log, now }: StatsDependencies) {
  return async function countLeads({ Records }: DynamoDBStreamEvent): Promise<void> {
    const leads = Records.flatMap((record) => {
      const lead = readNewLead(record);
      return lead ? { ...lead, test: isTest(record) } : [];
    });
    // A batch may hold a lead twice, and a transaction may not.
    const each = [...new Map(leads.map((lead) => [lead.leadId, lead])).values()];
    const signal = AbortSignal.timeout(DEADLINE_MS);
    await stats.count(each, now(), signal);
    await active.mark(
      each.map(({ workspaceId }) => workspaceId),
      now(),
      signal,
    );
    log.write('stats.batch', { [STREAM_METRICS.counted]: each.length });
  };
}

/** What counting writes to. */
export function statsStores(context: StoreContext<'stats'>): Pick<StatsDependencies, 'stats' | 'active'> {
  return { stats: makeLeadStats(context), active: makeActiveWorkspaces(context) };
}

export function statsDependencies(env: NodeJS.ProcessEnv): StatsDependencies {
  const tables = tablesFromEnvironment(env, ['stats']);
  const stores = statsStores({ client: makeDocumentClient(), tables });
  return { ...stores, log: makeFunctionLog(Date.now), now: Date.now };
}
