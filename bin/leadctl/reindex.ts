import type { Command } from 'commander';
import type { IndexMessage } from '../../lambdas/leads/search/index-entry.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, interrupted, makeProgressBar } from '../operator/terminal.ts';
import { examples } from './command-line.ts';
import { confirm } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';

interface ReindexOptions {
  readonly workspace?: string;
  readonly from?: string;
  readonly yes?: boolean;
}

/** For a lead whose address and number are known, and no other address is in it. */
const WRITE_UNITS = 3;
/** New leads wait behind these: some seconds' work of the indexer. */
const MAX_QUEUE = 2_000;

const HELP = `
Names every lead on the queue of the search index, which writes its entries again, about ${WRITE_UNITS} write units per lead,
and removes the entries of earlier versions. Run it after an upgrade from a version with another index, or if the index
was lost. It waits while more than ${MAX_QUEUE} leads are on the queue, so that new leads are still found soon.

You can interrupt it and run it again: entries that exist are written again and stay the same. Workspaces are processed
in the order of their IDs, so --from continues with one of them.
`;

export function addLeadReindex(leads: Command, run: RunCommand): void {
  leads
    .command('reindex')
    .description('Make the search index again, for all workspaces or for one.')
    .option('--workspace <id>', 'only this workspace')
    .option('--from <workspace-id>', 'continue with this workspace')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', HELP + examples('leads reindex', 'leads reindex --workspace ws_… --yes --json'))
    .action((options: ReindexOptions) => {
      if (options.workspace !== undefined && options.from !== undefined) {
        throw new UsageFailure('Pass --workspace or --from, not both.');
      }
      return run(async (session) => {
        const plan = await makePlan(session, options);
        const total = plan.reduce((sum, { leads: count }) => sum + count, 0);
        const scope = options.workspace ?? counted(plan.length, 'workspace');
        await confirm(
          `index ${counted(total, 'lead')} of ${scope} in ${placeOf(session.outputs)} again, which takes about ${counted(total * WRITE_UNITS, 'write unit')}`,
          options,
          session.terminal,
        );
        const queued = await queueLeads(session, plan, total);
        const removed = await removeFormer(session, plan);
        return {
          result: { workspaces: plan.length, queued, removed },
          lines: [
            `Put ${counted(queued, 'lead')} of ${scope} on the queue of the search index.`,
            ...(removed > 0
              ? [`Removed ${counted(removed, 'entry', 'entries')} of an earlier version.`]
              : []),
            `See how many are waiting: ${session.command`doctor --no-round-trip`}`,
          ],
        };
      });
    });
}

interface Planned {
  readonly workspaceId: string;
  readonly formIds: readonly string[];
  readonly leads: number;
}

async function makePlan(session: Session, { workspace, from }: ReindexOptions): Promise<Planned[]> {
  const { makeWorkspaceContents } = await import('../../lambdas/operator/workspace-contents-store.ts');
  const { makeLeadsToIndex } = await import('../../lambdas/operator/indexed-leads-store.ts');
  const contents = makeWorkspaceContents(session);
  const leadsToIndex = makeLeadsToIndex(session);
  const signal = session.interruption();
  const missing = (id: string) => new Failure('not_found', `Workspace ${id} not found.`);
  async function chosen(): Promise<string[]> {
    const id = workspace ?? from;
    if (id !== undefined && !(await contents.findWorkspace(id))) throw missing(id);
    if (workspace !== undefined) return [workspace];
    const all = await session.administration.listWorkspaces();
    const ids = all.map(({ workspaceId }) => workspaceId).sort();
    return from === undefined ? ids : ids.filter((each) => each >= from);
  }
  const plan: Planned[] = [];
  for (const workspaceId of await chosen()) {
    const formIds = (await contents.listForms(workspaceId)).map(({ formId }) => formId);
    let leads = 0;
    for (const formId of formIds) leads += await leadsToIndex.count(formId, signal);
    plan.push({ workspaceId, formIds, leads });
  }
  return plan;
}

/** Returns how many leads were put on the queue. */
async function queueLeads(session: Session, plan: readonly Planned[], total: number): Promise<number> {
  const { queueClient, outputs, terminal } = session;
  const [{ makeLeadsToIndex, untilShort }, { makeOutbox }] = await Promise.all([
    import('../../lambdas/operator/indexed-leads-store.ts'),
    import('../../lambdas/aws/queues.ts'),
  ]);
  const leadsToIndex = makeLeadsToIndex(session);
  const queue = makeOutbox<IndexMessage>(queueClient, outputs.indexQueueUrl);
  const signal = session.interruption();
  const bar = makeProgressBar(terminal.stderr);
  let queued = 0;
  let current = '';
  const stopped = (why: string) =>
    `${why} after ${counted(queued, 'lead')}. To continue, run ${session.command`leads reindex --from ${current}`}`;
  try {
    for (const { workspaceId, formIds } of plan) {
      current = workspaceId;
      for (const formId of formIds) {
        for await (const messages of leadsToIndex.messages(formId, signal)) {
          await untilShort(queueClient, outputs.indexQueueUrl, MAX_QUEUE, signal);
          const refused = await queue.send(messages);
          queued += messages.length - refused.size;
          if (refused.size > 0)
            throw new Failure('aws', stopped(`SQS refused ${counted(refused.size, 'lead')}`));
          bar.show(queued, Math.max(queued, total), workspaceId);
        }
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw interrupted(stopped('Interrupted'));
  } finally {
    bar.clear();
  }
  return queued;
}

/** Nothing reads the entries of earlier versions, so they can go at any time. */
async function removeFormer(session: Session, plan: readonly Planned[]): Promise<number> {
  const { removeFormerIndex } = await import('../../lambdas/operator/indexed-leads-store.ts');
  const signal = session.interruption();
  let removed = 0;
  for (const { workspaceId } of plan) {
    for await (const count of removeFormerIndex(session, workspaceId, signal)) removed += count;
  }
  return removed;
}
