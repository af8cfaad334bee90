import { hasExpired } from '../../model/lead-item.ts';
import { type ListedLead, listedEmail } from '../search/index-entry.ts';
import type { LeadContact } from '../search/index-words.ts';
import type { LeadAddress } from '../search/lead-index-store.ts';
import type { Person, PersonFinder, PersonRead } from './person-store.ts';

/** Another lead of the same person, and how that is known. */
export interface RelatedLead extends ListedLead {
  readonly sameEmail: boolean;
  readonly samePhone: boolean;
}

export interface RelatedLeads {
  /** Newest first. */
  readonly leads: readonly RelatedLead[];
  /** Whether there are more, or may be: one call reads only so much. */
  readonly more: boolean;
}

export const MAX_RELATED = 50;
/** Of 500 entries each. Bounds what one call costs, and how long it takes. */
const MAX_QUERIES = 20;

interface Context {
  readonly finder: PersonFinder;
  readonly now: () => number;
}

interface Source {
  readonly person: Person;
  readonly through: PersonRead['through'];
  /** Whether `more` is set if this source has leads that were not read. */
  readonly tells: boolean;
}

/** The other leads with the email address or the phone number of a lead. */
export async function findRelated(
  { finder, now }: Context,
  { workspaceId, leadId }: LeadAddress,
  contact: LeadContact,
  signal: AbortSignal,
): Promise<RelatedLeads> {
  const { phone } = contact;
  const email = contact.email && listedEmail(contact.email);

  async function readSource({ person, through, tells }: Source) {
    const leads: ListedLead[] = [];
    let queries = 0;
    for await (const page of finder.find(person, { through, consistent: false }, signal)) {
      leads.push(...page.leads.filter((lead) => lead.leadId !== leadId && !hasExpired(lead, now())));
      queries += 1;
      const isEnough = leads.length > MAX_RELATED || queries === MAX_QUERIES;
      if (isEnough && page.readTo !== undefined) return { leads, more: tells };
    }
    return { leads, more: false };
  }

  const found = await Promise.all(sourcesOf(finder, workspaceId, contact).map(readSource));
  const byId = new Map(found.flatMap(({ leads }) => leads).map((lead) => [lead.leadId, lead]));
  const leads = [...byId.values()].sort((one, other) => (one.leadId < other.leadId ? 1 : -1));
  return {
    leads: leads.slice(0, MAX_RELATED).map((lead) => ({
      ...lead,
      sameEmail: email !== undefined && lead.email === email,
      samePhone: phone !== undefined && lead.phone === phone,
    })),
    more: leads.length > MAX_RELATED || found.some(({ more }) => more),
  };
}

/**
 * A number has a bucket only if the lead has few other words, and shares it with its whole country: the newest leads of
 * the workspace are looked at as well. How many there are beyond those is not worth telling.
 */
function sourcesOf(finder: PersonFinder, workspaceId: string, { email, phone }: LeadContact): Source[] {
  const { withWords } = finder;
  const address = (value: string): Person => ({ workspaceId, by: 'email', value });
  const number = (value: string): Person => ({ workspaceId, by: 'phone', value });
  return [
    ...(email ? [{ person: address(email), through: finder.wayTo(email), tells: true }] : []),
    ...(phone && withWords ? [{ person: number(phone), through: 'words', tells: true } as const] : []),
    ...(phone ? [{ person: number(phone), through: 'list', tells: !withWords } as const] : []),
  ];
}
