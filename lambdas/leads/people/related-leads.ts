import { hasExpired } from '../../model/lead-item.ts';
import { type LeadAddress, type ListedLead, listedEmail, type ShownLead } from '../search/index-entry.ts';
import { type LeadContact, personKey } from '../search/lead-contact.ts';
import type { PersonFinder } from './person-store.ts';

/** Another lead of the same person, and how that is known. */
export interface RelatedLead extends ShownLead {
  readonly sameEmail: boolean;
  readonly samePhone: boolean;
}

export interface RelatedLeads {
  /** Newest first. */
  readonly leads: readonly RelatedLead[];
  /** Whether there are more. */
  readonly more: boolean;
}

export const MAX_RELATED = 50;

export type ShowLeads = (
  workspaceId: string,
  leads: readonly ListedLead[],
  signal: AbortSignal,
) => Promise<ShownLead[]>;

interface Context {
  readonly finder: PersonFinder;
  readonly showLeads: ShowLeads;
  readonly now: () => number;
}

/** The other leads with the email address or the phone number of a lead. */
export async function findRelated(
  { finder, showLeads, now }: Context,
  { workspaceId, leadId }: LeadAddress,
  { email, phone }: LeadContact,
  signal: AbortSignal,
): Promise<RelatedLeads> {
  async function leadsOf(key: string) {
    const leads: ListedLead[] = [];
    for await (const page of finder.find({ workspaceId, key }, { consistent: false }, signal)) {
      const others = page.leads.filter((lead) => lead.leadId !== leadId && !hasExpired(lead, now()));
      leads.push(...others.filter(({ mentioned }) => !mentioned));
      if (leads.length > MAX_RELATED) break;
    }
    return leads;
  }

  const keys = [...(email ? [personKey('email', email)] : []), ...(phone ? [personKey('phone', phone)] : [])];
  const found = (await Promise.all(keys.map(leadsOf))).flat();
  const byId = new Map(found.map((lead) => [lead.leadId, lead]));
  const leads = [...byId.values()].sort((one, other) => (one.leadId < other.leadId ? 1 : -1));
  const listed = email && listedEmail(email);
  return {
    leads: (await showLeads(workspaceId, leads.slice(0, MAX_RELATED), signal)).map((lead) => ({
      ...lead,
      sameEmail: listed !== undefined && lead.email === listed,
      samePhone: phone !== undefined && lead.phone === phone,
    })),
    more: leads.length > MAX_RELATED,
  };
}
