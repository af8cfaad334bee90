import type { Command } from 'commander';
import type { alertView } from '../../lambdas/alerts/alert.ts';
import type { AlertReader } from '../../lambdas/alerts/alert-reader-store.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, wholeNumber } from './command-line.ts';
import type { RunCommand, Session } from './session.ts';
import { requireWorkspace } from './stack-contents.ts';

interface ListOptions {
  readonly workspace: string;
  readonly open?: boolean;
  readonly limit: number;
}

export function addAlertCommands(alert: Command, run: RunCommand): void {
  alert
    .command('list')
    .description(
      'List the alerts that the owner of a workspace got, newest first. Closed ones are kept for 90 days.',
    )
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .option('--open', 'only alerts that are open now, at most 100')
    .option('--limit <n>', 'maximum number of alerts', wholeNumber(1, 1_000), 50)
    .addHelpText(
      'after',
      examples('alert list --workspace ws_… --open', 'alert list --workspace ws_… --limit 200 --json'),
    )
    .action((options: ListOptions) => run((session) => list(session, options)));
}

/** The store's maximum per page. */
const PAGE = 100;

type Found = Awaited<ReturnType<AlertReader['open']>>;

async function list(session: Session, { workspace, open, limit }: ListOptions) {
  const [{ makeAlertReader }, { alertView }] = await Promise.all([
    import('../../lambdas/alerts/alert-reader-store.ts'),
    import('../../lambdas/alerts/alert.ts'),
  ]);
  const { client, tables, interruption } = session;
  const reader = makeAlertReader({ client, tables, now: Date.now });
  await requireWorkspace(session, workspace);
  const signal = interruption();
  const found: Found = [];
  let next: string | undefined;
  if (open) found.push(...(await reader.open(workspace, signal)));
  else {
    do {
      const wanted = Math.min(PAGE, limit - found.length);
      const page = await reader.page(workspace, { limit: wanted, before: next }, signal);
      found.push(...page.alerts);
      next = page.next;
    } while (next !== undefined && found.length < limit);
  }
  const alerts = found.slice(0, limit).map((alert) => alertView(alert));
  const truncated = next !== undefined || found.length > limit;
  return {
    result: { alerts, truncated },
    lines: [...describe(alerts, open), ...(truncated ? ['There are more. Raise --limit.'] : [])],
  };
}

function describe(alerts: readonly ReturnType<typeof alertView>[], open = false): string[] {
  if (alerts.length === 0) return [open ? 'No open alerts.' : 'No alerts.'];
  const rows = alerts.map(({ alertId, kind, status, since, openedAt, closedAt, outcome, title }) => {
    const state = outcome === undefined ? status : `${status} (${outcome})`;
    return [alertId, kind, state, since, openedAt, closedAt ?? '-', title];
  });
  return table(['ALERT', 'KIND', 'STATUS', 'SINCE', 'OPENED', 'CLOSED', 'TITLE'], rows);
}
