import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { examples } from './command-line.ts';
import { Failure, UsageFailure } from './failure.ts';
import { addLeadFilters, type LeadFilterOptions, leadFilterOf } from './lead-list.ts';
import { confirm } from './operator-input.ts';
import { escapedFor, type Output } from './print.ts';
import { makeProgressBar } from './progress-bar.ts';
import type { RunCommand, Session } from './session.ts';
import { requireForm } from './stack-contents.ts';

interface ExportOptions extends LeadFilterOptions {
  readonly format: 'csv' | 'ndjson';
  readonly out?: string;
  readonly yes?: boolean;
}

const HELP = `
CSV has a column for each key that a value fits into; cells that a spreadsheet would run as a formula are disarmed.
NDJSON has one lead a line, with the body as it was sent and what enrichment found.
A file appears when it is whole, readable by you alone: it holds personal data. With --json the summary is the
document, so the leads need --out. A terminal shows control characters as escapes such as \\u001b; files and pipes
get them as they are.`;

export function addLeadExport(leads: Command, run: RunCommand): void {
  addLeadFilters(leads.command('export'))
    .description('Write all leads of a form, newest first, to a file or to standard output.')
    .addOption(
      new Option('--format <format>', 'for spreadsheets or for programs')
        .choices(['csv', 'ndjson'])
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'the file to write; standard output if none is named')
    .option('--yes', 'replace the file without asking')
    .addHelpText(
      'after',
      HELP +
        examples(
          'leads export --form form_… --format csv --out leads.csv',
          "leads export --form form_… --format ndjson --since 7d | jq '.body.email'",
        ),
    )
    .action((options: ExportOptions) => {
      const filter = leadFilterOf(options);
      return run(async (session) => {
        const { out } = options;
        if (out === undefined) {
          if (session.json)
            throw new UsageFailure('--json prints one document: name a file for the leads, by --out.');
          await copyLeads(session, options, filter, writeTo(session.terminal.stdout));
          return { exitCode: 0 };
        }
        if (existsSync(out)) await confirm(`replace the file ${out}`, options, session.terminal);
        const { leads, bytes } = await writeFile(out, (write) => copyLeads(session, options, filter, write));
        return {
          result: { leads, bytes, file: out },
          lines: [`Wrote ${leads} leads to ${out} (${bytes} bytes).`],
        };
      });
    });
}

type Write = (content: Buffer) => Promise<unknown>;

async function copyLeads(
  session: Session,
  { form, format }: ExportOptions,
  filter: ReturnType<typeof leadFilterOf>,
  write: Write,
): Promise<{ leads: number; bytes: number }> {
  const { formId, workspaceId } = await requireForm(session, form);
  const { makeLeadExport } = await import('../../lambdas/settings/leads/lead-export-store.ts');
  const { page: readPage } = makeLeadExport({ ...session, now: Date.now });
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  let [leads, bytes] = [0, 0];
  let cursor: string | undefined;
  try {
    do {
      const page = await readPage({ workspaceId, formId, format, filter, cursor }, signal);
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

/** Waits for the reader, so that a slow one holds no more than a page in our memory. */
function writeTo(stdout: Output): Write {
  return (content) =>
    new Promise<void>((resolve, reject) => {
      // Pages end with a line, so that no character is cut in two.
      const shown = stdout.isTTY ? escapedFor(stdout, content.toString()) : content;
      stdout.write(shown, (error) => (error ? reject(error) : resolve()));
    });
}

/** Whole or not at all: an export that was cut short must not look like one that was not. */
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
    await handle?.close();
    await rm(draft, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall && ['open', 'write', 'rename'].includes(syscall)) {
      throw new Failure('file', `${file} cannot be written (${code}).`);
    }
    throw error;
  }
}
