import type { Command } from 'commander';
import type { BackedUp } from '../../lambdas/operator/restore-store.ts';
import { makeBackupFolder, writeLines, writeManifest } from './backup-folder.ts';
import { examples } from './command-line.ts';
import { makeProgressBar } from './progress-bar.ts';
import type { RunCommand, Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

/**
 * The other way round than they are put back, in so far as one points at another: the lead of a key that was read is
 * read later, and so is the form of a lead. What came in meanwhile is then in the backup whole, or not counted in it.
 */
const READ_IN_ORDER: readonly BackedUp[] = [
  ...(['idempotency', 'stats', 'leads', 'tokens', 'formSecrets', 'forms', 'workspaces'] as const),
];

const HELP = `
One file for each table, one item a line, as DynamoDB's own export to S3 writes them. THE WEBHOOK SECRETS ARE IN THERE
IN CLEAR, and so are the leads: the folder is for your eyes only, keep it so wherever you take it. Server tokens are
there by their hashes, as in the table.

Not in it: owners and their passwords (invite them again), diagnostics, the stack itself (deploy it again). Each item is
read as it is at that moment, while the service goes on; for one and the same moment of all tables there is
point-in-time recovery. It reads everything once, and costs what that costs.`;

export function addBackupCommand(program: Command, run: RunCommand): void {
  program
    .command('backup')
    .description(
      'Copy all leads and settings of the stack into a folder, to restore them there or elsewhere.',
    )
    .requiredOption('--to <folder>', 'a new or empty folder')
    .addHelpText('after', HELP + examples('backup --to backup-2026-11-15'))
    .action(({ to }: { to: string }) =>
      run(async (session) => {
        const takenAt = new Date().toISOString();
        await makeBackupFolder(to);
        const items = await copyTables(session, to);
        const { stackName, region } = session.outputs;
        await writeManifest(to, { takenAt, stackName, region, items });
        return {
          result: { folder: to, takenAt, items },
          lines: [
            `Backed up ${placeOf(session.outputs)} to ${to}: ${describe(items)}.`,
            'It holds webhook secrets and leads in clear: keep it where only you can read it.',
          ],
        };
      }),
    );
}

async function copyTables({ client, tables, interruption, terminal }: Session, folder: string) {
  const { readTable, toItemLine } = await import('../../lambdas/operator/table-items-store.ts');
  const signal = interruption();
  const bar = makeProgressBar(terminal.stderr);
  async function* linesOf(noun: BackedUp) {
    for await (const items of readTable(client, tables[noun], signal)) yield items.map(toItemLine);
  }
  const written: Record<string, number> = {};
  try {
    for (const noun of READ_IN_ORDER) {
      const show = (count: number) => bar.show(count, undefined, `${noun}: ${count}`);
      written[noun] = await writeLines(folder, noun, linesOf(noun), show);
    }
  } finally {
    bar.clear();
  }
  return written;
}

function describe(items: Readonly<Record<string, number>>): string {
  return Object.entries(items)
    .map(([noun, count]) => `${count} ${noun}`)
    .join(', ');
}
