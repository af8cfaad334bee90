import type { Command } from 'commander';
import type { LeadArchive, WholeLead } from '../../lambdas/leads/whole-leads-store.ts';
import { keptUntil } from '../../lambdas/model/lead-item.ts';
import { explainSignal } from '../../lambdas/scoring/signal-words.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { placeOf } from '../operator/stack-outputs.ts';
import { counted, table } from '../operator/terminal.ts';
import { examples, readMoment } from './command-line.ts';
import { addLeadExport } from './lead-export.ts';
import { addLeadList } from './lead-list.ts';
import { confirm } from './operator-input.ts';
import { addLeadReindex } from './reindex.ts';
import type { RunCommand, Session } from './session.ts';

/** Long enough for a table of any size. */
const PATIENCE_MS = 6 * 60 * 60 * 1000;

export function addLeadCommands(leads: Command, run: RunCommand): void {
  addLeadList(leads, run);
  addShow(leads, run);
  addLeadExport(leads, run);
  addRequeue(leads, run);
  addLeadReindex(leads, run);
  addLeadErase(leads, run);
}

function addShow(leads: Command, run: RunCommand): void {
  leads
    .command('show')
    .description('Show one lead: body, score with its signals, and enrichment.')
    .argument('<submission-id>', 'submission_id of the 202 response')
    .addHelpText('after', examples('leads show 01890a5d-…', 'leads show 01890a5d-… --json'))
    .action((id: string) =>
      run(async ({ client, tables }) => {
        const archive = await openArchive({ client, tables });
        const whole = await archive.read(id, AbortSignal.timeout(15_000));
        if (!whole) throw new Failure('not_found', `Lead ${id} not found.`);
        return {
          result: resultOf(whole),
          lines: describe(whole),
        };
      }),
    );
}

function addRequeue(leads: Command, run: RunCommand): void {
  leads
    .command('requeue')
    .description(
      'Put clean leads without enrichment back on the queue, for example if the relay missed them. Reads the whole leads table.',
    )
    .option('--pending', 'leads without enrichment (required: no other kind can be requeued)')
    .requiredOption(
      '--since <when>',
      'received since: 2026-11-15, 2026-11-15T08:00Z, or 36h or 7d ago',
      readMoment,
    )
    .addHelpText(
      'after',
      examples('leads requeue --pending --since 36h', 'leads requeue --pending --since 2026-11-01'),
    )
    .action(({ pending, since }: { pending?: boolean; since: string }) => {
      if (!pending) throw new UsageFailure('Pass --pending. Only leads without enrichment can be requeued.');
      return run(async ({ client, tables, queueClient, outputs }) => {
        const { makeOutbox } = await import('../../lambdas/aws/queues.ts');
        const queue = makeOutbox<{ leadId: string }>(queueClient, outputs.enrichmentQueueUrl);
        const archive = await openArchive({ client, tables });
        const signal = AbortSignal.timeout(PATIENCE_MS);
        let requeued = 0;
        for await (const leadIds of archive.pending(since, signal)) {
          const refused = await queue.send(leadIds.map((leadId) => ({ leadId })));
          requeued += leadIds.length - refused.size;
          if (refused.size > 0) {
            throw new Failure(
              'aws',
              `SQS refused ${counted(refused.size, 'lead')} after ${requeued} were requeued. Run the command again for the rest.`,
            );
          }
        }
        return {
          result: { requeued, since },
          lines: [`Requeued ${counted(requeued, 'lead')} received since ${since}.`],
        };
      });
    });
}

/** Loaded late: help does not need the SDK. */
async function openArchive(context: Pick<Session, 'client' | 'tables'>): Promise<LeadArchive> {
  const { makeLeadArchive } = await import('../../lambdas/leads/whole-leads-store.ts');
  return makeLeadArchive({ ...context, now: Date.now });
}

function resultOf({ lead, state, enrichment }: WholeLead) {
  const { leadId: submissionId, ...rest } = lead;
  if (!enrichment) return { submissionId, ...rest, state, enrichment };
  const { leadId: _leadId, ...findings } = enrichment;
  return { submissionId, ...rest, state, enrichment: findings };
}

function describe({ lead, state, enrichment }: WholeLead): string[] {
  const facts = Object.entries(enrichment?.facts ?? {}).map(([name, { value, source }]) => [
    `  ${name}`,
    source,
    Array.isArray(value) ? value.join(', ') || 'none' : String(value),
  ]);
  return [
    `Lead ${lead.leadId}, received ${lead.receivedAt} on surface ${lead.surface}, form ${lead.formId}`,
    `Score ${lead.score} (grade ${lead.grade}), ${lead.clean ? 'clean' : 'not clean'}:`,
    ...table(
      ['  SIGNAL', 'WEIGHT', 'MEANING'],
      lead.signals.map((signal) => [
        `  ${signal.name}`,
        signal.weight > 0 ? `+${signal.weight}` : String(signal.weight),
        explainSignal(signal),
      ]),
    ),
    ...(lead.sender === undefined ? [] : [`Sender: ${lead.sender} when the lead was received`]),
    ...(lead.review === undefined ? [] : [`Review: ${lead.review.verdict}, ${lead.review.at}`]),
    `Enrichment: ${state}`,
    ...(facts.length > 0 ? table(['  FACT', 'SOURCE', 'VALUE'], facts) : []),
    ...(lead.expiresAt === undefined ? [] : [`Kept until ${keptUntil(lead.expiresAt)}`]),
    ...(lead.test ? ['Test: sent in the provider’s test mode'] : []),
    ...(lead.fields === undefined ? [] : ['Fields:', lead.fields]),
    'Body:',
    lead.body,
  ];
}

/** For leads that a restore brought back, or when no owner can sign in. */
export function addLeadErase(leads: Command, run: RunCommand): void {
  leads
    .command('erase')
    .description('Permanently erase one lead and its enrichment. Existing backups still contain it.')
    .argument('<submission-id>', 'submission_id of the 202 response')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples('leads erase 01890a5d-…', 'leads erase 01890a5d-… --yes'))
    .action((submissionId: string, options: { yes?: boolean }) =>
      run(async ({ client, tables, outputs, terminal }) => {
        const { makeLeadArchive } = await import('../../lambdas/leads/whole-leads-store.ts');
        const { makeLeadPages } = await import('../../lambdas/leads/lead-pages-store.ts');
        const context = { client, tables, now: Date.now };
        const signal = AbortSignal.timeout(15_000);
        const none = new Failure('not_found', `Lead ${submissionId} not found.`);
        const whole = await makeLeadArchive(context).read(submissionId, signal);
        if (!whole) throw none;
        await confirm(`erase lead ${submissionId} in ${placeOf(outputs)}`, options, terminal);
        const { workspaceId } = whole.lead;
        if (!(await makeLeadPages(context).erase(workspaceId, submissionId, AbortSignal.timeout(15_000))))
          throw none;
        return { result: { submissionId, erased: true }, lines: [`Erased lead ${submissionId}.`] };
      }),
    );
}
