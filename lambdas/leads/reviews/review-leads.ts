import { type FieldConfiguration, fieldsOfLead, isTestLead } from '../../model/lead-fields.ts';
import type { Lead } from '../../model/lead-item.ts';
import { entryFor, isCompanyDomain, rolesFor, senderOf } from '../../scoring/sender.ts';
import { isOwnSender, type OwnAddresses } from './own-senders.ts';
import type { Decision, Reviews } from './reviews-store.ts';
import { type ChangedList, type SenderScope, type SenderVerdict, statusFor } from './sender-list.ts';
import type { Senders } from './senders-store.ts';

export interface ReviewDependencies {
  readonly reviews: Reviews;
  readonly senders: Pick<Senders, 'applyVerdicts'>;
  /** The fields as the form has them configured; none for a form that is gone. */
  readonly fieldsOf: (workspaceId: string, formId: string) => Promise<readonly FieldConfiguration[]>;
  readonly ownAddressesOf: (workspaceId: string) => Promise<OwnAddresses>;
}

export interface ReviewOutcome {
  readonly reviewed: readonly string[];
  readonly notFound: readonly string[];
  readonly senders: Omit<ChangedList, 'list'> & {
    /** What was not blocked, because it is the workspace's own. */
    readonly own: readonly string[];
    /** What could be put on the list instead of single addresses. */
    readonly domains: readonly string[];
  };
}

export type ReviewLeads = (
  workspaceId: string,
  leadIds: readonly string[],
  decision: Decision & { readonly sender?: SenderScope | undefined },
  signal: AbortSignal,
) => Promise<ReviewOutcome>;

/**
 * Gives leads a verdict, then puts their senders on the workspace's list, or takes them off again. If interrupted in
 * between, repeat it: what is done already is left as it is.
 */
export function makeReviewLeads(dependencies: ReviewDependencies): ReviewLeads {
  const { reviews, senders, fieldsOf, ownAddressesOf } = dependencies;
  return async function reviewLeads(workspaceId, leadIds, { sender: scope, ...decision }, signal) {
    const { verdict } = decision;
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
        if (!(await reviews.write(lead, decision, roles, signal))) return false;
        // A test lead has no real sender.
        const sender = isTestLead(lead, fields) ? undefined : senderOf(fields, configuration);
        if (sender) verdicts.push({ sender, verdict, leadId: lead.leadId, scope });
        return true;
      }),
    );
    const own = verdict !== null && verdicts.length > 0 ? await ownAddressesOf(workspaceId) : undefined;
    const isOwn = ({ sender }: SenderVerdict) => own !== undefined && isOwnSender(own, sender);
    // Only spam blocks: a workspace's own employees must not disappear from its leads because one of them tried the form.
    const isSpared = (each: SenderVerdict) => verdict === 'spam' && isOwn(each);
    const { list, ...changed } = await senders.applyVerdicts(
      workspaceId,
      verdicts.filter((each) => !isSpared(each)),
    );
    const others = verdicts.filter((each) => !isOwn(each)).map(({ sender }) => sender.domain);
    const isOffered = (domain: string) =>
      verdict !== null && isCompanyDomain(domain) && list[domain]?.status !== statusFor(verdict);
    return {
      reviewed: ids.filter((_, index) => done[index]),
      notFound: ids.filter((_, index) => !done[index]),
      senders: {
        ...changed,
        domains: [...new Set(others)].filter(isOffered),
        own: [...new Set(verdicts.filter(isSpared).map(({ sender }) => entryFor(sender)))],
      },
    };
  };
}
