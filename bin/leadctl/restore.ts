import { type Command, Option } from 'commander';
import type { BackedUp, RestoreTally } from '../../lambdas/operator/restore-store.ts';
import type { Item } from '../../lambdas/operator/table-items-store.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, interrupted, makeProgressBar } from '../operator/terminal.ts';
import { countedItems } from './backup.ts';
import { readLines, readManifest } from './backup-folder.ts';
import { examples } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';

interface RestoreOptions {
  readonly from?: string;
  readonly fromTable?: string;
  readonly table?: BackedUp;
  readonly yes?: boolean;
}

/** The tables that DynamoDB's point-in-time recovery can restore. */
const RECOVERABLE: readonly BackedUp[] = [
  ...(['stats', 'alerts', 'formSecrets', 'destinationSecrets', 'destinations'] as const),
  ...(['forms', 'tokens', 'workspaces', 'leads'] as const),
];

const HELP = `
Adds missing items and never overwrites existing ones. You can interrupt it and run it again, and the service can
accept leads meanwhile. Leads are not counted or enriched a second time. Expired items and notes
of erasures are skipped.

  --from FOLDER                      everything in a folder written by leadctl backup, into the same or another stack
  --table leads --from-table NAME    one table, from a table that AWS point-in-time recovery or AWS Backup restored.
                                     For several tables, use this order:
                                     ${RECOVERABLE.slice(0, 5).join(', ')},
                                     ${RECOVERABLE.slice(5).join(', ')}.

Leads that were erased after the backup are restored too. Erase them again.

Open alerts stay open and are not sent again.

Destinations come back as they were: active ones are sent to. In another stack, restored leads of the last 48 hours are
sent to them again, with the same webhook-id.
`;

export function addRestoreCommand(command: Command, run: RunCommand): void {
  command
    .option('--from <folder>', 'folder written by leadctl backup')
    .addOption(new Option('--table <which>', 'table to restore').choices([...RECOVERABLE]))
    .option('--from-table <name>', 'table to copy from, in the same account and region')
    .option('--yes', 'skip the confirmation')
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
        const action = `restore missing items of ${where} from ${from ?? fromTable}`;
        await confirm(action, options, session.terminal);
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
    throw new UsageFailure('Pass --from FOLDER, or --table TABLE with --from-table NAME.');
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
  async function* itemsOf(tableKey: BackedUp): AsyncGenerator<Item[]> {
    for await (const lines of readLines(folder, tableKey, 500)) yield lines.map(fromLine);
  }
  function fromLine(line: string): Item {
    try {
      return fromItemLine(line);
    } catch {
      // Not the parser's message: it quotes the text.
      throw new Failure(
        'file',
        `${folder} is damaged: a line cannot be read. Items before it were restored.`,
      );
    }
  }
  // Backups of earlier versions have no destinations and no alerts.
  for (const tableKey of BACKED_UP.filter((each) => manifest.items[each] !== undefined)) {
    const tally = await putBack(session, tableKey, itemsOf(tableKey), Date.parse(manifest.takenAt), restored);
    const read = tally.restored + tally.present + tally.expired + (tally.erasureNotes ?? 0);
    if (read !== manifest.items[tableKey]) {
      throw new Failure(
        'file',
        `${folder} is damaged: it has ${read} of ${countedItems(manifest.items[tableKey] ?? 0, tableKey)}.`,
      );
    }
  }
  return restored;
}

/** The time of the copy is unknown. Assuming now is safe: a lead may not be counted, but never twice. */
async function fromOtherTable(session: Session, tableKey: BackedUp, name: string): Promise<Restored> {
  if (name === session.tables[tableKey]) {
    throw new UsageFailure(
      `${name} is the table of the stack itself. Pass the restored copy with --from-table.`,
    );
  }
  const { readTable } = await import('../../lambdas/operator/table-items-store.ts');
  const restored: Restored = {};
  const items = readTable(session.client, name, session.interruption());
  try {
    await putBack(session, tableKey, items, Date.now(), restored);
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error;
    throw new Failure('not_found', `Table ${name} not found next to ${placeOf(session.outputs)}.`);
  }
  return restored;
}

async function putBack(
  session: Session,
  tableKey: BackedUp,
  pages: Pages,
  takenAt: number,
  restored: Restored,
): Promise<RestoreTally> {
  const { makeRestorer } = await import('../../lambdas/operator/restore-store.ts');
  const restorer = makeRestorer({ ...session, now: Date.now });
  const tally: RestoreTally = { restored: 0, present: 0, expired: 0 };
  restored[tableKey] = tally;
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  try {
    for await (const items of pages) {
      signal.throwIfAborted();
      await restorer.put(tableKey, items, takenAt, tally, signal);
      bar.show(
        tally.restored,
        undefined,
        `${tableKey}: ${tally.restored} restored, ${tally.present} already present`,
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted('Interrupted. Run the command again to continue.');
  } finally {
    bar.clear();
  }
  return tally;
}

function describe(restored: Restored): string[] {
  return Object.entries(restored).map(([tableKey, { restored: count, present, expired, erasureNotes = 0 }]) =>
    [
      `${tableKey}: ${count} restored`,
      `${present} already present`,
      ...(expired > 0 ? [`${expired} expired`] : []),
      ...(erasureNotes > 0 ? [`${counted(erasureNotes, 'note')} of erasures left out`] : []),
    ].join(', '),
  );
}
