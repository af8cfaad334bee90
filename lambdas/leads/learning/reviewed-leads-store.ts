import type { StoreContext } from '../../aws/dynamodb.ts';
import type { Lead } from '../../model/lead-item.ts';
import { reviewsOf } from '../../model/review-item.ts';
import { listFormSettings } from '../../workspaces/form-settings-store.ts';
import { makeFormIndex } from '../form-index-store.ts';
import { makeReviews } from '../reviews/reviews-store.ts';
import type { LeadReaderContext } from '../whole-leads-store.ts';
import type { ReviewedLead } from './learn.ts';

/** More leads change little, and each is read whenever something is learned again. */
export const MOST_REVIEWED = 500;
/** The index also lists leads whose verdict was withdrawn. Bounds the reads of a workspace that withdrew most. */
const MOST_ENTRIES = 2_000;
/** A lead can have 128 KB. */
const READ_AT_ONCE = 50;

/** The newest leads that have a verdict, each with its form's configuration. Those erased or expired are left out. */
export type ReadReviewed = (workspaceId: string, signal: AbortSignal) => Promise<ReviewedLead[]>;

export function makeReadReviewed(context: LeadReaderContext & StoreContext<'forms'>): ReadReviewed {
  const index = makeFormIndex(context);
  const { read } = makeReviews(context);

  async function* newestEntries(workspaceId: string, signal: AbortSignal) {
    const from = { workspaceId, formId: reviewsOf(workspaceId), filter: {} };
    let olderThan: string | undefined;
    for (let seen = 0; seen < MOST_ENTRIES; seen += MOST_REVIEWED) {
      const page = await index.read(from, { olderThan, wanted: MOST_REVIEWED }, signal);
      const leadIds = page.entries.map(({ leadId }) => leadId);
      for (let at = 0; at < leadIds.length; at += READ_AT_ONCE) yield leadIds.slice(at, at + READ_AT_ONCE);
      if (page.resumeAfter === undefined) return;
      olderThan = page.resumeAfter;
    }
  }

  return async function readReviewed(workspaceId, signal) {
    const forms = await listFormSettings(context, workspaceId);
    const fieldsOf = new Map(forms.map(({ formId, fields }) => [formId, fields ?? []]));
    const reviewed: Lead[] = [];
    for await (const leadIds of newestEntries(workspaceId, signal)) {
      const leads = await read(workspaceId, leadIds, signal);
      reviewed.push(...leads.filter((lead) => lead?.review !== undefined).map((lead) => lead as Lead));
      if (reviewed.length >= MOST_REVIEWED) break;
    }
    return reviewed
      .slice(0, MOST_REVIEWED)
      .map((lead) => ({ lead, configuration: fieldsOf.get(lead.formId) ?? [] }));
  };
}
