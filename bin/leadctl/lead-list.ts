import type { Command } from 'commander';
import type { LeadFilter } from '../../lambdas/settings/leads/lead-filter.ts';
import type { LeadRow } from '../../lambdas/settings/leads/lead-row.ts';
import { UsageFailure } from '../operator/failure.ts';
import { examples, idOf, readMoment, wholeNumber } from './command-line.ts';
import { table } from './print.ts';
import type { RunCommand, Session } from './session.ts';
import { requireForm } from './stack-contents.ts';

export interface LeadFilterOptions {
  readonly form: string;
  readonly since?: string;
  readonly until?: string;
  readonly clean?: boolean;
  readonly notClean?: boolean;
  readonly minScore?: number;
  readonly maxScore?: number;
}

export function addLeadFilters(command: Command): Command {
  return command
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option('--since <when>', 'received since: 2026-11-15, 2026-11-15T08:00Z, or 36h or 7d ago', readMoment)
    .option('--until <when>', 'received before', readMoment)
    .option('--clean', 'clean leads only (those that are enriched)')
    .option('--not-clean', 'only leads that are not clean')
    .option('--min-score <n>', 'minimum score', wholeNumber(0, 100))
    .option('--max-score <n>', 'maximum score', wholeNumber(0, 100));
}

export function leadFilterOf(options: LeadFilterOptions): LeadFilter {
  const { since, until, clean, notClean, minScore, maxScore } = options;
  if (clean && notClean) throw new UsageFailure('Pass --clean or --not-clean, not both.');
  return {
    ...(since !== undefined && { from: Date.parse(since) }),
    ...(until !== undefined && { to: Date.parse(until) }),
    ...((clean || notClean) && { clean: clean === true }),
    ...(minScore !== undefined && { scoreAtLeast: minScore }),
    ...(maxScore !== undefined && { scoreAtMost: maxScore }),
  };
}

interface ListOptions extends LeadFilterOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** The store's maximum per page. */
const PAGE = 50;

export function addLeadList(leads: Command, run: RunCommand): void {
  addLeadFilters(leads.command('list'))
    .description(
      'List the leads of a form, newest first, with score and state. Use `leads show` to see the body.',
    )
    .option('--limit <n>', 'maximum number of leads', wholeNumber(1, 1_000), 20)
    .option('--cursor <cursor>', 'continue an earlier list with the cursor it printed')
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
            ...(cursor ? ['', 'There may be more. To continue, add:', `  --cursor ${cursor}`] : []),
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
  if (rows.length === 0) return ['No leads found.'];
  return table(
    ['SUBMISSION ID', 'RECEIVED', 'SURFACE', 'SCORE', 'GRADE', 'CLEAN', 'ENRICHMENT'],
    rows.map((row) => [
      row.submissionId,
      row.receivedAt,
      row.surface,
      String(row.score),
      row.grade ?? '',
      row.clean ? 'yes' : 'no',
      row.enrichment,
    ]),
  );
}
