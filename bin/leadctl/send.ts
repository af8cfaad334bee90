import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { PROVIDER_NAMES, PROVIDERS } from '../../lambdas/sources/providers.ts';
import { UsageFailure } from '../operator/failure.ts';
import { serverUrl, sourceUrl, webhookUrl } from '../operator/stack-outputs.ts';
import { counted, makeProgressBar, type PrintedCommand } from '../operator/terminal.ts';
import { examples, idOf, wholeNumber } from './command-line.ts';
import { generatePayload } from './generate-payload.ts';
import { readBytes } from './operator-input.ts';
import { generateLead, readCredential, type SendOptions, takesToken } from './send-input.ts';
import { SENDING_SURFACES, type Sent, sendAll } from './send-submissions.ts';
import type { RunCommand, Session } from './session.ts';
import { openContents, requireForm } from './stack-contents.ts';

const HELP = `
Surface 1a is for backends: the server token decides the form, and --form only verifies it.
Surface 1b is for webhook providers: the webhook secret signs the timestamp, a dot, and the body.
Surface 1c takes what providers send in their own way. With --provider, it signs as the provider does, with the secret
of the form's provider, and generates payloads of the provider's shape. Without, it sends a server token, like Zapier.

Credentials are never arguments, because the shell history and ps would show them. Pass them with:
  --token-stdin, --secret-stdin    standard input: a file or a pipe
  LEADCTL_TOKEN, LEADCTL_SECRET    environment variables
  --use-form-secret                the form's webhook secret, or its provider's secret, read from the stack

With --key, every submission has the same idempotency key: only the first creates a lead, and the others return its ID.
The service never tells senders why it rejects a submission. Use leadctl diagnostics to find out.

Exit status: 0 if all were accepted, 1 if not, 130 if interrupted.
`;

export function addSendCommand(command: Command, run: RunCommand): void {
  command
    .addOption(
      new Option('--surface <surface>', '1a: server token; 1b: webhook signature; 1c: provider or tool')
        .choices(SENDING_SURFACES)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--provider <name>', 'sign as this provider does (surface 1c)').choices(PROVIDER_NAMES),
    )
    .option('--form <id>', 'form ID', idOf('form'))
    .option('--slug <slug>', 'form slug: the last part of its webhook URL')
    .option('--token-stdin', 'read the server token from standard input')
    .option('--secret-stdin', 'read the secret from standard input')
    .option('--use-form-secret', "sign with the form's webhook secret, or its provider's secret")
    .option('--file <file>', 'send the exact bytes of this file; - for standard input')
    .option('--generate', 'generate fictional leads (default)')
    .option('--key <key>', 'use this idempotency key for all submissions')
    .option('--key-each', 'use a new idempotency key for each submission')
    .option('--count <n>', 'number of submissions', wholeNumber(1, 100_000), 1)
    .option('--concurrency <n>', 'number of concurrent requests', wholeNumber(1, 100), 10)
    .addHelpText(
      'after',
      HELP +
        examples(
          'send --surface 1b --form form_… --use-form-secret',
          'send --surface 1b --slug contact-us-… --secret-stdin --file lead.json < secret.txt',
          'send --surface 1a --token-stdin --count 100 --key-each < token.txt',
          'send --surface 1c --provider typeform --form form_… --use-form-secret',
        ),
    )
    .action((options: SendOptions) => {
      requireSense(options);
      return run((session) => send(session, options));
    });
}

function requireSense(options: SendOptions): void {
  const { surface, provider, form, slug, file, generate, key, keyEach, ...from } = options;
  const problem = [
    form && slug && 'Pass --form or --slug, not both.',
    provider && surface !== '1c' && 'Only surface 1c takes --provider.',
    !takesToken(options) &&
      !form &&
      !slug &&
      `Surface ${surface} needs a form. Pass --form ID or --slug SLUG.`,
    provider &&
      (key !== undefined || keyEach) &&
      'A provider sends no idempotency key: its deliveries have IDs of their own.',
    file !== undefined && generate && 'Pass --file or --generate, not both.',
    key !== undefined && keyEach && 'Pass --key or --key-each, not both.',
    from.tokenStdin && from.secretStdin && 'Pass --token-stdin or --secret-stdin, not both.',
    takesToken(options) &&
      (from.secretStdin || from.useFormSecret) &&
      `Surface ${surface} takes a server token, not a webhook secret. Pass --token-stdin or set LEADCTL_TOKEN${surface === '1c' ? ', or pass --provider' : ''}.`,
    !takesToken(options) &&
      from.tokenStdin &&
      `Surface ${surface} takes a ${provider ? 'signing' : 'webhook'} secret, not a server token. Pass --use-form-secret or --secret-stdin, or set LEADCTL_SECRET.`,
    from.secretStdin && from.useFormSecret && 'Pass --secret-stdin or --use-form-secret, not both.',
    // Headers cannot carry other characters: the service would see another key.
    key !== undefined &&
      !/^[\x20-\x7e]*$/.test(key) &&
      'An idempotency key can contain printable ASCII only.',
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
      provider: PROVIDERS.get(options.provider ?? ''),
      credential,
      body: () => body ?? Buffer.from(JSON.stringify(newBody(options))),
    },
    { count, concurrency, key: () => (options.keyEach ? randomUUID() : options.key) },
    (done, failures) => bar.show(done, count, failures > 0 ? `${failures} not accepted` : ''),
    interruption,
  );
  bar.clear();
  const summary = summarize(sent, count);
  return {
    result: summary,
    lines: describeSending(summary, session.command),
    exitCode: interruption.aborted ? 130 : summary.accepted === count ? 0 : 1,
  };
}

function newBody({ provider }: SendOptions): object {
  const lead = generateLead();
  return provider ? generatePayload(provider, lead) : lead;
}

/** An unknown slug is used as it is, to see how the service responds. */
async function whereTo(session: Session, options: SendOptions) {
  const { surface, form: formId, slug } = options;
  const { outputs } = session;
  const forms = slug === undefined ? undefined : await (await openContents(session)).findFormsBySlug(slug);
  const bySlug = forms?.length === 1 ? forms[0] : undefined;
  const form = formId === undefined ? bySlug : await requireForm(session, formId);
  const address = slug ?? form?.slug ?? '';
  const url = {
    '1a': () => serverUrl(outputs),
    '1b': () => webhookUrl(outputs, address),
    '1c': () => sourceUrl(outputs, takesToken(options) ? undefined : address),
  }[surface]();
  return { form, url };
}

export interface SendingSummary {
  readonly wanted: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly failed: number;
  /** Less than `accepted` if an idempotency key was repeated. */
  readonly leads: number;
  readonly milliseconds: { readonly p50: number; readonly p99: number } | null;
  readonly submissionIds: readonly string[];
  /** For diagnostics --request. */
  readonly rejectedRequestIds: readonly string[];
  readonly problems: Readonly<Record<string, number>>;
}

export function summarize(sent: readonly Sent[], wanted: number): SendingSummary {
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

/** --json has all of them. */
const IDS_SHOWN = 5;

export function describeSending(summary: SendingSummary, command: PrintedCommand): string[] {
  const { wanted, accepted, rejected, failed, leads, milliseconds, submissionIds } = summary;
  const [requestId] = summary.rejectedRequestIds;
  const sent = accepted + rejected + failed;
  const problems = Object.entries(summary.problems).map(([problem, count]) => `  ${problem}: ${count}`);
  return [
    `${accepted} accepted, ${rejected} rejected, ${failed} failed${sent < wanted ? `; ${wanted - sent} not sent` : ''}.`,
    ...(milliseconds ? [`Response time: p50 ${milliseconds.p50} ms, p99 ${milliseconds.p99} ms.`] : []),
    ...(leads < accepted
      ? [`Created ${counted(leads, 'lead')}: repeated idempotency keys create none.`]
      : []),
    ...problems,
    ...submissionIds.slice(0, IDS_SHOWN).map((id) => `  ${id}`),
    ...(leads > IDS_SHOWN ? [`  … and ${leads - IDS_SHOWN} more (--json lists all)`] : []),
    ...(submissionIds[0] ? ['Show one:', `  ${command`leads show ${submissionIds[0]}`}`] : []),
    ...(requestId ? ['Show why it was rejected:', `  ${command`diagnostics --request ${requestId}`}`] : []),
  ];
}
