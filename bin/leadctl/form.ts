import type { Command } from 'commander';
import type { BrowserSending } from '../../lambdas/model/configuration.ts';
import { RETENTION_DAYS } from '../../lambdas/model/lead-item.ts';
import { UsageFailure } from '../operator/failure.ts';
import { webhookUrl } from '../operator/stack-outputs.ts';
import { table } from '../operator/terminal.ts';
import { examples, idOf, wholeNumber } from './command-line.ts';
import { addFormProvider } from './form-provider.ts';
import type { RunCommand } from './session.ts';
import { openContents, requireWorkspace } from './stack-contents.ts';

export function addFormCommands(form: Command, run: RunCommand): void {
  addCreate(form, run);
  addList(form, run);
  addSwitch(form, run, {
    verb: 'activate',
    active: true,
    description: 'Accept submissions to a form again.',
    outcome: 'active: it accepts submissions',
  });
  addSwitch(form, run, {
    verb: 'deactivate',
    active: false,
    description: 'Reject all submissions to a form until it is activated again.',
    outcome: 'inactive: all its submissions are rejected',
  });
  addKeep(form, run);
  addBrowser(form, run);
  addFormProvider(form, run);
}

function addCreate(form: Command, run: RunCommand): void {
  form
    .command('create')
    .description('Create a form. Its slug and webhook URL come from the name and never change.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .requiredOption('--name <name>', 'display name, up to 100 characters')
    .addHelpText('after', examples('form create --workspace ws_… --name "Contact us"'))
    .action(({ workspace: workspaceId, name }: { workspace: string; name: string }) =>
      run(async ({ administration, outputs, command }) => {
        const made = await administration.createForm({ workspaceId, name });
        const url = webhookUrl(outputs, made.slug);
        return {
          result: { ...made, url },
          lines: [
            `Created form ${made.formId} (${made.name}).`,
            '',
            `Webhook URL: ${url}`,
            '',
            'Before a webhook provider can send leads, set a webhook secret:',
            `  ${command`secret set --form ${made.formId}`}`,
            'For a backend, create a server token:',
            `  ${command`token create --form ${made.formId}`}`,
          ],
        };
      }),
    );
}

const HEADINGS = ['ID', 'SLUG', 'STATE', 'KEEPS LEADS', 'BROWSERS', 'PROVIDER', 'CREATED', 'NAME'];

function addList(form: Command, run: RunCommand): void {
  form
    .command('list')
    .description('List the forms of a workspace, oldest first.')
    .requiredOption('--workspace <id>', 'workspace ID', idOf('workspace'))
    .addHelpText('after', examples('form list --workspace ws_…'))
    .action(({ workspace: workspaceId }: { workspace: string }) =>
      run(async (session) => {
        await requireWorkspace(session, workspaceId);
        const forms = await (await openContents(session)).listForms(workspaceId);
        const result = forms
          .map(
            ({
              formId,
              slug,
              name,
              active,
              createdAt,
              archivedAt,
              retentionDays = null,
              browser,
              provider,
            }) => ({
              formId,
              slug,
              name,
              active,
              createdAt,
              ...(archivedAt && { archivedAt }),
              retentionDays,
              browser: browser ?? { enabled: false, origins: [] },
              ...(provider && { provider: { name: provider.name, events: provider.events } }),
              url: webhookUrl(session.outputs, slug),
            }),
          )
          .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
        const rows = result.map((each) => [
          each.formId,
          each.slug,
          stateOf(each),
          keptFor(each.retentionDays),
          browserState(each.browser),
          each.provider?.name ?? 'none',
          each.createdAt,
          each.name,
        ]);
        const none = [
          'No forms yet. Create one:',
          `  ${session.command`form create --workspace ${workspaceId} --name "Contact us"`}`,
        ];
        return {
          result,
          lines: rows.length > 0 ? table(HEADINGS, rows) : none,
        };
      }),
    );
}

function stateOf({ active, archivedAt }: { active: boolean; archivedAt?: string }): string {
  if (archivedAt) return 'archived';
  return active ? 'active' : 'inactive';
}

function keptFor(days: number | null): string {
  if (days === null) return 'forever';
  return days === 1 ? '1 day' : `${days} days`;
}

function addKeep(form: Command, run: RunCommand): void {
  form
    .command('keep')
    .description('Set how long leads of a form are kept. Applies to new leads only.')
    .argument('<id>', 'form ID, such as form_…', idOf('form'))
    .option(
      '--days <n>',
      'delete leads after this many days',
      wholeNumber(RETENTION_DAYS.min, RETENTION_DAYS.max),
    )
    .option('--forever', 'never delete leads (the default of a new form)')
    .addHelpText('after', examples('form keep form_… --days 90', 'form keep form_… --forever'))
    .action((formId: string, { days, forever = false }: { days?: number; forever?: boolean }) => {
      if ((days !== undefined) === forever) throw new UsageFailure('Pass --days N or --forever.');
      return run(async ({ administration }) => {
        const changed = await administration.setFormRetention({ formId, retentionDays: days ?? null });
        const kept = keptFor(changed.retentionDays);
        return {
          result: changed,
          lines: [`Form ${formId} (${changed.slug}) keeps new leads ${days ? `for ${kept}` : kept}.`],
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
    .argument('<id>', 'form ID, such as form_…', idOf('form'))
    .addHelpText('after', examples(`form ${verb} form_…`))
    .action((formId: string) =>
      run(async ({ administration }) => {
        const changed = await administration.setFormActive({ formId, active });
        return { result: changed, lines: [`Form ${formId} (${changed.slug}) is ${outcome}.`] };
      }),
    );
}

interface BrowserOptions {
  readonly enable?: boolean;
  readonly disable?: boolean;
  /** False for `--no-origins`. */
  readonly origins?: readonly string[] | false;
}

function addBrowser(form: Command, run: RunCommand): void {
  form
    .command('browser')
    .description('Turn browser sending on or off for a form, and set the allowed origins (preview).')
    .argument('<id>', 'form ID, such as form_…', idOf('form'))
    .option('--enable', 'accept leads from pages of the allowed origins')
    .option('--disable', 'reject all leads from browsers (the default of a new form)')
    .option(
      '--origins <origin...>',
      'the allowed origins, such as https://shop.example.com; replaces the list',
    )
    .option('--no-origins', 'empty the list')
    .addHelpText(
      'after',
      examples(
        'form browser form_… --enable --origins https://shop.example.com https://*.example.org',
        'form browser form_… --disable',
      ),
    )
    .action((formId: string, { enable = false, disable = false, origins }: BrowserOptions) => {
      if (enable && disable) throw new UsageFailure('Pass --enable or --disable, not both.');
      if (!enable && !disable && origins === undefined) {
        throw new UsageFailure('Pass --enable, --disable, --origins or --no-origins.');
      }
      return run(async ({ administration }) => {
        const changed = await administration.setFormBrowser({
          formId,
          ...((enable || disable) && { enabled: enable }),
          ...(origins !== undefined && { origins: await readOrigins(origins || []) }),
        });
        const { slug, browser } = changed;
        return { result: changed, lines: [`Form ${formId} (${slug}) ${outcomeOf(browser)}`] };
      });
    });
}

/** Loads the public suffix list late: no other command needs it. */
async function readOrigins(entries: readonly string[]): Promise<readonly string[]> {
  const { checkAllowedOrigins } = await import('../../lambdas/browser/origins.ts');
  const checked = checkAllowedOrigins(entries);
  if (checked.origins) return checked.origins;
  const { problem, index } = checked;
  const what = index === undefined ? 'The list of origins' : `The origin ${entries[index]}`;
  throw new UsageFailure(`${what} ${problem}.`);
}

function outcomeOf({ enabled, origins }: BrowserSending): string {
  const listed = origins.join(', ');
  if (!enabled) return `rejects leads from browsers.${listed && ` Allowed once enabled: ${listed}.`}`;
  return origins.length === 0
    ? 'still rejects leads from browsers: no origin is allowed. Pass --origins.'
    : `accepts leads from pages of ${listed}.`;
}

/** For a column of a table. */
function browserState({ enabled, origins }: BrowserSending): string {
  if (!enabled) return 'off';
  return origins.length === 1 ? '1 origin' : `${origins.length} origins`;
}
