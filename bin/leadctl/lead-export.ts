import { statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { LeadFilter } from '../../lambdas/leads/lead-filter.ts';
import { cannotWrite, isFileError, UsageFailure } from '../operator/failure.ts';
import { counted, escapedFor, makeProgressBar, type Output } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { addLeadFilters, type LeadFilterOptions, leadFilterOf } from './lead-list.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session, Work } from './session.ts';
import { requireForm } from './stack-contents.ts';

interface ExportOptions extends LeadFilterOptions {
  readonly form: string;
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
  addLeadFilters(leads.command('export').requiredOption('--form <id>', 'form ID', idOf('form')))
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
  filter: LeadFilter,
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
