import type { InboxLead } from '#console/api/types.ts';

/** What a person can change about a lead in the list. */
export type LeadPatch = Partial<Pick<InboxLead, 'review' | 'clean' | 'status' | 'handled'>>;

interface Changed {
  readonly patch: LeadPatch;
  readonly at: number;
}

export type ChangedLeads = Readonly<Record<string, Changed>>;

/** The list follows a change after a moment. What was read before that doesn't count. */
export const FOLLOWED_MS = 15_000;

/** The leads as they were read, with the changes since. */
export function withOwnChanges(
  leads: readonly InboxLead[],
  changed: ChangedLeads,
  readAt: number,
): readonly InboxLead[] {
  return leads.map((lead) => {
    const change = changed[lead.submissionId];
    return change && readAt < change.at + FOLLOWED_MS ? { ...lead, ...change.patch } : lead;
  });
}
