import { Rejection } from '../rejections/reasons.ts';
import type { Rejections } from '../rejections/rejections-store.ts';
import { answerReplay, hashBody } from './answer-rejections.ts';
import type { LastUse } from './last-use-store.ts';
import { type Lead, leadExpiry } from './lead-item.ts';
import type { Leads } from './leads-store.ts';
import { type Answer, acceptance, accepted, type ScoredSubmission } from './submission.ts';

interface Options {
  readonly leads: Leads;
  readonly lastUse: LastUse;
  readonly rejections: Rejections;
  readonly newLeadId: (nowMilliseconds: number) => string;
}

/** The last step: a lead is accepted only after it is stored. */
export function storeLead({ leads, lastUse, rejections, newLeadId }: Options) {
  const replay = answerReplay(rejections);

  async function store(submission: ScoredSubmission): Promise<Answer> {
    const lead = toLead(submission, newLeadId(submission.receivedAtMilliseconds));
    if (!submission.key) {
      await leads.store(lead, submission.signal);
      return accepted(submission, lead.leadId);
    }
    const outcome = await leads.storeOnce(
      {
        lead,
        keyHash: submission.key.hash,
        response: { ...acceptance(lead.leadId), bodySha256: hashBody(submission) },
        denialSeen: submission.key.denialSeen,
        nowMilliseconds: submission.receivedAtMilliseconds,
      },
      submission.signal,
    );
    if ('denied' in outcome) throw new Rejection(outcome.denied);
    if ('original' in outcome) return replay(submission, outcome.original);
    return accepted(submission, lead.leadId);
  }

  return async function storeLeadHandler(submission: ScoredSubmission): Promise<Answer> {
    // At the same time as the write, so that nobody waits for it.
    const [answer] = await Promise.all([
      store(submission),
      lastUse.note(submission.credential, submission.receivedAtMilliseconds),
    ]);
    return answer;
  };
}

function toLead(submission: ScoredSubmission, leadId: string): Lead {
  const { credential, receivedAtMilliseconds } = submission;
  const { retentionDays } = credential.form;
  return {
    leadId,
    workspaceId: credential.workspaceId,
    formId: credential.form.formId,
    surface: submission.surface,
    receivedAt: new Date(receivedAtMilliseconds).toISOString(),
    body: submission.parsed.text,
    ...submission.score,
    ...(retentionDays !== undefined && { expiresAt: leadExpiry(receivedAtMilliseconds, retentionDays) }),
  };
}
