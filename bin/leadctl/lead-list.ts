import { statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { LeadFilter } from '../../lambdas/leads/lead-filter.ts';
import type { LeadRow } from '../../lambdas/leads/lead-row.ts';
import { cannotWrite, isFileError, UsageFailure } from '../operator/failure.ts';
import { counted, escapedFor, makeProgressBar, type Output, table } from '../operator/terminal.ts';
import { examples, idOf, readMoment, wholeNumber } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session, Work } from './session.ts';
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
  const { makeLeadPages } = await import('../../lambdas/leads/lead-pages-store.ts');
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

interface ExportOptions extends LeadFilterOptions {
  readonly format: 'csv' | 'ndjson';
  readonly columns?: string;
  readonly out?: string;
  readonly yes?: boolean;
}

const HELP = `
CSV has columns for the score and the enrichment, and one per key with a scalar value. Cells that a spreadsheet would
run as a formula are escaped. --columns takes the names in the header; for a key that no recent lead has, add body.
NDJSON has one lead per line, with the body as sent and the enrichment.
The file appears once it is complete, and only you can read it: it contains personal data. --json prints a summary, so
it requires --out. Terminals show control characters as escapes such as \\u001b; files and pipes get them unchanged.
`;

export function addLeadExport(leads: Command, run: RunCommand): void {
  addLeadFilters(leads.command('export'))
    .description('Export the leads of a form, newest first, to a file or to standard output.')
    .addOption(
      new Option('--format <format>', 'csv for spreadsheets, ndjson for programs')
        .choices(['csv', 'ndjson'])
        .makeOptionMandatory(),
    )
    .option(
      '--columns <names>',
      'for csv: the columns to write, in this order: score,enrichment_company,email',
    )
    .option('--out <file>', 'file to write; default: standard output')
    .option('--yes', 'overwrite the file without confirmation')
    .addHelpText(
      'after',
      HELP +
        examples(
          'leads export --form form_… --format csv --out leads.csv',
          'leads export --form form_… --format csv --columns received_at,score,email',
          "leads export --form form_… --format ndjson --since 7d | jq '.body.email'",
        ),
    )
    .action((options: ExportOptions) => {
      const filter = leadFilterOf(options);
      const { columns, format } = options;
      if (columns !== undefined && format !== 'csv')
        throw new UsageFailure('Pass --columns with --format csv.');
      return run((session) =>
        exportTo(session, options, (write) => copyLeads(session, options, filter, write)),
      );
    });
}

export type Write = (content: Buffer) => Promise<unknown>;

/** Where an export goes: to a file, with a summary, or to standard output. */
export async function exportTo(
  session: Session,
  { out, yes }: Pick<ExportOptions, 'out' | 'yes'>,
  copy: (write: Write) => Promise<{ leads: number; bytes: number }>,
): ReturnType<Work> {
  if (out === undefined) {
    if (session.json)
      throw new UsageFailure('Pass --out FILE with --json: standard output is for the JSON summary.');
    await copy(writeTo(session.terminal.stdout));
    return { exitCode: 0 };
  }
  const existing = statSync(out, { throwIfNoEntry: false });
  if (existing && !existing.isFile()) throw new UsageFailure(`${out} is not a regular file.`);
  if (existing) await confirm(`overwrite ${out}`, yes ? { yes } : {}, session.terminal);
  const { leads, bytes } = await writeFile(out, copy);
  return {
    result: { leads, bytes, file: out },
    lines: [`Wrote ${counted(leads, 'lead')} to ${out} (${counted(bytes, 'byte')}).`],
  };
}

async function copyLeads(
  session: Session,
  { form, format, columns }: ExportOptions,
  filter: ReturnType<typeof leadFilterOf>,
  write: Write,
): Promise<{ leads: number; bytes: number }> {
  const { formId, workspaceId, fields } = await requireForm(session, form);
  const { readColumnNames } = await import('../../lambdas/leads/export/export-columns.ts');
  const chosen = columns === undefined ? undefined : readColumnNames(columns);
  const { makeLeadExport } = await import('../../lambdas/leads/export/lead-export-store.ts');
  const { page: readPage } = makeLeadExport({ ...session, now: Date.now });
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  const request = { workspaceId, formId, format, filter, chosen, fields };
  let [leads, bytes] = [0, 0];
  let cursor: string | undefined;
  try {
    do {
      const page = await readPage({ ...request, cursor }, signal);
      await write(page.content);
      leads += page.leads;
      bytes += page.content.length;
      cursor = page.cursor;
      bar.show(leads, undefined, `${leads} leads`);
      signal.throwIfAborted();
    } while (cursor !== undefined);
  } finally {
    bar.clear();
  }
  return { leads, bytes };
}

/** Waits for the reader: with a slow one, at most one page stays in memory. */
function writeTo(stdout: Output): Write {
  return (content) =>
    new Promise<void>((resolve, reject) => {
      // A page ends with a newline, so no character is split.
      const shown = stdout.isTTY ? escapedFor(stdout, content.toString()) : content;
      stdout.write(shown, (error) => (error ? reject(error) : resolve()));
    });
}

/** All or nothing: an incomplete export must not look complete. */
async function writeFile<Result>(file: string, fill: (write: Write) => Promise<Result>): Promise<Result> {
  const draft = `${file}.part`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(draft, 'w', 0o600);
    const to = handle;
    const result = await fill((content) => to.writeFile(content));
    await handle.close();
    await rename(draft, file);
    return result;
  } catch (error) {
    await handle?.close().catch(() => undefined);
    if (handle) await rm(draft, { force: true }).catch(() => undefined);
    throw isFileError(error) ? cannotWrite(file, error) : error;
  }
}
