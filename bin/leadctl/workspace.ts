import type { Command } from 'commander';
import { examples, idOf } from './command-line.ts';
import { addOffboard } from './offboard.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import type { RunCommand } from './session.ts';
import { placeOf } from './stack-outputs.ts';

export function addWorkspaceCommands(program: Command, run: RunCommand): void {
  const workspace = program
    .command('workspace')
    .description('Workspaces: what forms, leads and credentials belong to, and what limits count for.');
  addCreate(workspace, run);
  addList(workspace, run);
  addSuspend(workspace, run);
  addResume(workspace, run);
  addOffboard(workspace, run);
}

function addCreate(workspace: Command, run: RunCommand): void {
  workspace
    .command('create')
    .description('Make a workspace.')
    .requiredOption('--name <name>', 'what people call it, up to 100 characters')
    .addHelpText('after', examples('workspace create --name "Acme"'))
    .action(({ name }: { name: string }) =>
      run(async ({ administration, command }) => {
        const made = await administration.createWorkspace({ name });
        return {
          result: made,
          lines: [
            `Made workspace ${made.workspaceId} (${made.name}).`,
            '',
            'Next, make a form in it:',
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
        const none = [
          'There are no workspaces yet. Make one:',
          `  ${command('workspace create --name "Acme"')}`,
        ];
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
    .description('Reject every submission to a workspace from now on, until it is resumed.')
    .argument('<id>', 'the workspace, such as ws_…', idOf('workspace'))
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('workspace suspend ws_…', 'workspace suspend ws_… --yes --json'))
    .action((id: string, options: { yes?: boolean }) =>
      run(async ({ administration, outputs, command, terminal }) => {
        await confirm(`suspend workspace ${id} of ${placeOf(outputs)}`, options, terminal);
        return {
          result: await administration.suspendWorkspace(id),
          lines: [
            `Workspace ${id} is suspended: all its submissions are rejected.`,
            '',
            'To undo it:',
            `  ${command(`workspace resume ${id}`)}`,
          ],
        };
      }),
    );
}

function addResume(workspace: Command, run: RunCommand): void {
  workspace
    .command('resume')
    .description('Let a suspended workspace take leads again.')
    .argument('<id>', 'the workspace, such as ws_…', idOf('workspace'))
    .addHelpText('after', examples('workspace resume ws_…'))
    .action((id: string) =>
      run(async ({ administration }) => ({
        result: await administration.resumeWorkspace(id),
        lines: [`Workspace ${id} is active: it takes leads.`],
      })),
    );
}
