import { Argument, type Command } from 'commander';
import { problemOfSecret } from '../../lambdas/sources/check-secret.ts';
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from '../../lambdas/sources/providers.ts';
import { UsageFailure } from '../operator/failure.ts';
import { type StackOutputs, sourceUrl } from '../operator/stack-outputs.ts';
import { examples, idOf, readDuration } from './command-line.ts';
import { readSecret } from './operator-input.ts';
import type { RunCommand, Session } from './session.ts';

interface ProviderOptions {
  readonly events?: readonly string[];
  readonly none?: boolean;
  readonly secretStdin?: boolean;
  readonly generateSecret?: boolean;
  readonly grace?: number;
  readonly endGrace?: boolean;
}

const HELP = `
The provider's secret is stored beside the form's webhook secret, which stays as it is. It is never an argument, because
the shell history and ps would show it. With another provider or --none, the secret of the provider before is deleted.
`;

export function addFormProvider(form: Command, run: RunCommand): void {
  form
    .command('provider')
    .description('Choose the webhook provider that sends leads to a form, and set its signing secret.')
    .argument('<id>', 'form ID, such as form_…', idOf('form'))
    .addArgument(new Argument('[name]', 'provider').choices(PROVIDER_NAMES))
    .option('--events <event...>', "events that make leads, instead of the provider's defaults")
    .option('--none', 'no longer accept deliveries of a provider')
    .option('--secret-stdin', 'read the signing secret that the provider shows from standard input')
    .option('--generate-secret', 'generate a secret, if the provider takes one')
    .option(
      '--grace <duration>',
      'how long the old secret keeps working: 0, 90m, 24h, up to 7d',
      readDuration,
    )
    .option('--end-grace', 'revoke the old secret immediately')
    .addHelpText(
      'after',
      HELP +
        examples(
          'form provider form_… typeform --generate-secret',
          'form provider form_… stripe --events customer.created --secret-stdin < secret.txt',
          'form provider form_… --secret-stdin --grace 24h < secret.txt',
          'form provider form_… --none',
        ),
    )
    .action((formId: string, name: ProviderName | undefined, options: ProviderOptions) => {
      requireSense(name, options);
      return run((session) => change(session, formId, name, options));
    });
}

function requireSense(name: string | undefined, options: ProviderOptions): void {
  const { events, none, secretStdin, generateSecret, grace, endGrace } = options;
  const setsSecret = secretStdin || generateSecret;
  const problem = [
    events && !name && 'Pass a provider with --events.',
    !name &&
      !none &&
      !setsSecret &&
      !endGrace &&
      'Pass a provider, --none, --secret-stdin, --generate-secret or --end-grace.',
    none && (name || setsSecret || endGrace) && 'Pass --none alone.',
    secretStdin && generateSecret && 'Pass --secret-stdin or --generate-secret, not both.',
    grace !== undefined && !setsSecret && 'Pass --grace with --secret-stdin or --generate-secret.',
    endGrace && setsSecret && 'Without --grace, a new secret ends the old one already. Omit --end-grace.',
  ].find((each) => typeof each === 'string');
  if (problem) throw new UsageFailure(problem as string);
}

async function change(
  session: Session,
  formId: string,
  name: ProviderName | undefined,
  options: ProviderOptions,
) {
  const { administration, outputs, terminal } = session;
  const { events, none, secretStdin, generateSecret, grace = 0, endGrace } = options;
  const pasted = secretStdin ? await readSecret(terminal.stdin) : undefined;
  // Before the provider is chosen, so that a wrong secret changes nothing.
  const row = PROVIDERS.get(name ?? '');
  const problem = row && pasted !== undefined ? problemOfSecret(row, pasted) : undefined;
  if (problem) throw new UsageFailure(problem);
  const chosen = name ? { name, ...(events && { events }) } : null;
  const form = name || none ? await administration.setFormProvider(formId, chosen) : undefined;
  const set =
    secretStdin || generateSecret
      ? await administration.setProviderSecret({ formId, secret: pasted, graceMilliseconds: grace })
      : undefined;
  if (endGrace) await administration.endProviderGrace(formId);
  const address = name && form ? { url: sourceUrl(outputs, form.slug) } : {};
  return {
    result: { formId, ...(form && { provider: chosen, ...address }), ...set },
    lines: [
      ...(form ? describeChoice(outputs, form, name) : []),
      ...(set ? describeSecret(formId, set) : []),
      ...(endGrace ? [`The old secret of form ${formId} no longer works.`] : []),
    ],
  };
}

function describeChoice(
  outputs: StackOutputs,
  { formId, slug }: { readonly formId: string; readonly slug: string },
  name: ProviderName | undefined,
): string[] {
  if (name === undefined) return [`Form ${formId} (${slug}) takes no deliveries of a provider.`];
  const { displayName, untested } = PROVIDERS.get(name) ?? {};
  return [
    `Form ${formId} (${slug}) takes deliveries of ${displayName} at ${sourceUrl(outputs, slug)}`,
    ...(untested ? [`Not everything about ${displayName} could be verified.`] : []),
  ];
}

function describeSecret(
  formId: string,
  { secret, previousWorksUntil }: { readonly secret?: string; readonly previousWorksUntil?: string },
): string[] {
  return [
    ...(secret === undefined
      ? [`Set the provider’s secret of form ${formId}.`]
      : [
          `New secret of form ${formId} for its provider:`,
          '',
          `  ${secret}`,
          '',
          'This secret is shown only once. Enter it at the provider now.',
        ]),
    ...(previousWorksUntil ? [`The old secret works until ${previousWorksUntil}.`] : []),
  ];
}
