import type { Command } from 'commander';
import { explainSignal } from '../../lambdas/scoring/weights.ts';
import type { LeadArchive, WholeLead } from '../../lambdas/settings/leads/whole-leads-store.ts';
import { keptUntil } from '../../lambdas/submission/lead-item.ts';
import { examples, readMoment } from './command-line.ts';
import { Failure, UsageFailure } from './failure.ts';
import { addLeadExport } from './lead-export.ts';
import { addLeadList } from './lead-list.ts';
import { confirm } from './operator-input.ts';
import { table } from './print.ts';
import type { RunCommand, Session } from './session.ts';
import { placeOf } from './stack-outputs.ts';

/** Long enough for a table of any size; whoever waits has Ctrl-C. */
const PATIENCE_MS = 6 * 60 * 60 * 1000;

export function addLeadCommands(program: Command, run: RunCommand): void {
  const leads = program
    .command('leads')
    .description('Leads: what came in, how it scored, what was found out.');
  addLeadList(leads, run);
  addShow(leads, run);
  addLeadExport(leads, run);
  addRequeue(leads, run);
  addLeadErase(leads, run);
}

function addShow(leads: Command, run: RunCommand): void {
  leads
    .command('show')
    .description('Show one lead: the body as sent, the score with its reasons, and the enrichment.')
    .argument('<id>', 'the submission_id of the 202')
    .addHelpText('after', examples('leads show 01890a5d-…', 'leads show 01890a5d-… --json'))
    .action((id: string) =>
      run(async ({ client, tables }) => {
        const archive = await openArchive({ client, tables });
        const whole = await archive.read(id, AbortSignal.timeout(15_000));
        if (!whole) throw new Failure('not_found', `There is no lead ${id}.`);
        return {
          result: { ...whole.lead, state: whole.state, enrichment: whole.enrichment },
          lines: describe(whole),
        };
      }),
    );
}

function addRequeue(leads: Command, run: RunCommand): void {
  leads
    .command('requeue')
    .description(
      'Put clean leads that were never enriched on the queue again: the way back when the stream or the queue has lost them. Reads the whole table of leads.',
    )
    .option(
      '--pending',
      'those that have no enrichment (the only kind there is; say it, so that nothing else is meant)',
    )
    .requiredOption(
      '--since <when>',
      'received since then: 2026-11-15, 2026-11-15T08:00Z, or 36h or 7d ago',
      readMoment,
    )
    .addHelpText(
      'after',
      examples('leads requeue --pending --since 36h', 'leads requeue --pending --since 2026-11-01'),
    )
    .action(({ pending, since }: { pending?: boolean; since: string }) => {
      if (!pending)
        throw new UsageFailure('Say --pending: only leads without an enrichment can be requeued.');
      return run(async ({ client, tables, queueClient, outputs }) => {
        const { makeEnrichmentQueue } = await import('../../lambdas/enrichment/queue-store.ts');
        const queue = makeEnrichmentQueue(queueClient, outputs.enrichmentQueueUrl);
        const archive = await openArchive({ client, tables });
        const signal = AbortSignal.timeout(PATIENCE_MS);
        let requeued = 0;
        for await (const leadIds of archive.pending(since, signal)) {
          const refused = await queue.send(leadIds);
          requeued += leadIds.length - refused.size;
          if (refused.size > 0) {
            throw new Failure(
              'aws',
              `SQS did not take ${refused.size} leads after ${requeued} were requeued: run it again, it finds what is left.`,
            );
          }
        }
        return {
          result: { requeued, since },
          lines: [`Requeued ${requeued} leads received since ${since}.`],
        };
      });
    });
}

/** Loaded when needed: the SDK takes longer to load than help takes to print. */
async function openArchive(context: Pick<Session, 'client' | 'tables'>): Promise<LeadArchive> {
  const { makeLeadArchive } = await import('../../lambdas/settings/leads/whole-leads-store.ts');
  return makeLeadArchive({ ...context, now: Date.now });
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
      lead.signals.map(({ name, weight }) => [
        `  ${name}`,
        weight > 0 ? `+${weight}` : String(weight),
        explainSignal(name),
      ]),
    ),
    `Enrichment: ${state}`,
    ...(facts.length > 0 ? table(['  FACT', 'SOURCE', 'VALUE'], facts) : []),
    ...(lead.expiresAt === undefined ? [] : [`Kept until ${keptUntil(lead.expiresAt)}`]),
    'Body as sent:',
    lead.body,
  ];
}

/** For what a restore has brought back, or where nobody can sign in as the owner. */
export function addLeadErase(leads: Command, run: RunCommand): void {
  leads
    .command('erase')
    .description('Erase one lead with its enrichment, for good. Backups keep it for as long as they live.')
    .argument('<id>', 'the submission_id of the 202')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('leads erase 01890a5d-…', 'leads erase 01890a5d-… --yes'))
    .action((leadId: string, options: { yes?: boolean }) =>
      run(async ({ client, tables, outputs, terminal }) => {
        const { makeLeadArchive } = await import('../../lambdas/settings/leads/whole-leads-store.ts');
        const { makeLeadPages } = await import('../../lambdas/settings/leads/lead-pages-store.ts');
        const context = { client, tables, now: Date.now };
        const signal = AbortSignal.timeout(15_000);
        const none = new Failure('not_found', `There is no lead ${leadId}.`);
        const whole = await makeLeadArchive(context).read(leadId, signal);
        if (!whole) throw none;
        await confirm(`erase lead ${leadId} in ${placeOf(outputs)}`, options, terminal);
        const { workspaceId } = whole.lead;
        if (!(await makeLeadPages(context).erase(workspaceId, leadId, AbortSignal.timeout(15_000))))
          throw none;
        return { result: { leadId, erased: true }, lines: [`Erased lead ${leadId}.`] };
      }),
    );
}
