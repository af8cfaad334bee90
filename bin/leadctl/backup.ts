import type { Command } from 'commander';
import type { BackedUp } from '../../lambdas/operator/restore-store.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, interrupted, makeProgressBar } from '../operator/terminal.ts';
import { makeBackupFolder, removeBackup, writeLines, writeManifest } from './backup-folder.ts';
import { examples } from './command-line.ts';
import type { RunCommand, Session } from './session.ts';

/**
 * The reverse of the order in which they are restored: an item is read before the items it refers to. A lead that
 * arrives meanwhile is then either complete in the backup or not counted in it.
 */
const READ_IN_ORDER: readonly BackedUp[] = [
  ...(['idempotency', 'stats', 'alerts', 'leads', 'tokens', 'destinations'] as const),
  ...(['recipients', 'destinationSecrets'] as const),
  ...(['formSecrets', 'forms', 'members', 'apiKeys', 'activity', 'workspaces'] as const),
];

const HELP = `
Writes one file per table with one item per line, in the format of DynamoDB's export to S3. THE FILES CONTAIN WEBHOOK
SECRETS, SECRETS OF DESTINATIONS AND LEADS IN PLAIN TEXT. Only you can read the folder; keep it that way wherever you
copy it. Server tokens and API keys are stored as hashes only.

Not included: owners and their passwords (invite them again), diagnostics, messages to destinations (what waits would be
sent a second time after a restore), what was learned from reviews (it is learned again), and the stack itself (deploy it again). The service keeps running during the
backup, so tables are not read at the same instant; use point-in-time recovery if you need that. The command reads every
item once, at DynamoDB's usual price.

If it is interrupted or fails, it removes the incomplete files. Run it again with the same folder.
`;

export function addBackupCommand(command: Command, run: RunCommand): void {
  command
    .requiredOption('--to <folder>', 'a new or empty folder')
    .addHelpText('after', HELP + examples('backup --to backup-2026-11-15'))
    .action(({ to }: { to: string }) =>
      run(async (session) => {
        const takenAt = new Date().toISOString();
        await makeBackupFolder(to);
        const items = await copyTables(session, to, takenAt);
        return {
          result: { folder: to, takenAt, items },
          lines: [
            `Backed up ${placeOf(session.outputs)} to ${to}: ${describe(items)}.`,
            'It contains secrets and leads in plain text. Keep it where only you can read it.',
          ],
        };
      }),
    );
}

async function copyTables(session: Session, folder: string, takenAt: string) {
  const { client, tables, interruption, terminal, outputs } = session;
  const { isLearned, readTable, toItemLine } = await import('../../lambdas/operator/table-items-store.ts');
  const signal = interruption();
  const bar = makeProgressBar(terminal.stderr);
  async function* linesOf(tableKey: BackedUp) {
    for await (const items of readTable(client, tables[tableKey], signal)) {
      yield items.filter((item) => !isLearned(item)).map(toItemLine);
    }
  }
  const written: Record<string, number> = {};
  try {
    for (const tableKey of READ_IN_ORDER) {
      const show = (count: number) => bar.show(count, undefined, `${tableKey}: ${count}`);
      written[tableKey] = await writeLines(folder, tableKey, linesOf(tableKey), show);
    }
    const { stackName, region } = outputs;
    await writeManifest(folder, { takenAt, stackName, region, items: written });
  } catch (error) {
    // Half a backup cannot be restored, and must not leave secrets behind.
    await removeBackup(folder, READ_IN_ORDER);
    if (!signal.aborted) throw error;
    throw interrupted(`Interrupted. The incomplete files in ${folder} were removed. Run the command again.`);
  } finally {
    bar.clear();
  }
  return written;
}

const SINGULARS: Readonly<Record<BackedUp, string>> = {
  idempotency: 'idempotency record',
  stats: 'statistics record',
  alerts: 'alert record',
  leads: 'lead record',
  tokens: 'server token',
  formSecrets: 'webhook secret',
  destinations: 'destination',
  destinationSecrets: 'secret of destinations',
  recipients: 'email recipient record',
  forms: 'form',
  members: 'member',
  apiKeys: 'API key',
  activity: 'activity record',
  workspaces: 'workspace',
};

const PLURALS: Readonly<Partial<Record<BackedUp, string>>> = {
  destinationSecrets: 'secrets of destinations',
};

/** Items of a table, in words. */
export function countedItems(count: number, tableKey: BackedUp): string {
  return counted(count, SINGULARS[tableKey], PLURALS[tableKey]);
}

function describe(items: Readonly<Record<string, number>>): string {
  return READ_IN_ORDER.map((tableKey) => countedItems(items[tableKey] ?? 0, tableKey)).join(', ');
}
