import type { Command } from 'commander';
import type { BrowserSending } from '../../lambdas/model/configuration.ts';
import { UsageFailure } from '../operator/failure.ts';
import { examples, idOf } from './command-line.ts';
import type { RunCommand } from './session.ts';

interface BrowserOptions {
  readonly enable?: boolean;
  readonly disable?: boolean;
  /** False for `--no-origins`. */
  readonly origins?: readonly string[] | false;
}

export function addBrowser(form: Command, run: RunCommand): void {
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
export function browserState({ enabled, origins }: BrowserSending): string {
  if (!enabled) return 'off';
  return origins.length === 1 ? '1 origin' : `${origins.length} origins`;
}
