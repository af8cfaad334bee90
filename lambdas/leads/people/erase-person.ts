import type { LeadPages } from '../lead-pages-store.ts';
import type { ListedLead } from '../search/index-entry.ts';
import { personKey } from '../search/lead-contact.ts';
import type { LeadIndex } from '../search/lead-index-store.ts';
import type { IndexBacklog } from './index-backlog-store.ts';
import type { FoundLeads, PersonFinder, PersonsLead } from './person-store.ts';

/** What is left to tell about an erased lead: no personal data. */
export type ErasedLead = Pick<ListedLead, 'leadId' | 'formId' | 'receivedAt'>;

/**
 * Why the person may not be gone yet. `more`: call again. `mentioned`: leads of others mention the address, and the owner
 * has to decide. `indexing`: leads that came before the request may not be in the index yet, or the index was not made
 * again after an upgrade. `dead_letters`: an operator has to redrive messages of the index first.
 */
export type Unfinished = 'more' | 'mentioned' | 'indexing' | 'dead_letters';

export interface Erasure {
  /** What this call has erased, newest first. */
  readonly erased: readonly ErasedLead[];
  /** Leads of others that mention the address, newest first. Empty once the owner has decided. */
  readonly mentioned: readonly ErasedLead[];
  /** Undefined if nothing of the person is left. */
  readonly unfinished: Unfinished | undefined;
}

export interface ErasureRequest {
  readonly workspaceId: string;
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  /** What becomes of leads that only mention the address. Undefined until the owner has decided. */
  readonly mentioned?: 'erase' | 'keep' | undefined;
  /** When the erasure was first asked for. Everything that came before must be gone. */
  readonly askedAt: number;
}

export interface ErasureContext {
  readonly finder: PersonFinder;
  readonly leads: Pick<LeadPages, 'erase'>;
  readonly index: Pick<LeadIndex, 'remove' | 'removePerson' | 'isOutdated'>;
  readonly backlog: IndexBacklog;
}

/** Bounds the time of a call. */
export const MAX_ERASED = 50;
const CONCURRENCY = 10;

/** Erases the leads whose contact has an email address. Leads that have expired are erased as well: DynamoDB deletes them late. */
export async function erasePerson(
  context: ErasureContext,
  request: ErasureRequest,
  signal: AbortSignal,
): Promise<Erasure> {
  const erased: ErasedLead[] = [];
  try {
    const found = await eraseLeads(context, request, erased, signal);
    erased.sort(newestFirst);
    const mentioned = found.mentioned.map(idsOf);
    if (found.hasMore) return { erased, mentioned, unfinished: 'more' };
    // Asked for only now: what is written meanwhile is found by the next call.
    const waiting =
      (await context.backlog.before(request, signal)) ??
      ((await context.index.isOutdated(request.workspaceId, signal)) ? 'indexing' : undefined);
    const again = waiting ? 0 : await countLeads(context, request, signal);
    if (again > 0) return { erased, mentioned, unfinished: 'more' };
    return { erased, mentioned, unfinished: waiting ?? (mentioned.length > 0 ? 'mentioned' : undefined) };
  } catch (error) {
    // What was erased must be told, even if the rest failed.
    if (erased.length === 0) throw error;
    erased.sort(newestFirst);
    return { erased, mentioned: [], unfinished: 'more' };
  }
}

const personOf = ({ workspaceId, email }: ErasureRequest) => ({
  workspaceId,
  key: personKey('email', email),
});
const idsOf = ({ leadId, formId, receivedAt }: ListedLead): ErasedLead => ({ leadId, formId, receivedAt });
const newestFirst = (one: ErasedLead, other: ErasedLead) => (one.leadId < other.leadId ? 1 : -1);
const isToErase =
  ({ mentioned }: ErasureRequest) =>
  (lead: PersonsLead) =>
    !lead.mentioned || mentioned === 'erase';

async function eraseLeads(
  { finder, leads, index }: ErasureContext,
  request: ErasureRequest,
  erased: ErasedLead[],
  signal: AbortSignal,
) {
  const { workspaceId } = request;
  const person = personOf(request);
  const mentioned: PersonsLead[] = [];
  const gone = new Set<ListedLead>();

  async function eraseOne(leadId: string, lead?: ListedLead): Promise<void> {
    const wasThere = await leads.erase(workspaceId, leadId, signal);
    if (wasThere && lead) gone.add(lead);
    await index.remove({ workspaceId, leadId }, signal);
    // Of an entry that no list entry names: nobody else would remove it.
    if (!lead) await index.removePerson(person, leadId, signal);
  }

  for await (const page of finder.find(person, { consistent: true }, signal)) {
    const found = page.leads.filter(isToErase(request));
    if (request.mentioned === undefined) mentioned.push(...page.leads.filter((lead) => lead.mentioned));
    const room = MAX_ERASED - erased.length;
    const tasks = [
      ...found.slice(0, room).map((lead) => () => eraseOne(lead.leadId, lead)),
      ...page.unlisted.map((leadId) => () => eraseOne(leadId)),
      ...page.stray.map((leadId) => () => index.removePerson(person, leadId, signal)),
    ];
    for (let from = 0; from < tasks.length; from += CONCURRENCY) {
      const outcomes = await Promise.allSettled(tasks.slice(from, from + CONCURRENCY).map((task) => task()));
      // Several at once end in any order.
      erased.push(...found.filter((lead) => gone.delete(lead)).map(idsOf));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    }
    if (found.length > room || (erased.length >= MAX_ERASED && page.readTo))
      return { mentioned, hasMore: true };
  }
  return { mentioned, hasMore: false };
}

/** How many entries of the person are left, as a strongly consistent read sees them. */
async function countLeads(
  { finder }: ErasureContext,
  request: ErasureRequest,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  const left = ({ leads, unlisted, stray }: FoundLeads) =>
    leads.filter(isToErase(request)).length + unlisted.length + stray.length;
  for await (const page of finder.find(personOf(request), { consistent: true }, signal)) count += left(page);
  return count;
}
