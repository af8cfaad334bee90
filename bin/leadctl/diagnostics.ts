import { type Command, Option } from 'commander';
import type { RejectedRequest } from '../../lambdas/operator/rejected-requests-store.ts';
import { type ReasonGuide, reasonGuide } from '../../lambdas/rejections/reason-guide.ts';
import { sumBy } from '../../lambdas/rejections/rejection-counts.ts';
import type { RejectionEvent } from '../../lambdas/rejections/rejection-record.ts';
import { likelyCause } from '../../lambdas/sources/explain-rejection.ts';
import { Failure, UsageFailure } from '../operator/failure.ts';
import { counted, jsonFor, printable, table } from '../operator/terminal.ts';
import { examples, idOf, readMoment, wholeNumber } from './command-line.ts';
import {
  followRejections,
  makeRejectionSource,
  type RejectionSource,
  type RejectionTotals,
} from './rejection-source.ts';
import type { RunCommand, Session } from './session.ts';
import { requireWorkspace } from './stack-contents.ts';

interface DiagnosticsOptions {
  readonly workspace?: string;
  readonly unattributed?: boolean;
  readonly since: string;
  readonly limit: number;
  readonly follow?: boolean;
  readonly request?: string;
}

const HELP = `
Senders only see "rejected". This command shows the reason. Counts are exact but a few seconds late. The list of recent
events holds at most 20 per minute from authenticated senders and 20 from others. --request finds every rejection: for
30 days if the sender was authenticated, otherwise for one day; without --workspace, it looks in all workspaces.
Requests with an unknown token or slug belong to no workspace; use --unattributed for those.

--follow prints each new event once, until Ctrl-C. With --json, it prints one JSON document per line.
`;

export function addDiagnosticsCommand(command: Command, run: RunCommand): void {
  command
    .option('--workspace <id>', 'workspace ID', idOf('workspace'))
    .option('--unattributed', 'rejections that belong to no workspace')
    .addOption(
      new Option('--since <when>', 'start time: 1h or 7d ago (up to 31 days), or a date')
        .argParser(readMoment)
        .default(readMoment('1h'), '1h'),
    )
    .option('--limit <n>', 'maximum number of events', wholeNumber(1, 1_000), 20)
    .option('--follow', 'keep running and print new events')
    .option('--request <id>', 'one event, by the x-amzn-RequestId of the response')
    .addHelpText(
      'after',
      HELP +
        examples(
          'diagnostics --workspace ws_…',
          'diagnostics --workspace ws_… --follow',
          'diagnostics --request 6f1e…',
          'diagnostics --unattributed --since 24h',
        ),
    )
    .action((options: DiagnosticsOptions) => {
      const { workspace, unattributed, follow, request } = options;
      if (workspace && unattributed) throw new UsageFailure('Pass --workspace or --unattributed, not both.');
      if (!workspace && !unattributed && !request) {
        throw new UsageFailure(
          'Pass --workspace ID, --unattributed for rejections that belong to no workspace, or --request ID to look for one in all workspaces.',
        );
      }
      if (follow && request) throw new UsageFailure('Pass --request or --follow, not both.');
      return run((session) => diagnose(session, options));
    });
}

async function diagnose(session: Session, options: DiagnosticsOptions) {
  const { makeDiagnosticsReader } = await import('../../lambdas/rejections/diagnostics-store.ts');
  if (options.workspace) await requireWorkspace(session, options.workspace);
  if (options.request && !options.workspace && !options.unattributed) {
    return lookUpAnywhere(session, options.request);
  }
  const reader = makeDiagnosticsReader({ ...session, now: Date.now });
  const source = makeRejectionSource(reader, options.workspace);
  if (options.request) return lookUp(source, options.request);
  const since = Date.parse(options.since);
  if (options.follow) return follow(session, source, since);
  const signal = AbortSignal.timeout(60_000);
  const [totals, events] = await Promise.all([
    // A minute ahead: the clock of the functions is not ours.
    source.totals(since, Math.max(since + 1, Date.now() + 60_000), signal),
    source.events(since, options.limit, signal),
  ]);
  const { rateLimited, rejected, reusedKeys, truncated } = totals;
  const byReason = (counts: typeof rejected.counts) =>
    Object.fromEntries(sumBy(counts, 'reason').map(({ value, count }) => [value, count]));
  return {
    result: {
      since: options.since,
      rejected: { total: rejected.total, byReason: byReason(rejected.counts) },
      rateLimited: { total: rateLimited.total, byReason: byReason(rateLimited.counts) },
      reusedKeys: { total: reusedKeys.total },
      truncated,
      events,
    },
    lines: [...describeTotals(totals, options.since), '', ...describeEvents(events)],
  };
}

async function follow(session: Session, source: RejectionSource, since: number) {
  for await (const event of followRejections(source, since, session.interruption())) {
    const line = session.json ? jsonFor(session.terminal.stdout, event) : printable(oneLine(event));
    session.terminal.stdout.write(`${line}\n`);
  }
  return { exitCode: 0 };
}

async function lookUp(source: RejectionSource, requestId: string) {
  const elsewhere = ', belongs to another workspace or to none,';
  return describeMatches(requestId, await source.lookUp(requestId, AbortSignal.timeout(30_000)), elsewhere);
}

async function lookUpAnywhere(session: Session, requestId: string) {
  const { makeRejectedRequests } = await import('../../lambdas/operator/rejected-requests-store.ts');
  const find = makeRejectedRequests({ ...session, now: Date.now });
  return describeMatches(requestId, await find(requestId, AbortSignal.timeout(30_000)));
}

type Match = RejectionEvent & Partial<RejectedRequest>;

function describeMatches(requestId: string, matches: readonly Match[], elsewhere = '') {
  const [event, ...otherMatches] = matches;
  if (!event) {
    throw new Failure(
      'not_found',
      `No rejection found with request ID ${requestId}. The request was accepted${elsewhere} or is too old. Rejections are kept for 30 days if the sender was authenticated, otherwise for one day.`,
    );
  }
  const others = otherMatches.map((match) => `  ${oneLine(match)}`);
  return {
    result: { ...event, otherMatches },
    lines: [
      ...describeEvent(event),
      ...(others.length > 0 ? ['', 'Other requests with the same ID:', ...others] : []),
    ],
  };
}

function describeTotals(
  { rejected, rateLimited, reusedKeys, truncated }: RejectionTotals,
  since: string,
): string[] {
  const rows = [...sumBy(rejected.counts, 'reason'), ...sumBy(rateLimited.counts, 'reason')].map(
    ({ value, count }) => [`  ${value}`, String(count)],
  );
  return [
    `Since ${since}: ${rejected.total} rejected, ${rateLimited.total} rate limited.`,
    ...(reusedKeys.total > 0
      ? [`Idempotency keys reused with a different body: ${reusedKeys.total}. These bodies were not stored.`]
      : []),
    ...(rows.length > 0 ? table(['  REASON', 'COUNT'], rows) : []),
    ...(truncated ? ['Too many rejections to count. Choose a shorter time with --since.'] : []),
  ];
}

function describeEvents(events: readonly RejectionEvent[]): string[] {
  if (events.length === 0) return ['No events in this period.'];
  const rows = events.map((event) => [
    event.at,
    event.surface,
    event.formId ?? '-',
    event.reason,
    event.requestId,
    detailOf(event),
  ]);
  return table(['AT', 'SURFACE', 'FORM', 'REASON', 'REQUEST', 'DETAIL'], rows);
}

function oneLine(event: Match): string {
  const { at, surface, formId, reason, requestId, workspaceIds } = event;
  const whose = workspaceIds ? `${workspaceIds.join() || '-'}  ` : '';
  return `${at}  ${surface}  ${whose}${formId ?? '-'}  ${reason}  ${requestId}  ${detailOf(event)}`.trimEnd();
}

function describeEvent(event: Match): string[] {
  const guide: Partial<ReasonGuide> | undefined = reasonGuide(event.reason, event.surface, event.detail);
  const facts: [string, string | undefined][] = [
    ['At', event.at],
    ['Reason', event.reason],
    ['Meaning', guide?.meaning],
    ['Likely cause', event.surface === '1c' ? likelyCause(event) : undefined],
    ['What to do', guide?.remedy],
    ['Detail', detailOf(event)],
    ['Surface', event.surface],
    ['Workspace', event.workspaceIds && (event.workspaceIds.join(' or ') || 'none')],
    ['Form', event.formId],
    ['Authenticated', event.authenticated ? 'yes' : 'no'],
    ['Source IP', event.sourceAddress],
    ['User agent', event.userAgent],
    ['Body', `${counted(event.bodyBytes, 'byte')}${event.bodySha256 ? `, SHA-256 ${event.bodySha256}` : ''}`],
    ['Keys', event.keyNames?.join(', ')],
  ];
  return [
    event.reason === 'idempotency_key_reused'
      ? `Request ${event.requestId} got the response of an earlier request.`
      : `Request ${event.requestId} was rejected.`,
    ...facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(15)}${value}`] : [])),
  ];
}

function detailOf({ detail }: RejectionEvent): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
