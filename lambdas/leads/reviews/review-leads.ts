import { type FieldConfiguration, fieldsOfLead, isTestLead } from '../../model/lead-fields.ts';
import type { Lead } from '../../model/lead-item.ts';
import type { LeadVerdict } from '../../model/senders.ts';
import { rolesFor, senderOf } from '../../scoring/sender.ts';
import type { Reviews } from './reviews-store.ts';
import type { SenderVerdict } from './sender-list.ts';
import type { Senders } from './senders-store.ts';

export interface ReviewDependencies {
  readonly reviews: Reviews;
  readonly senders: Pick<Senders, 'applyVerdicts'>;
  /** The fields as the form has them configured; none for a form that is gone. */
  readonly fieldsOf: (workspaceId: string, formId: string) => Promise<readonly FieldConfiguration[]>;
}

export interface ReviewOutcome {
  readonly reviewed: readonly string[];
  readonly notFound: readonly string[];
  readonly senders: Awaited<ReturnType<Senders['applyVerdicts']>>;
}

export type ReviewLeads = (
  workspaceId: string,
  leadIds: readonly string[],
  verdict: LeadVerdict | null,
  signal: AbortSignal,
) => Promise<ReviewOutcome>;

/**
 * Gives leads a verdict, then puts their senders on the workspace's list, or takes them off again. If interrupted in
 * between, repeat it: what is done already is left as it is.
 */
export function makeReviewLeads({ reviews, senders, fieldsOf }: ReviewDependencies): ReviewLeads {
  return async function reviewLeads(workspaceId, leadIds, verdict, signal) {
    const ids = [...new Set(leadIds)];
    const leads = await reviews.read(workspaceId, ids, signal);
    const configurations = new Map<string, Promise<readonly FieldConfiguration[]>>();
    function configurationOf({ formId }: Lead) {
      const known = configurations.get(formId) ?? fieldsOf(workspaceId, formId);
      configurations.set(formId, known);
      return known;
    }

    const verdicts: SenderVerdict[] = [];
    const done = await Promise.all(
      leads.map(async (lead) => {
        if (!lead) return false;
        const fields = fieldsOfLead(lead) ?? {};
        const configuration = await configurationOf(lead);
        const roles = verdict === 'good' ? rolesFor(fields, configuration)?.roles : undefined;
        if (!(await reviews.write(lead, verdict, roles, signal))) return false;
        // A test lead has no real sender.
        const sender = isTestLead(lead, fields) ? undefined : senderOf(fields, configuration);
        if (sender) verdicts.push({ sender, verdict, leadId: lead.leadId });
        return true;
      }),
    );
    return {
      reviewed: ids.filter((_, index) => done[index]),
      notFound: ids.filter((_, index) => !done[index]),
      senders: await senders.applyVerdicts(workspaceId, verdicts),
    };
  };
}
