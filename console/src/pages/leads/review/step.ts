import type { Client } from '#console/api/client.ts';
import type { InboxLead } from '#console/api/types.ts';
import type { LeadPatch } from '../inbox/changed-leads.ts';

/** A lead as it is before a step. */
export type SteppedLead = Pick<InboxLead, 'submissionId'> & LeadPatch;

interface Told {
  readonly text: string;
  /** False if something could not be done. */
  readonly isWhole: boolean;
  /** What else the person may want. */
  readonly offers?: readonly Offer[];
}

interface Offer {
  readonly text: string;
  readonly step: Step;
}

/** A change that somebody made with a key or a button, and how to take it back. */
export interface Step {
  /** What the list shows at once. */
  readonly patches: Readonly<Record<string, LeadPatch>>;
  /** What it shows again if the change fails. */
  readonly before: Readonly<Record<string, LeadPatch>>;
  readonly send: (client: Pick<Client, 'change'>) => Promise<Told>;
  readonly undo?: Step;
}

export function patchesOf(leads: readonly SteppedLead[], patchOf: (lead: SteppedLead) => LeadPatch) {
  return Object.fromEntries(leads.map((lead) => [lead.submissionId, patchOf(lead)]));
}

/** The leads by what they have in common, in the order of the first of each group. */
export function groupBy<Key>(leads: readonly SteppedLead[], keyOf: (lead: SteppedLead) => Key) {
  const groups = new Map<Key, string[]>();
  for (const lead of leads) groups.set(keyOf(lead), [...(groups.get(keyOf(lead)) ?? []), lead.submissionId]);
  return [...groups];
}
