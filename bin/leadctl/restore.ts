import { type Command, Option } from 'commander';
import type { BackedUp, RestoreTally } from '../../lambdas/operator/restore-store.ts';
import type { Item } from '../../lambdas/operator/table-items-store.ts';
import { readLines, readManifest } from './backup-folder.ts';
import { examples } from './command-line.ts';
import { Failure, UsageFailure } from './failure.ts';
import { interrupted } from './interruption.ts';
import { confirm } from './operator-input.ts';
import { makeProgressBar } from './progress-bar.ts';
import type { RunCommand, Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

interface RestoreOptions {
  readonly from?: string;
  readonly fromTable?: string;
  readonly table?: BackedUp;
  readonly yes?: boolean;
}

/** What can be restored by DynamoDB's point-in-time recovery, by the names of the stack's tables. */
const RECOVERABLE: readonly BackedUp[] = [
  ...(['stats', 'formSecrets', 'forms', 'tokens', 'workspaces', 'leads'] as const),
];

const HELP = `
What is missing is put back; what is there stays as it is, so that nothing newer is lost. It can be interrupted and run
again, and leads may come in meanwhile. Leads are neither counted nor enriched a second time. What has expired stays
away.

  --from FOLDER                      everything, from what leadctl backup wrote: back, or into another stack
  --table leads --from-table NAME    one table, from a table that point-in-time recovery or a backup of AWS restored
                                     beside it. Several: ${RECOVERABLE.join(', ')}, in this order.

What was erased after the copy was taken comes back with it: erase it again.`;

export function addRestoreCommand(program: Command, run: RunCommand): void {
  program
    .command('restore')
    .description(
      'Put leads and settings back where they are missing, from a backup or from a restored table.',
    )
    .option('--from <folder>', 'a folder that leadctl backup wrote')
    .addOption(new Option('--table <which>', 'the table to put items back into').choices([...RECOVERABLE]))
    .option('--from-table <name>', 'the table to take them from, in the same account and Region')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      HELP +
        examples(
          'restore --from backup-2026-11-15',
          'restore --table leads --from-table Leads-restored --yes',
        ),
    )
    .action((options: RestoreOptions) => {
      requireOneSource(options);
      return run(async (session) => {
        const { from, fromTable, table } = options;
        const where = placeOf(session.outputs);
        const deed = `put back into ${where} what is missing there, from ${from ?? fromTable}`;
        await confirm(deed, options, session.terminal);
        const restored =
          from === undefined
            ? await fromOtherTable(session, table as BackedUp, fromTable as string)
            : await fromFolder(session, from);
        return { result: { restored }, lines: describe(restored) };
      });
    });
}

function requireOneSource({ from, fromTable, table }: RestoreOptions): void {
  const fromFolderOnly = from !== undefined && fromTable === undefined && table === undefined;
  const fromTableOnly = from === undefined && fromTable !== undefined && table !== undefined;
  if (!fromFolderOnly && !fromTableOnly) {
    throw new UsageFailure('Say --from FOLDER, or --table WHICH with --from-table NAME.');
  }
}

type Restored = Record<string, RestoreTally>;
type Pages = AsyncIterable<readonly Item[]>;

async function fromFolder(session: Session, folder: string): Promise<Restored> {
  const manifest = await readManifest(folder);
  const [{ BACKED_UP }, { fromItemLine }] = await Promise.all([
    import('../../lambdas/operator/restore-store.ts'),
    import('../../lambdas/operator/table-items-store.ts'),
  ]);
  const restored: Restored = {};
  async function* itemsOf(noun: BackedUp): AsyncGenerator<Item[]> {
    for await (const lines of readLines(folder, noun, 500)) yield lines.map(fromLine);
  }
  function fromLine(line: string): Item {
    try {
      return fromItemLine(line);
    } catch {
      // Not the parser's own message: it quotes the text.
      throw new Failure('file', `A line of ${folder} is damaged: what came before it is put back.`);
    }
  }
  for (const noun of BACKED_UP) {
    const tally = await putBack(session, noun, itemsOf(noun), Date.parse(manifest.takenAt), restored);
    const read = tally.restored + tally.present + tally.expired;
    if (read !== manifest.items[noun]) {
      throw new Failure('file', `${folder} has ${read} of ${manifest.items[noun]} ${noun}: it is damaged.`);
    }
  }
  return restored;
}

/** When the copy was taken is not known here. As of now is safe: at worst a lead is not counted, and none is twice. */
async function fromOtherTable(session: Session, noun: BackedUp, name: string): Promise<Restored> {
  if (name === session.tables[noun]) {
    throw new UsageFailure(`${name} is the table itself: name the one that was restored beside it.`);
  }
  const { readTable } = await import('../../lambdas/operator/table-items-store.ts');
  const restored: Restored = {};
  const items = readTable(session.client, name, session.interruption());
  try {
    await putBack(session, noun, items, Date.now(), restored);
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error;
    throw new Failure('not_found', `There is no table ${name} beside those of ${placeOf(session.outputs)}.`);
  }
  return restored;
}

async function putBack(
  session: Session,
  noun: BackedUp,
  pages: Pages,
  takenAt: number,
  restored: Restored,
): Promise<RestoreTally> {
  const { makeRestorer } = await import('../../lambdas/operator/restore-store.ts');
  const restorer = makeRestorer({ ...session, now: Date.now });
  const tally: RestoreTally = { restored: 0, present: 0, expired: 0 };
  restored[noun] = tally;
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  try {
    for await (const items of pages) {
      signal.throwIfAborted();
      await restorer.put(noun, items, takenAt, tally, signal);
      bar.show(
        tally.restored,
        undefined,
        `${noun}: ${tally.restored} put back, ${tally.present} there already`,
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted('Interrupted: run it again, it goes on from there.');
  } finally {
    bar.clear();
  }
  return tally;
}

function describe(restored: Restored): string[] {
  return Object.entries(restored).map(
    ([noun, { restored: count, present, expired }]) =>
      `${noun}: ${count} put back, ${present} there already${expired > 0 ? `, ${expired} expired` : ''}`,
  );
}
