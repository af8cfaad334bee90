import { scoreLead } from '#scoring/score-lead.ts';
import { parseJsonObject } from '#submission/parse-body.ts';
import { isExcused } from './excuse.ts';
import { type Observed, type StoredLead, submissionIdOf } from './observed.ts';

/**
 * Invariant 1: a `202` means that the lead is stored, exactly as sent, and scored. And the other way round: a rejection
 * means that nothing was stored, unless stores failed more than once.
 */
export function storedAsSent({ world, leads }: Observed): string[] {
  const problems: string[] = [];
  for (const submission of world.submissions) {
    const id = submissionIdOf(submission);
    const lead = id === undefined ? undefined : leads.find((each) => each.lead.leadId === id);
    if (id !== undefined && !lead) problems.push(`${submission.name} was answered 202, and there is no lead`);
    if (lead && !isOf(lead, submission)) problems.push(`${submission.name} was given the lead of another`);
    const own = leads.filter(({ madeBy }) => madeBy === submission);
    if (own.length > 0 && id === undefined && !isExcused(submission)) {
      problems.push(`${submission.name} was rejected, and its lead is stored`);
    }
    if (own.length > 1) problems.push(`${submission.name} made ${own.length} leads`);
  }
  return [
    ...problems,
    ...leads.flatMap((stored) => (isWhole(stored) ? [] : ['a lead is not as it was sent'])),
  ];
}

/** The submission's own lead, or that of another with the same key. */
function isOf({ madeBy }: StoredLead, { name, key }: { name: string; key: string | undefined }): boolean {
  return madeBy?.name === name || (key !== undefined && madeBy?.key === key);
}

function isWhole({ lead, madeBy }: StoredLead): boolean {
  if (!madeBy || lead.body !== madeBy.body) return false;
  const { score, clean, signals } = scoreLead(parseJsonObject(Buffer.from(lead.body)).fields, undefined);
  return (
    lead.score === score &&
    lead.clean === clean &&
    JSON.stringify(lead.signals) === JSON.stringify(signals) &&
    lead.surface === madeBy.surface &&
    lead.receivedAt === new Date(madeBy.started.at).toISOString()
  );
}
