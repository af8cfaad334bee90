import type { Command } from 'commander';
import type { OffboardingOutcome, Removed } from '../../lambdas/operator/offboarding-store.ts';
import { Failure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, interrupted, makeProgressBar, table } from '../operator/terminal.ts';
import { examples, idOf } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';
import { findOwners } from './stack-contents.ts';

export function addWorkspaceCommands(workspace: Command, run: RunCommand): void {
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
            `  ${command`form create --workspace ${made.workspaceId} --name "Contact us"`}`,
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
        const none = ['No workspaces yet. Create one:', `  ${command`workspace create --name "Acme"`}`];
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
            `  ${command`workspace resume ${id}`}`,
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

const HELP = `
The workspace is suspended and its destinations are paused first. Then its server tokens, webhook secrets, leads,
diagnostics, statistics, alerts, messages, owners, members, API keys
and activity log are deleted; after about ten seconds, or thirty if it has destinations,
when no submission or message can be in flight, its forms and its destinations with their secrets; after 75 seconds more,
when no function remembers its tokens, whatever was written meanwhile; finally the workspace itself. The command takes
about two minutes, longer with many leads. You can interrupt it at any time and run it again to continue.

It cannot delete idempotency records, which don't name a workspace and expire within 24 hours of the submission, or data
in exports and backups (point-in-time recovery reaches back 35 days).

Exit status: 0 only if nothing is left.
`;

export function addOffboard(workspace: Command, run: RunCommand): void {
  workspace
    .command('offboard')
    .description('Permanently delete a workspace and everything in it.')
    .argument('<id>', 'workspace ID, such as ws_…', idOf('workspace'))
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', HELP + examples('workspace offboard ws_…', 'workspace offboard ws_… --yes --json'))
    .action((id: string, options: { yes?: boolean }) =>
      run(async (session) => {
        await confirm(
          `permanently delete workspace ${id} of ${placeOf(session.outputs)} and all its leads`,
          options,
          session.terminal,
        );
        const removed = await offboard(session, id);
        return {
          result: { workspaceId: id, removed },
          lines: [
            `Deleted workspace ${id}: ${describe(removed)}.`,
            'Its idempotency records contain no lead data and expire within 24 hours.',
          ],
        };
      }),
    );
}

async function offboard(session: Session, workspaceId: string): Promise<Removed> {
  const { makeOffboarding, REMOVED_KINDS } = await import('../../lambdas/operator/offboarding-store.ts');
  const owners = await findOwners(session);
  const removed = Object.fromEntries(REMOVED_KINDS.map((kind) => [kind, 0])) as Removed;
  const signal = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  const onStep = () => bar.show(0, undefined, describe(removed));
  let outcome: OffboardingOutcome;
  try {
    const { forgottenAfterMilliseconds } = session.terminal;
    const offboarding = makeOffboarding({ ...session, now: Date.now, owners, forgottenAfterMilliseconds });
    outcome = await offboarding.run(workspaceId, { removed, onStep }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted(`Interrupted after ${describe(removed)}. Run the command again to continue.`);
  } finally {
    bar.clear();
  }
  const failure = failureOf(outcome, workspaceId, removed, session);
  if (failure) throw failure;
  return removed;
}

function failureOf(
  outcome: OffboardingOutcome,
  workspaceId: string,
  removed: Removed,
  { outputs }: Session,
): Failure | undefined {
  if (outcome === 'left') {
    return new Failure('conflict', 'Data is still being written. Run the command again in a minute.');
  }
  if (outcome === 'resumed') {
    return new Failure(
      'conflict',
      `Workspace ${workspaceId} was changed meanwhile and still exists. Run the command again to delete it.`,
    );
  }
  const found = Object.values(removed).some((count) => count > 0);
  if (outcome === 'gone' || found) return undefined;
  return new Failure(
    'not_found',
    `Workspace ${workspaceId} not found, and none of its data is left. Check the ID, and that ${placeOf(outputs)} is the right stack.`,
  );
}

const WORDS: Readonly<Record<keyof Removed, [singular: string, plural?: string]>> = {
  tokens: ['server token'],
  forms: ['form'],
  secrets: ['webhook secret'],
  leads: ['lead'],
  diagnostics: ['diagnostics record'],
  stats: ['statistics record'],
  alerts: ['alert record'],
  searchEntries: ['search entry', 'search entries'],
  destinations: ['destination'],
  messages: ['message'],
  owners: ['owner'],
  senders: ['sender'],
  learned: ['learned record'],
  members: ['member record'],
  apiKeys: ['API key'],
  activity: ['activity record'],
  recipients: ['link in emails', 'links in emails'],
};

function describe(removed: Removed): string {
  return Object.entries(removed)
    .map(([kind, count]) => counted(count, ...WORDS[kind as keyof Removed]))
    .join(', ');
}
