import type { ErasurePosition } from '../lead-cursors.ts';
import type { LeadPages } from '../lead-pages-store.ts';
import type { ListedLead } from '../search/index-entry.ts';
import type { LeadIndex } from '../search/lead-index-store.ts';
import type { Person, PersonFinder } from './person-store.ts';

/** What is reported about an erased lead: no personal data. */
export type ErasedLead = Pick<ListedLead, 'leadId' | 'formId' | 'receivedAt'>;

export interface Erasure {
  /** What this call has erased, newest first. */
  readonly erased: readonly ErasedLead[];
  /** Whether all leads were searched and none of this person was found. If not, call again. */
  readonly complete: boolean;
  /** Where to continue. Absent if the next search begins with the newest lead. */
  readonly position?: ErasurePosition | undefined;
}

export interface ErasureContext {
  readonly finder: PersonFinder;
  readonly leads: Pick<LeadPages, 'erase'>;
  readonly index: Pick<LeadIndex, 'remove'>;
}

/** Bounds the time of a call. */
export const MAX_ERASED = 50;
const MAX_QUERIES = 20;
const CONCURRENCY = 10;

/**
 * Erases the leads with an email address, and looks again until it finds none: a lead that is being accepted is indexed
 * a moment later. Leads that have expired are erased as well, since DynamoDB deletes them late.
 */
export async function erasePerson(
  context: ErasureContext,
  email: { readonly workspaceId: string; readonly email: string },
  from: ErasurePosition | undefined,
  signal: AbortSignal,
): Promise<Erasure> {
  const person: Person = { workspaceId: email.workspaceId, by: 'email', value: email.email };
  const erased: ErasedLead[] = [];
  try {
    const outcome = await eraseUntilNone(context, person, { from, erased }, signal);
    return { erased: newestFirst(erased), ...outcome };
  } catch (error) {
    // Report what was erased, even if the rest failed.
    if (erased.length === 0) throw error;
    return { erased: newestFirst(erased), complete: false };
  }
}

interface Progress {
  readonly from: ErasurePosition | undefined;
  readonly erased: ErasedLead[];
}

async function eraseUntilNone(
  context: ErasureContext,
  person: Person,
  { from, erased }: Progress,
  signal: AbortSignal,
): Promise<Omit<Erasure, 'erased'>> {
  const { finder } = context;
  const through = finder.wayTo(person.value);
  let queries = 0;
  let found = from?.found ?? false;
  let olderThan = from?.leadId;
  let handled = 0;
  for (;;) {
    for await (const page of finder.find(person, { through, olderThan, consistent: true }, signal)) {
      const batch = page.leads.slice(0, MAX_ERASED - handled);
      await eraseAll(context, person.workspaceId, batch, erased, signal);
      handled += batch.length;
      found ||= batch.length > 0;
      queries += 1;
      const readTo = batch.length < page.leads.length ? batch.at(-1)?.leadId : page.readTo;
      const isEnough = handled === MAX_ERASED || queries === MAX_QUERIES;
      if (isEnough && readTo) return { complete: false, position: { leadId: readTo, found } };
    }
    if (!found) return { complete: true };
    if (handled === MAX_ERASED || queries >= MAX_QUERIES) return { complete: false };
    found = false;
    olderThan = undefined;
  }
}

async function eraseAll(
  { leads, index }: ErasureContext,
  workspaceId: string,
  found: readonly ListedLead[],
  erased: ErasedLead[],
  signal: AbortSignal,
): Promise<void> {
  async function eraseOne({ leadId, formId, receivedAt }: ListedLead): Promise<void> {
    if (await leads.erase(workspaceId, leadId, signal)) erased.push({ leadId, formId, receivedAt });
    // Also if the lead was gone already, so that the next search does not find it.
    await index.remove({ workspaceId, leadId }, signal);
  }
  for (let from = 0; from < found.length; from += CONCURRENCY) {
    const outcomes = await Promise.allSettled(found.slice(from, from + CONCURRENCY).map(eraseOne));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

function newestFirst(erased: readonly ErasedLead[]): ErasedLead[] {
  return erased.toSorted((one, other) => (one.leadId < other.leadId ? 1 : -1));
}
