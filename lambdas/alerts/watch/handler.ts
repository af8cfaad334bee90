import { randomBytes } from 'node:crypto';
import type { ScheduledEvent } from 'aws-lambda';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { makeOutbox, makeQueueClient } from '../../aws/queues.ts';
import {
  describeError,
  type FunctionLog,
  makeFunctionLog,
  toStdout,
  type WriteLine,
} from '../../aws/telemetry.ts';
import { ALERT_METRICS, QUEUE_VARIABLES, requireVariable, tablesFromEnvironment } from '../../contract.ts';
import { makeLeadId } from '../../model/lead-item.ts';
import { type ActiveWorkspaces, makeActiveWorkspaces } from '../../stats/active-workspaces-store.ts';
import { makeAlertStore } from '../alerts-store.ts';
import { type EvaluationDependencies, evaluateWorkspace } from './evaluate-workspace.ts';
import { makeWorkspaceReader } from './read-workspace-store.ts';

export interface WatchDependencies extends EvaluationDependencies {
  readonly active: ActiveWorkspaces;
  readonly log: FunctionLog;
  readonly write?: WriteLine;
  /** Aborts when no further workspace should be started. */
  readonly timeIsUp?: () => AbortSignal;
}

/** Workspaces that were not started by then are first in the next run. */
const BEGIN_UNTIL_MS = 200_000;
/** When the started workspaces must be done. Below the function's timeout. */
const DEADLINE_MS = 220_000;
/** For one workspace: offboarding waits for whoever has seen it before. */
const WORKSPACE_MS = 20_000;
const CONCURRENCY = 20;
/** Extra time, to note where the next run continues. */
const NOTE_MS = 5_000;

/**
 * Looks at every active workspace. The time is that of the scheduled event, so that a test or a local schedule can move
 * it.
 */
export function makeWatch(dependencies: WatchDependencies) {
  const {
    active,
    log,
    write = toStdout,
    timeIsUp = () => AbortSignal.timeout(BEGIN_UNTIL_MS),
  } = dependencies;
  return async function watch({ time }: Pick<ScheduledEvent, 'time'>): Promise<void> {
    const now = Date.parse(time);
    if (Number.isNaN(now)) throw new Error('The event has no time');
    const [signal, up] = [AbortSignal.timeout(DEADLINE_MS), timeIsUp()];
    const workspaces = await active.list(now, signal);
    const queue = [...workspaces];
    const totals = { opened: 0, closed: 0, failed: 0 };

    async function work(): Promise<void> {
      while (!up.aborted) {
        const next = queue.shift();
        if (next === undefined) return;
        try {
          const { opened, closed, hasOpen } = await evaluateWorkspace(
            next.workspaceId,
            now,
            dependencies,
            AbortSignal.any([signal, AbortSignal.timeout(WORKSPACE_MS)]),
          );
          totals.opened += opened;
          totals.closed += closed;
          // With an open alert a workspace stays watched, with or without leads.
          if (hasOpen) await active.mark([next.workspaceId], now, signal);
        } catch (error) {
          totals.failed += 1;
          write(
            JSON.stringify({
              level: 'ERROR',
              code: 'watch.defect',
              workspaceId: next.workspaceId,
              ...describeError(error),
            }),
          );
        }
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const [first] = queue;
    if (first) {
      const { workspaceId } = first;
      const about = { workspaces: workspaces.length, notReached: queue.length, nextWorkspaceId: workspaceId };
      write(JSON.stringify({ level: 'ERROR', code: 'watch.not_reached', ...about }));
      totals.failed += queue.length;
      await active.leaveForLater(workspaceId, now, AbortSignal.timeout(NOTE_MS));
    }

    log.write('watch.run', countsOfRun(workspaces.length - totals.failed, totals));
  };
}

type Totals = Readonly<Record<'opened' | 'closed' | 'failed', number>>;

/** The first shows that the watch runs. Zeros of the others say nothing: AWS bills a metric for the hours in which it is written. */
export function countsOfRun(watched: number, { opened, closed, failed }: Totals): Record<string, number> {
  return {
    [ALERT_METRICS.watched]: watched,
    ...(opened > 0 && { [ALERT_METRICS.opened]: opened }),
    ...(closed > 0 && { [ALERT_METRICS.closed]: closed }),
    ...(failed > 0 && { [ALERT_METRICS.failed]: failed }),
  };
}

const TABLES = [
  'workspaces',
  'diagnostics',
  'stats',
  'destinations',
  'messages',
  'forms',
  'tokens',
  'alerts',
] as const;

export function watchDependencies(env: NodeJS.ProcessEnv): WatchDependencies {
  const context = { client: makeDocumentClient(), tables: tablesFromEnvironment(env, TABLES) };
  return {
    active: makeActiveWorkspaces(context),
    reader: makeWorkspaceReader(context),
    store: makeAlertStore(context),
    events: makeOutbox(makeQueueClient(), requireVariable(env, QUEUE_VARIABLES.dispatch)),
    newAlertId: (now) => makeLeadId(now, randomBytes(10)),
    log: makeFunctionLog(Date.now),
  };
}
