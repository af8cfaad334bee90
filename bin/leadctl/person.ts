import { type Command, Option } from 'commander';
import type { ErasedLead, ErasureRequest, Unfinished } from '../../lambdas/leads/people/erase-person.ts';
import { UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, makeProgressBar, table } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { exportTo, type Write } from './lead-export.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { requireWorkspace } from './stack-contents.ts';

interface PersonOptions {
  readonly workspace: string;
  readonly email: string;
  readonly yes?: boolean;
}

type Mentioned = ErasureRequest['mentioned'];

interface EraseOptions extends PersonOptions {
  readonly mentioned?: Mentioned;
}

interface ExportOptions extends PersonOptions {
  readonly out?: string;
}

const RECENT =
  'A lead accepted in the last seconds may not be found yet. Leads from before the search index must be indexed first.';

export function addPersonCommands(person: Command, run: RunCommand): void {
  addExport(person, run);
  addErase(person, run);
}

function addPersonOptions(command: Command): Command {
  return command
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .requiredOption('--email <address>', 'email address; case is ignored');
}

function addExport(person: Command, run: RunCommand): void {
  addPersonOptions(person.command('export'))
    .description(
      'Export all leads with an email address as NDJSON: bodies, scores, enrichment and message IDs.',
    )
    .option('--out <file>', 'file to write; default: standard output')
    .option('--yes', 'overwrite the file without confirmation')
    .addHelpText(
      'after',
      `\n${RECENT}\n${examples('person export --workspace ws_… --email ada@example.com --out ada.ndjson')}`,
    )
    .action((options: ExportOptions) =>
      run((session) => exportTo(session, options, (write) => copyPerson(session, options, write))),
    );
}

async function copyPerson(session: Session, options: PersonOptions, write: Write) {
  const { workspaceId, email, personExport } = await openPerson(session, options);
  const signal = session.interruption();
  let [leads, bytes] = [0, 0];
  let olderThan: string | undefined;
  do {
    const page = await personExport.page({ workspaceId, email, olderThan }, signal);
    await write(page.content);
    leads += page.leads;
    bytes += page.content.length;
    olderThan = page.resumeAfter;
    signal.throwIfAborted();
  } while (olderThan !== undefined);
  return { leads, bytes };
}

function addErase(person: Command, run: RunCommand): void {
  addPersonOptions(person.command('erase'))
    .description(
      'Permanently erase all leads with an email address, and list what was erased. Existing backups still contain them.',
    )
    .addOption(
      new Option(
        '--mentioned <what>',
        'leads of others that mention the address: erase or keep them',
      ).choices(['erase', 'keep']),
    )
    .option('--yes', 'skip the confirmation')
    .addHelpText(
      'after',
      `\n${RECENT}\n${examples('person erase --workspace ws_… --email ada@example.com --yes')}`,
    )
    .action((options: EraseOptions) =>
      run(async (session) => {
        const opened = await openPerson(session, options);
        const action = `erase all leads with this email address in ${opened.workspaceId} of ${placeOf(session.outputs)}`;
        await confirm(action, options, session.terminal);
        const { erased, mentioned, problem } = await eraseAll(session, opened, options.mentioned);
        const ids = ({ leadId: submissionId, ...rest }: ErasedLead) => ({ submissionId, ...rest });
        const result = {
          erased: erased.map(ids),
          mentioned: mentioned.map(ids),
          complete: problem === undefined,
        };
        return {
          result,
          lines: describe(erased, mentioned, problem),
          exitCode: problem === undefined ? 0 : 1,
        };
      }),
    );
}

type OpenPerson = Awaited<ReturnType<typeof openPerson>>;

/** Reports what was erased, even if the command fails later. */
async function eraseAll(session: Session, { workspaceId, email, context }: OpenPerson, mentioned: Mentioned) {
  const { erasePerson } = await import('../../lambdas/leads/people/erase-person.ts');
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  const erased: ErasedLead[] = [];
  const askedAt = Date.now();
  try {
    for (;;) {
      const outcome = await erasePerson(context, { workspaceId, email, mentioned, askedAt }, signal);
      erased.push(...outcome.erased);
      bar.show(erased.length, undefined, `${erased.length} leads`);
      signal.throwIfAborted();
      if (outcome.unfinished === undefined) return { erased, mentioned: [], problem: undefined };
      if (outcome.unfinished === 'more') continue;
      return { erased, mentioned: outcome.mentioned, problem: PROBLEMS[outcome.unfinished] };
    }
  } catch (error) {
    if (erased.length === 0) throw error;
    const why = signal.aborted ? 'Interrupted' : 'AWS did not answer';
    const problem = `${why} after ${counted(erased.length, 'lead')}. Run the command again for the rest.`;
    return { erased, mentioned: [], problem };
  } finally {
    bar.clear();
  }
}

const PROBLEMS: Readonly<Record<Exclude<Unfinished, 'more'>, string>> = {
  mentioned:
    'Leads of other people mention this address. Look at them, and run the command again with --mentioned erase or --mentioned keep.',
  indexing:
    'Leads that came in before may not be in the index yet. Run the command again in a few minutes. After an upgrade, run leads reindex first.',
  dead_letters:
    'Messages of the search index wait as dead letters. Redrive them, then run the command again.',
};

type Rows = readonly ErasedLead[];

function describe(erased: Rows, mentioned: Rows, problem: string | undefined): string[] {
  const list = (leads: Rows) =>
    leads.length === 0
      ? []
      : table(
          ['SUBMISSION ID', 'FORM', 'RECEIVED'],
          leads.map(({ leadId, formId, receivedAt }) => [leadId, formId, receivedAt]),
        );
  return [
    ...list(erased),
    `Erased ${counted(erased.length, 'lead')}. ${problem ?? 'No other lead with this address is left.'}`,
    ...list(mentioned),
  ];
}

/** Loaded late: help does not need the SDK. */
async function openPerson(session: Session, { workspace: workspaceId, email: given }: PersonOptions) {
  const [
    { normalizeEmail },
    { personDependencies },
    { makeLeadPages },
    { makeLeadIndex },
    { makeIndexBacklog },
  ] = await Promise.all([
    import('../../lambdas/leads/search/lead-contact.ts'),
    import('../../lambdas/settings/settings-dependencies.ts'),
    import('../../lambdas/leads/lead-pages-store.ts'),
    import('../../lambdas/leads/search/lead-index-store.ts'),
    import('../../lambdas/leads/people/index-backlog-store.ts'),
  ]);
  const email = normalizeEmail(given);
  if (email === undefined) throw new UsageFailure('The email address cannot be empty.');
  await requireWorkspace(session, workspaceId);
  const context = { client: session.client, tables: session.tables, now: Date.now };
  const { personFinder: finder, personExport } = personDependencies(context);
  return {
    workspaceId,
    email,
    personExport,
    context: {
      finder,
      leads: makeLeadPages(context),
      index: makeLeadIndex(context),
      backlog: makeIndexBacklog({
        ...context,
        queueClient: session.queueClient,
        queues: {
          index: session.outputs.indexQueueUrl,
          deadLetters: session.outputs.sendingDeadLetterQueueUrl,
        },
      }),
    },
  };
}
