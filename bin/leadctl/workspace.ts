import type { Command } from 'commander';
import { placeOf } from '../operator/stack-outputs.ts';
import { examples, idOf } from './command-line.ts';
import { addOffboard } from './offboard.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import type { RunCommand } from './session.ts';

export function addWorkspaceCommands(program: Command, run: RunCommand): void {
  const workspace = program
    .command('workspace')
    .description(
      'Manage workspaces, which contain forms, leads and credentials. Limits apply per workspace.',
    );
  addCreate(workspace, run);
  addList(workspace, run);
  addSuspend(workspace, run);
  addResume(workspace, run);
  addOffboard(workspace, run);
}

function addCreate(workspace: Command, run: RunCommand): void {
  workspace
    .command('create')
    .description('Create a workspace.')
    .requiredOption('--name <name>', 'display name, up to 100 characters')
    .addHelpText('after', examples('workspace create --name "Acme"'))
    .action(({ name }: { name: string }) =>
      run(async ({ administration, command }) => {
        const made = await administration.createWorkspace({ name });
        return {
          result: made,
          lines: [
            `Created workspace ${made.workspaceId} (${made.name}).`,
            '',
            'Next, create a form:',
            `  ${command(`form create --workspace ${made.workspaceId} --name "Contact us"`)}`,
          ],
        };
      }),
    );
}

function addList(workspace: Command, run: RunCommand): void {
  workspace
    .command('list')
    .description('List all workspaces, oldest first.')
    .addHelpText('after', examples('workspace list', 'workspace list --json'))
    .action(() =>
      run(async ({ administration, command }) => {
        const found = await administration.listWorkspaces();
        const rows = found.map((each) => [each.workspaceId, each.status, each.createdAt, each.name]);
        const none = ['No workspaces yet. Create one:', `  ${command('workspace create --name "Acme"')}`];
        return {
          result: found,
          lines: found.length > 0 ? table(['ID', 'STATUS', 'CREATED', 'NAME'], rows) : none,
        };
      }),
    );
}

function addSuspend(workspace: Command, run: RunCommand): void {
  workspace
    .command('suspend')
    .description('Reject all submissions to a workspace until it is resumed.')
    .argument('<id>', 'workspace ID, such as ws_…', idOf('workspace'))
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('workspace suspend ws_…', 'workspace suspend ws_… --yes --json'))
    .action((id: string, options: { yes?: boolean }) =>
      run(async ({ administration, outputs, command, terminal }) => {
        await confirm(`suspend workspace ${id} of ${placeOf(outputs)}`, options, terminal);
        return {
          result: await administration.suspendWorkspace(id),
          lines: [
            `Workspace ${id} is suspended: all its submissions are rejected.`,
            '',
            'To resume it:',
            `  ${command(`workspace resume ${id}`)}`,
          ],
        };
      }),
    );
}

function addResume(workspace: Command, run: RunCommand): void {
  workspace
    .command('resume')
    .description('Accept submissions to a suspended workspace again.')
    .argument('<id>', 'workspace ID, such as ws_…', idOf('workspace'))
    .addHelpText('after', examples('workspace resume ws_…'))
    .action((id: string) =>
      run(async ({ administration }) => ({
        result: await administration.resumeWorkspace(id),
        lines: [`Workspace ${id} is active: it accepts submissions.`],
      })),
    );
}
