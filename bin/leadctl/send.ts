import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { SURFACES } from '../../lambdas/contract.ts';
import { examples, idOf, wholeNumber } from './command-line.ts';
import { UsageFailure } from './failure.ts';
import { generateLead } from './generate-lead.ts';
import { readBytes } from './operator-input.ts';
import { makeProgressBar } from './progress-bar.ts';
import { readCredential, type SendOptions } from './send-credential.ts';
import { type Sent, sendAll } from './send-submissions.ts';
import type { RunCommand, Session } from './session.ts';
import { openContents, requireForm } from './stack-contents.ts';
import { serverUrl, webhookUrl } from './stack-outputs.ts';

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

export interface SendingSummary {
  readonly wanted: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly failed: number;
  /** Fewer than were accepted where a key was sent again. */
  readonly leads: number;
  readonly milliseconds: { readonly p50: number; readonly p99: number } | null;
  readonly submissionIds: readonly string[];
  /** By these, diagnostics finds the cause. */
  readonly rejectedRequestIds: readonly string[];
  readonly problems: Readonly<Record<string, number>>;
}

export function summarise(sent: readonly Sent[], wanted: number): SendingSummary {
  const outcomes = Map.groupBy(sent, ({ outcome }) => outcome);
  const countOf = (outcome: Sent['outcome']) => outcomes.get(outcome)?.length ?? 0;
  const submissionIds = [...new Set(sent.flatMap(({ submissionId }) => submissionId ?? []))];
  const problems: Record<string, number> = {};
  for (const { problem } of sent) if (problem) problems[problem] = (problems[problem] ?? 0) + 1;
  return {
    wanted,
    accepted: countOf('accepted'),
    rejected: countOf('rejected'),
    failed: countOf('failed'),
    leads: submissionIds.length,
    milliseconds: percentiles(sent.map(({ milliseconds }) => milliseconds)),
    submissionIds,
    rejectedRequestIds: (outcomes.get('rejected') ?? []).flatMap(({ requestId }) => requestId ?? []),
    problems,
  };
}

function percentiles(values: readonly number[]): SendingSummary['milliseconds'] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] as number;
  return sorted.length === 0 ? null : { p50: at(0.5), p99: at(0.99) };
}

/** As many ids as a person looks at. --json has them all. */
const IDS_SHOWN = 5;

export function describeSending(
  summary: SendingSummary,
  next: { command: (rest: string) => string; workspaceId: string | undefined },
): string[] {
  const { wanted, accepted, rejected, failed, leads, milliseconds, submissionIds } = summary;
  const [requestId] = summary.rejectedRequestIds;
  const sent = accepted + rejected + failed;
  const whose = next.workspaceId ? `--workspace ${next.workspaceId}` : '--unattributed';
  const problems = Object.entries(summary.problems).map(([problem, count]) => `  ${problem}: ${count}`);
  return [
    `${accepted} accepted, ${rejected} rejected, ${failed} failed${sent < wanted ? `; ${wanted - sent} were not sent` : ''}.`,
    ...(milliseconds
      ? [`Answered within ${milliseconds.p50} ms (half), ${milliseconds.p99} ms (99 %).`]
      : []),
    ...(leads < accepted ? [`Leads made: ${leads}, since a key that was sent again makes none.`] : []),
    ...problems,
    ...submissionIds.slice(0, IDS_SHOWN).map((id) => `  ${id}`),
    ...(leads > IDS_SHOWN ? [`  … and ${leads - IDS_SHOWN} more (--json has all ids)`] : []),
    ...(submissionIds[0] ? ['Look at one:', `  ${next.command(`leads show ${submissionIds[0]}`)}`] : []),
    ...(requestId
      ? ['Why it was rejected:', `  ${next.command(`diagnostics ${whose} --request ${requestId}`)}`]
      : []),
  ];
}
