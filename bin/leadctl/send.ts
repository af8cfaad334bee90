import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { SURFACES } from '../../lambdas/contract.ts';
import { serverUrl, webhookUrl } from './endpoints.ts';
import { examples } from './examples.ts';
import { UsageFailure } from './failure.ts';
import { generateLead } from './generate-lead.ts';
import { idOf } from './ids.ts';
import { wholeNumber } from './numbers.ts';
import { makeProgressBar } from './progress-bar.ts';
import { readBytes } from './read-bytes.ts';
import { readCredential } from './send-credential.ts';
import type { SendOptions } from './send-options.ts';
import { sendAll } from './send-submissions.ts';
import { describeSending, summarise } from './sending-summary.ts';
import type { RunCommand, Session } from './session.ts';
import { openContents, requireForm } from './workspace-contents.ts';

const HELP = `
Surface 1a is for backends: the token names the form, and --form only checks that it is the right one.
Surface 1b is for webhook providers: the secret signs the timestamp, a dot, and the bytes of the body.

Where the token or the secret comes from, never an argument, since the shell's history and ps would show it:
  --token-stdin, --secret-stdin    standard input: a file or a pipe
  LEADCTL_TOKEN, LEADCTL_SECRET    the environment
  --use-form-secret                the stack itself: you may read the secrets of its forms

With --key the same key is sent each time, so that all but the first are answered with the first one's id and make no
second lead. A rejection says nothing of its cause, here as for any sender: leadctl diagnostics does.

Exit status: 0 if all were accepted, 1 if not, 130 if interrupted.`;

export function addSendCommand(program: Command, run: RunCommand): void {
  program
    .command('send')
    .description('Send leads over HTTP as a backend or a webhook provider does, and count what came of it.')
    .addOption(
      new Option('--surface <surface>', '1a with a server token, 1b with a signature')
        .choices(SURFACES)
        .makeOptionMandatory(),
    )
    .option('--form <id>', 'the form', idOf('form'))
    .option('--slug <slug>', 'the form, by the last part of its webhook URL')
    .option('--token-stdin', 'read the server token from standard input')
    .option('--secret-stdin', 'read the webhook secret from standard input')
    .option('--use-form-secret', 'sign with the secret that the form has')
    .option('--file <file>', 'send the bytes of this file as they are')
    .option('--generate', 'make leads up, each another one, of nobody who exists (the default)')
    .option('--key <key>', 'send this idempotency key each time')
    .option('--key-each', 'send another idempotency key each time')
    .option('--count <n>', 'how many to send', wholeNumber(1, 100_000), 1)
    .option('--concurrency <n>', 'how many at the same time', wholeNumber(1, 100), 10)
    .addHelpText(
      'after',
      HELP +
        examples(
          'send --surface 1b --form form_… --use-form-secret',
          'send --surface 1b --slug contact-us-… --secret-stdin --file lead.json < secret.txt',
          'send --surface 1a --token-stdin --count 100 --key-each < token.txt',
        ),
    )
    .action((options: SendOptions) => {
      requireSense(options);
      return run((session) => send(session, options));
    });
}

function requireSense({ surface, form, slug, file, generate, key, keyEach, ...from }: SendOptions): void {
  const problem = [
    form && slug && 'Name the form by --form or by --slug, not by both.',
    surface === '1b' && !form && !slug && 'Surface 1b needs the form: --form ID, or --slug SLUG.',
    file !== undefined && generate && 'Send a --file or --generate leads, not both.',
    key !== undefined && keyEach && 'Give one --key for all, or --key-each, not both.',
    from.tokenStdin && from.secretStdin && 'Standard input holds a token or a secret, not both.',
    surface === '1a' &&
      (from.secretStdin || from.useFormSecret) &&
      'Surface 1a takes a token, not a secret: --token-stdin, or LEADCTL_TOKEN in the environment.',
    surface === '1b' &&
      from.tokenStdin &&
      'Surface 1b takes a secret, not a token: --use-form-secret, --secret-stdin, or LEADCTL_SECRET.',
    from.secretStdin && from.useFormSecret && 'Use --secret-stdin or --use-form-secret, not both.',
    // A header takes no more than this, and what comes in its place would not be the key that was meant.
    key !== undefined && !/^[\x20-\x7e]*$/.test(key) && 'A key is sent in a header: printable ASCII only.',
  ].find((each) => typeof each === 'string');
  if (problem) throw new UsageFailure(problem as string);
}

async function send(session: Session, options: SendOptions) {
  const { surface, count, concurrency } = options;
  const { form, url } = await whereTo(session, options);
  const credential = await readCredential(session, options, form);
  const body = options.file === undefined ? undefined : await readBytes(options.file, session.terminal.stdin);
  const interruption = session.interruption();
  const bar = makeProgressBar(session.terminal.stderr);
  const sent = await sendAll(
    {
      url,
      surface,
      credential: credential.value,
      body: () => body ?? Buffer.from(JSON.stringify(generateLead())),
    },
    { count, concurrency, key: () => (options.keyEach ? randomUUID() : options.key) },
    (done, failures) => bar.show(done, count, failures > 0 ? `${failures} not accepted` : ''),
    interruption,
  );
  bar.clear();
  const summary = summarise(sent, count);
  return {
    result: summary,
    lines: describeSending(summary, { command: session.command, workspaceId: credential.workspaceId }),
    exitCode: interruption.aborted ? 130 : summary.accepted === count ? 0 : 1,
  };
}

/** A slug is taken as it is, also where no form has it: what the service says to that is worth seeing. */
async function whereTo(session: Session, { surface, form: formId, slug }: SendOptions) {
  const { outputs } = session;
  const forms = slug === undefined ? undefined : await (await openContents(session)).findFormsBySlug(slug);
  const bySlug = forms?.length === 1 ? forms[0] : undefined;
  const form = formId === undefined ? bySlug : await requireForm(session, formId);
  const url = surface === '1a' ? serverUrl(outputs) : webhookUrl(outputs, slug ?? form?.slug ?? '');
  return { form, url };
}
