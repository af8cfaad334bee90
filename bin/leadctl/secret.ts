import type { Command } from 'commander';
import { examples, idOf, readDuration } from './command-line.ts';
import { readSecret } from './operator-input.ts';
import type { RunCommand } from './session.ts';
import { webhookUrl } from './stack-outputs.ts';

export function addSecretCommands(program: Command, run: RunCommand): void {
  const secret = program
    .command('secret')
    .description('Webhook secrets: what a provider signs with. A form has one, or two while it changes.');
  addSet(secret, run);
  addRotate(secret, run);
}

function addSet(secret: Command, run: RunCommand): void {
  secret
    .command('set')
    .description('Give a form its webhook secret, in place of any it has. Made here, unless you have one.')
    .requiredOption('--form <id>', 'the form', idOf('form'))
    .option('--stdin', 'read a secret of your own from standard input, out of the shell history')
    .addHelpText(
      'after',
      examples('secret set --form form_…', 'secret set --form form_… --stdin < secret.txt'),
    )
    .action(({ form: formId, stdin }: { form: string; stdin?: boolean }) =>
      run(async ({ administration, outputs, terminal }) => {
        const own = stdin ? await readSecret(terminal.stdin) : undefined;
        const { secret: value, ...set } = await administration.setSecret({
          formId,
          ...(own !== undefined && { secret: own }),
        });
        const url = webhookUrl(outputs, set.slug);
        return own === undefined
          ? { result: { ...set, secret: value }, lines: [...show(formId, value), '', ...next(url)] }
          : { result: set, lines: [`Form ${formId} (${set.slug}) has your secret.`, '', ...next(url)] };
      }),
    );
}

function addRotate(secret: Command, run: RunCommand): void {
  secret
    .command('rotate')
    .description('Make a new secret for a form that has one. The old one ends at once, or after --grace.')
    .requiredOption('--form <id>', 'the form', idOf('form'))
    .option(
      '--grace <duration>',
      'how long the old secret still works: 0, 90m, 24h … up to 7d',
      readDuration,
      0,
    )
    .addHelpText(
      'after',
      examples('secret rotate --form form_… --grace 24h', 'secret rotate --form form_…   # it has leaked'),
    )
    .action(({ form: formId, grace: graceMilliseconds }: { form: string; grace: number }) =>
      run(async ({ administration, outputs }) => {
        const rotated = await administration.rotateSecret({ formId, graceMilliseconds });
        const until = 'previousWorksUntil' in rotated ? rotated.previousWorksUntil : undefined;
        return {
          result: rotated,
          lines: [
            ...show(formId, rotated.secret),
            until ? `The old secret works until ${until}.` : 'The old secret has ended.',
            '',
            ...next(webhookUrl(outputs, rotated.slug)),
          ],
        };
      }),
    );
}

function show(formId: string, secret: string): string[] {
  return [
    `The new secret of form ${formId}:`,
    '',
    `  ${secret}`,
    '',
    'It will not be shown again: give it to the provider, now.',
  ];
}

function next(url: string): string[] {
  return [
    `The provider posts JSON to ${url}`,
    'with X-SVC-Timestamp (seconds since 1970) and X-SVC-Signature: the hex HMAC-SHA256, by this secret, of',
    'the timestamp, a dot, and the body exactly as sent.',
  ];
}
