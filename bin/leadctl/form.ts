import type { Command } from 'commander';
import { RETENTION_DAYS } from '../../lambdas/submission/lead-item.ts';
import { examples, idOf, wholeNumber } from './command-line.ts';
import { UsageFailure } from './failure.ts';
import { table } from './print.ts';
import type { RunCommand } from './session.ts';
import { openContents, requireWorkspace } from './stack-contents.ts';
import { webhookUrl } from './stack-outputs.ts';

export function addFormCommands(program: Command, run: RunCommand): void {
  const form = program.command('form').description('Forms: what a lead is attributed to.');
  addCreate(form, run);
  addList(form, run);
  addSwitch(form, run, {
    verb: 'activate',
    active: true,
    description: 'Let a form take leads again.',
    outcome: 'active: it takes leads',
  });
  addSwitch(form, run, {
    verb: 'deactivate',
    active: false,
    description: 'Reject every submission to a form from now on, until it is activated.',
    outcome: 'inactive: all its submissions are rejected',
  });
  addKeep(form, run);
}

function addCreate(form: Command, run: RunCommand): void {
  form
    .command('create')
    .description('Make a form. Its slug, and so its webhook URL, is made from the name and never changes.')
    .requiredOption('--workspace <id>', 'the workspace it belongs to', idOf('workspace'))
    .requiredOption('--name <name>', 'what people call it, up to 100 characters')
    .addHelpText('after', examples('form create --workspace ws_… --name "Contact us"'))
    .action(({ workspace: workspaceId, name }: { workspace: string; name: string }) =>
      run(async ({ administration, outputs, command }) => {
        const made = await administration.createForm({ workspaceId, name });
        const url = webhookUrl(outputs, made.slug);
        return {
          result: { ...made, url },
          lines: [
            `Made form ${made.formId} (${made.name}).`,
            '',
            `Webhook URL: ${url}`,
            '',
            'It takes no webhooks until it has a secret:',
            `  ${command(`secret set --form ${made.formId}`)}`,
            'For a backend that can keep a token instead:',
            `  ${command(`token create --form ${made.formId}`)}`,
          ],
        };
      }),
    );
}

function addList(form: Command, run: RunCommand): void {
  form
    .command('list')
    .description('List the forms of a workspace, oldest first.')
    .requiredOption('--workspace <id>', 'the workspace', idOf('workspace'))
    .addHelpText('after', examples('form list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        const forms = await (await openContents(session)).listForms(workspaceId);
        const result = forms
          .map(({ formId, slug, name, active, createdAt, archivedAt, retentionDays = null }) => ({
            ...{ formId, slug, name, active, createdAt, ...(archivedAt && { archivedAt }) },
            retentionDays,
            url: webhookUrl(session.outputs, slug),
          }))
          .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
        const rows = result.map((each) => [
          ...[each.formId, each.slug, stateOf(each), keptFor(each.retentionDays), each.createdAt, each.name],
        ]);
        const none = [
          'There are no forms yet. Make one:',
          `  ${session.command(`form create --workspace ${workspaceId} --name "Contact us"`)}`,
        ];
        return {
          result,
          lines:
            rows.length > 0 ? table(['ID', 'SLUG', 'STATE', 'KEEPS LEADS', 'CREATED', 'NAME'], rows) : none,
        };
      }),
    );
}

function stateOf({ active, archivedAt }: { active: boolean; archivedAt?: string }): string {
  if (archivedAt) return 'archived';
  return active ? 'active' : 'inactive';
}

function keptFor(days: number | null): string {
  if (days === null) return 'for ever';
  return days === 1 ? '1 day' : `${days} days`;
}

function addKeep(form: Command, run: RunCommand): void {
  form
    .command('keep')
    .description(
      'Say how long leads of a form are kept. It holds for leads that come in from then on: those that are there keep the time that they came in with.',
    )
    .argument('<id>', 'the form, such as form_…', idOf('form'))
    .option(
      '--days <n>',
      'delete leads after so many days',
      wholeNumber(RETENTION_DAYS.min, RETENTION_DAYS.max),
    )
    .option('--for-ever', 'delete none, as when the form was made')
    .addHelpText('after', examples('form keep form_… --days 90', 'form keep form_… --for-ever'))
    .action((formId: string, { days, forEver = false }: { days?: number; forEver?: boolean }) => {
      if ((days !== undefined) === forEver) throw new UsageFailure('Say --days N or --for-ever.');
      return run(async ({ administration }) => {
        const changed = await administration.setFormRetention({ formId, retentionDays: days ?? null });
        const kept = keptFor(changed.retentionDays);
        return {
          result: changed,
          lines: [
            `Form ${formId} (${changed.slug}) keeps leads that come in from now on ${days ? `for ${kept}` : kept}.`,
          ],
        };
      });
    });
}

interface Switch {
  readonly verb: string;
  readonly active: boolean;
  readonly description: string;
  readonly outcome: string;
}

function addSwitch(form: Command, run: RunCommand, { verb, active, description, outcome }: Switch): void {
  form
    .command(verb)
    .description(description)
    .argument('<id>', 'the form, such as form_…', idOf('form'))
    .addHelpText('after', examples(`form ${verb} form_…`))
    .action((formId: string) =>
      run(async ({ administration }) => {
        const changed = await administration.setFormActive({ formId, active });
        return { result: changed, lines: [`Form ${formId} (${changed.slug}) is ${outcome}.`] };
      }),
    );
}
