import type { Command } from 'commander';
import type { LeadFilter } from '../../lambdas/leads/lead-filter.ts';
import type { LeadRow } from '../../lambdas/leads/lead-row.ts';
import type { ShownLead } from '../../lambdas/leads/search/index-entry.ts';
import { UsageFailure } from '../operator/failure.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, readMoment, wholeNumber } from './command-line.ts';
import type { RunCommand, Session } from './session.ts';
import { requireForm, requireWorkspace } from './stack-contents.ts';

export interface LeadFilterOptions {
  readonly since?: string;
  readonly until?: string;
  readonly clean?: boolean;
  readonly notClean?: boolean;
  readonly minScore?: number;
  readonly maxScore?: number;
}

export function addLeadFilters(command: Command): Command {
  return command
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
  readonly form?: string;
  readonly workspace?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** The stores' maximum per page. */
const PAGE = 50;

const HELP = `
A workspace is listed from the search index, which new leads enter within seconds.
`;

export function addLeadList(leads: Command, run: RunCommand): void {
  const list = leads
    .command('list')
    .description(
      'List the leads of a form or a workspace, newest first, with score and state. Use `leads show` to see the body.',
    )
    .option('--form <id>', 'form ID', idOf('form'))
    .option('--workspace <id>', 'workspace ID: the leads of all its forms', idOf('workspace'));
  addLeadFilters(list)
    .option('--limit <n>', 'maximum number of leads', wholeNumber(1, 1_000), 20)
    .option('--cursor <cursor>', 'continue an earlier list with the cursor it printed')
    .addHelpText(
      'after',
      HELP +
        examples(
          'leads list --form form_…',
          'leads list --workspace ws_… --since 24h',
          'leads list --form form_… --since 24h --not-clean',
          'leads list --form form_… --min-score 80 --limit 200 --json',
        ),
    )
    .action((options: ListOptions) => {
      if ((options.form === undefined) === (options.workspace === undefined)) {
        throw new UsageFailure('Pass --form ID or --workspace ID.');
      }
      const filter = leadFilterOf(options);
      return run(async (session) => {
        const readPage = await openPages(session, options, filter);
        const { rows, cursor } = await readRows(readPage, options);
        return {
          result: { leads: rows, ...(cursor && { cursor }) },
          lines: [
            ...describe(rows, options.workspace !== undefined),
            ...(cursor ? ['', 'There may be more. To continue, add:', `  --cursor ${cursor}`] : []),
          ],
        };
      });
    });
}

/** As listed for operators: without what was submitted. */
type Row = Omit<LeadRow, 'cells'> & { readonly formId?: string };

type ReadPage = (
  page: { readonly limit: number; readonly cursor: string | undefined },
  signal: AbortSignal,
) => Promise<{ readonly rows: readonly Row[]; readonly cursor?: string | undefined }>;

/** Loaded late: help does not need the SDK. */
async function openPages(session: Session, options: ListOptions, filter: LeadFilter): Promise<ReadPage> {
  if (options.workspace !== undefined) return openWorkspacePages(session, options.workspace, filter);
  const { formId, workspaceId } = await requireForm(session, options.form as string);
  const { makeLeadPages } = await import('../../lambdas/leads/lead-pages-store.ts');
  const pages = makeLeadPages({ ...session, now: Date.now });
  return async ({ limit, cursor }, signal) => {
    const page = await pages.page({ workspaceId, formId, filter, cursor, limit }, signal);
    return { rows: page.rows.map(({ cells: _cells, ...row }) => row), cursor: page.cursor };
  };
}

async function openWorkspacePages(
  session: Session,
  workspaceId: string,
  filter: LeadFilter,
): Promise<ReadPage> {
  await requireWorkspace(session, workspaceId);
  const [{ makeLeadSearcher }, { decodeListCursor, encodeListCursor }, { leadIdRange, markOf }] =
    await Promise.all([
      import('../../lambdas/leads/search/lead-search-store.ts'),
      import('../../lambdas/leads/lead-cursors.ts'),
      import('../../lambdas/leads/lead-filter.ts'),
    ]);
  const searcher = makeLeadSearcher({ ...session, now: Date.now });
  const { from, to, ...asked } = filter;
  const mark = markOf([workspaceId, filter]);
  return async ({ limit, cursor }, signal) => {
    const olderThan = cursor === undefined ? undefined : decodeListCursor(cursor, mark);
    const range = leadIdRange(from, to, olderThan);
    if (!range) return { rows: [] };
    const found = await searcher.search(workspaceId, asked, { range, wanted: limit }, signal);
    const next = found.resumeAfter && encodeListCursor(mark, found.resumeAfter);
    return { rows: found.leads.map(toRow), cursor: next };
  };
}

function toRow({ leadId, formId, receivedAt, surface, score, clean, enrichment, ...rest }: ShownLead): Row {
  const { grade, review, test } = rest;
  return {
    submissionId: leadId,
    formId,
    receivedAt,
    surface,
    score,
    ...(grade && { grade }),
    clean,
    enrichment,
    ...(review && { review }),
    ...(test && { test }),
  };
}

async function readRows(readPage: ReadPage, options: ListOptions) {
  const rows: Row[] = [];
  let { cursor } = options;
  do {
    const limit = Math.min(PAGE, options.limit - rows.length);
    const page = await readPage({ limit, cursor }, AbortSignal.timeout(30_000));
    rows.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== undefined && rows.length < options.limit);
  return { rows, cursor };
}

function describe(rows: readonly Row[], withForm: boolean): string[] {
  if (rows.length === 0) return ['No leads found.'];
  return table(
    [
      ...['SUBMISSION ID', 'RECEIVED', ...(withForm ? ['FORM'] : [])],
      ...['SURFACE', 'SCORE', 'GRADE', 'CLEAN', 'ENRICHMENT'],
    ],
    rows.map((row) => [
      row.submissionId,
      row.receivedAt,
      ...(withForm ? [row.formId ?? ''] : []),
      row.surface,
      String(row.score),
      row.grade ?? '',
      row.clean ? 'yes' : 'no',
      row.enrichment,
    ]),
  );
}
