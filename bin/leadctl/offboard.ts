import type { Command } from 'commander';
import type { OffboardingOutcome, Removed } from '../../lambdas/operator/offboarding-store.ts';
import { examples, idOf } from './command-line.ts';
import { Failure } from './failure.ts';
import { interrupted } from './interruption.ts';
import { confirm } from './operator-input.ts';
import { makeProgressBar } from './progress-bar.ts';
import type { RunCommand, Session } from './session.ts';
import { findOwners } from './stack-contents.ts';
import { placeOf } from './stack-outputs.ts';

const HELP = `
The workspace is suspended first. Then its tokens, secrets, leads with what enrichment found, diagnostics, counts and
owners are deleted; then, when nothing can be on its way any more, which takes ten seconds, its forms; the workspace
itself last. It can be interrupted at any moment: run it again, and it goes on.

What it cannot delete: idempotency records, which are kept under a hash that names no workspace and expire within 24
hours of the submission; what has left already, by export or backup (point-in-time recovery reaches back 35 days).

Exit status: 0 only when nothing is left.`;

export function addOffboard(workspace: Command, run: RunCommand): void {
  workspace
    .command('offboard')
    .description('Delete a workspace and everything that belongs to it, for good.')
    .argument('<id>', 'the workspace, such as ws_…', idOf('workspace'))
    .option('--yes', 'do not ask')
    .addHelpText('after', HELP + examples('workspace offboard ws_…', 'workspace offboard ws_… --yes --json'))
    .action((id: string, options: { yes?: boolean }) =>
      run(async (session) => {
        await confirm(
          `delete workspace ${id} of ${placeOf(session.outputs)} with all its leads, for good`,
          options,
          session.terminal,
        );
        const removed = await offboard(session, id);
        return {
          result: { workspaceId: id, removed },
          lines: [
            `Workspace ${id} is gone: ${describe(removed)}.`,
            'Its idempotency records hold no lead, and expire within 24 hours.',
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
    const offboarding = makeOffboarding({ ...session, now: Date.now, owners });
    outcome = await offboarding.run(workspaceId, { removed, onStep }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted(`Interrupted after ${describe(removed)}: run it again, it goes on from there.`);
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
    return new Failure('conflict', 'Something is still being written: run it again in a while.');
  }
  if (outcome === 'resumed') {
    return new Failure(
      'conflict',
      `Somebody changed workspace ${workspaceId} meanwhile: it is still there. Run it again if it is to go.`,
    );
  }
  const found = Object.values(removed).some((count) => count > 0);
  if (outcome === 'gone' || found) return undefined;
  return new Failure(
    'not_found',
    `There is no workspace ${workspaceId}, and nothing is left of one. Check the id, and that ${placeOf(outputs)} is the stack you mean.`,
  );
}

function describe(removed: Removed): string {
  return Object.entries(removed)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
