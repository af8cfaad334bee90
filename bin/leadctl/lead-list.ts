import type { Command } from 'commander';
import type { LeadFilter } from '../../lambdas/settings/leads/lead-filter.ts';
import type { LeadRow } from '../../lambdas/settings/leads/lead-row.ts';
import { examples } from './examples.ts';
import { addLeadFilters, type LeadFilterOptions, leadFilterOf } from './lead-filters.ts';
import { wholeNumber } from './numbers.ts';
import { table } from './print.ts';
import type { RunCommand, Session } from './session.ts';
import { requireForm } from './workspace-contents.ts';

interface ListOptions extends LeadFilterOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** What one page of the store holds at most. */
const PAGE = 50;

export function addLeadList(leads: Command, run: RunCommand): void {
  addLeadFilters(leads.command('list'))
    .description(
      'List the leads of a form, newest first: scores and states. What was sent, leads show tells.',
    )
    .option('--limit <n>', 'how many at most', wholeNumber(1, 1_000), 20)
    .option('--cursor <cursor>', 'go on after an earlier list, by the cursor that it gave')
    .addHelpText(
      'after',
      examples(
        'leads list --form form_…',
        'leads list --form form_… --since 24h --not-clean',
        'leads list --form form_… --min-score 80 --limit 200 --json',
      ),
    )
    .action((options: ListOptions) => {
      const filter = leadFilterOf(options);
      return run(async (session) => {
        const { rows, cursor } = await readLeads(session, options, filter);
        const result = rows.map(({ cells: _cells, ...row }) => row);
        return {
          result: { leads: result, ...(cursor && { cursor }) },
          lines: [
            ...describe(rows),
            ...(cursor ? ['', 'There may be more: add', `  --cursor ${cursor}`] : []),
          ],
        };
      });
    });
}

async function readLeads(session: Session, options: ListOptions, filter: LeadFilter) {
  const { formId, workspaceId } = await requireForm(session, options.form);
  const { makeLeadPages } = await import('../../lambdas/settings/leads/lead-pages-store.ts');
  const pages = makeLeadPages({ ...session, now: Date.now });
  const rows: LeadRow[] = [];
  let cursor = options.cursor;
  do {
    const limit = Math.min(PAGE, options.limit - rows.length);
    const signal = AbortSignal.timeout(30_000);
    const page = await pages.page({ workspaceId, formId, filter, cursor, limit }, signal);
    rows.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== undefined && rows.length < options.limit);
  return { rows, cursor };
}

function describe(rows: readonly LeadRow[]): string[] {
  if (rows.length === 0) return ['There are no such leads.'];
  return table(
    ['ID', 'RECEIVED', 'SURFACE', 'SCORE', 'GRADE', 'CLEAN', 'ENRICHMENT'],
    rows.map((row) => [
      ...[row.leadId, row.receivedAt, row.surface, String(row.score), row.grade ?? ''],
      ...[row.clean ? 'yes' : 'no', row.enrichment],
    ]),
  );
}
