import type { Command } from 'commander';
import { confirm } from './confirm.ts';
import { examples } from './examples.ts';
import { Failure } from './failure.ts';
import type { RunCommand } from './session.ts';
import { placeOf } from './stack-outputs.ts';

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
