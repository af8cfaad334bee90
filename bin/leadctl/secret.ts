import type { Command } from 'commander';
import { webhookUrl } from '../operator/stack-outputs.ts';
import { examples, idOf, readDuration } from './command-line.ts';
import { readSecret } from './operator-input.ts';
import type { RunCommand } from './session.ts';

export function addSecretCommands(program: Command, run: RunCommand): void {
  const secret = program
    .command('secret')
    .description('Manage webhook secrets, which providers sign their requests with.');
  addSet(secret, run);
  addRotate(secret, run);
}

function addSet(secret: Command, run: RunCommand): void {
  secret
    .command('set')
    .description(
      'Set the webhook secret of a form, replacing any existing one. Generates one unless you pass --stdin.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option('--stdin', 'read your own secret from standard input')
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
          : {
              result: set,
              lines: [`Set the webhook secret of form ${formId} (${set.slug}).`, '', ...next(url)],
            };
      }),
    );
}

function addRotate(secret: Command, run: RunCommand): void {
  secret
    .command('rotate')
    .description(
      'Replace the webhook secret of a form. The old secret stops working immediately, or after --grace.',
    )
    .requiredOption('--form <id>', 'form ID', idOf('form'))
    .option(
      '--grace <duration>',
      'how long the old secret keeps working: 0, 90m, 24h, up to 7d',
      readDuration,
      0,
    )
    .addHelpText(
      'after',
      examples('secret rotate --form form_… --grace 24h', 'secret rotate --form form_…   # after a leak'),
    )
    .action(({ form: formId, grace: graceMilliseconds }: { form: string; grace: number }) =>
      run(async ({ administration, outputs }) => {
        const rotated = await administration.rotateSecret({ formId, graceMilliseconds });
        const until = 'previousWorksUntil' in rotated ? rotated.previousWorksUntil : undefined;
        return {
          result: rotated,
          lines: [
            ...show(formId, rotated.secret),
            until ? `The old secret works until ${until}.` : 'The old secret no longer works.',
            '',
            ...next(webhookUrl(outputs, rotated.slug)),
          ],
        };
      }),
    );
}

function show(formId: string, secret: string): string[] {
  return [
    `New webhook secret of form ${formId}:`,
    '',
    `  ${secret}`,
    '',
    'This secret is shown only once. Give it to the provider now.',
  ];
}

function next(url: string): string[] {
  return [
    `The provider sends JSON by POST to ${url}`,
    'with X-SVC-Timestamp (Unix time in seconds) and X-SVC-Signature: the hex HMAC-SHA256, keyed with this secret,',
    'of the timestamp, a dot, and the exact body.',
  ];
}
