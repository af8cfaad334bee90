import type { Sent } from './send-submissions.ts';

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
