import type { StoreContext } from '../../aws/dynamodb.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import type { ScorePosition } from '../lead-cursors.ts';
import type { LeadIdRange } from '../lead-filter.ts';
import { fromListEntry, handlingOf, type ListedLead, type ShownLead } from './index-entry.ts';
import { KEYS_IN_A_BATCH, makeListEntries, type SearchPage, STEP_MS } from './list-entries-store.ts';
import { isInState, type LeadSearch, MAX_COUNTED, MAX_SORTED } from './search-filter.ts';
import { enrichmentStates, showLeads } from './shown-leads-store.ts';

export interface SearchResult {
  /** Newest first. */
  readonly leads: readonly ShownLead[];
  /** Set if there may be more, even after few leads or none: one call takes only so long. */
  readonly resumeAfter: string | undefined;
}

export interface ScoredResult {
  /** Highest score first, and of one score newest first. */
  readonly leads: readonly ShownLead[];
  readonly resumeAfter: ScorePosition | undefined;
}

export interface LeadCount {
  readonly count: number;
  /** False if there may be more. */
  readonly exact: boolean;
}

export interface LeadSearcher {
  /** As the list has them: Leads is not read. */
  find(
    workspaceId: string,
    search: LeadSearch,
    page: SearchPage,
    signal: AbortSignal,
  ): Promise<{ readonly leads: readonly ListedLead[]; readonly resumeAfter: string | undefined }>;
  search(
    workspaceId: string,
    search: LeadSearch,
    page: SearchPage,
    signal: AbortSignal,
  ): Promise<SearchResult>;
  /** Undefined if too many leads match to be sorted. */
  byScore(
    workspaceId: string,
    search: LeadSearch,
    page: SearchPage & { readonly after?: ScorePosition | undefined },
    signal: AbortSignal,
  ): Promise<ScoredResult | undefined>;
  count(workspaceId: string, search: LeadSearch, range: LeadIdRange, signal: AbortSignal): Promise<LeadCount>;
}

export interface LeadSearchContext extends StoreContext<'leadIndex' | 'leads'> {
  readonly now: () => number;
}

export function makeLeadSearcher(context: LeadSearchContext): LeadSearcher {
  const { now } = context;
  const entries = makeListEntries(context);

  /** At most one more than wanted. The state of enrichment, which the list does not know, is read only if asked for. */
  async function firstOf(
    items: readonly LeadItem[],
    { enrichment }: LeadSearch,
    wanted: number,
    { until, signal }: { readonly until?: number; readonly signal: AbortSignal },
  ): Promise<ListedLead[]> {
    if (enrichment === undefined) return items.slice(0, wanted + 1).map(fromListEntry);
    const found: ListedLead[] = [];
    for (let from = 0; from < items.length && found.length <= wanted; from += KEYS_IN_A_BATCH) {
      if (until !== undefined && now() >= until) break;
      const leads = items.slice(from, from + KEYS_IN_A_BATCH).map(fromListEntry);
      const states = await enrichmentStates(context, leads, signal);
      found.push(...leads.filter((_, index) => states[index] === enrichment));
    }
    return found.slice(0, wanted + 1);
  }

  /** Leaves out what somebody has handled or reviewed a moment ago, and the list does not know yet. */
  async function show(
    workspaceId: string,
    asked: LeadSearch,
    leads: readonly ListedLead[],
    signal: AbortSignal,
  ) {
    const shown = await showLeads(context, workspaceId, leads, signal);
    return shown.filter((lead) =>
      isInState({ reviewed: lead.review !== undefined, handling: handlingOf(lead) }, asked),
    );
  }

  const find: LeadSearcher['find'] = async (workspaceId, asked, page, signal) => {
    const { wanted } = page;
    const { items, readTo } = await entries.find(workspaceId, asked, page, signal);
    const leads = await firstOf(items, asked, wanted, { signal });
    return {
      leads: leads.slice(0, wanted),
      resumeAfter: leads.length > wanted ? leads[wanted - 1]?.leadId : readTo,
    };
  };

  return {
    find,

    async search(workspaceId, asked, page, signal) {
      const { leads, resumeAfter } = await find(workspaceId, asked, page, signal);
      return { leads: await show(workspaceId, asked, leads, signal), resumeAfter };
    },

    async byScore(workspaceId, asked, { range, wanted, after }, signal) {
      const all = await entries.find(workspaceId, asked, { range, wanted: MAX_SORTED + 1 }, signal);
      if (all.readTo !== undefined || all.items.length > MAX_SORTED) return undefined;
      const rest = all.items
        .filter((item) => after === undefined || compareScores(after, positionOf(item)) < 0)
        .sort((a, b) => compareScores(positionOf(a), positionOf(b)));
      const first = await firstOf(rest, asked, wanted, { signal });
      const page = first.slice(0, wanted);
      const last = page.at(-1);
      const leads = await show(workspaceId, asked, page, signal);
      const resumeAfter = last && { score: last.score, leadId: last.leadId };
      return { leads, resumeAfter: first.length > wanted ? resumeAfter : undefined };
    },

    async count(workspaceId, asked, range, signal) {
      const until = now() + STEP_MS;
      const found = await entries.find(workspaceId, asked, { range, wanted: MAX_COUNTED + 1 }, signal);
      const first = await firstOf(found.items, asked, MAX_COUNTED, { until, signal });
      const isOver = asked.enrichment !== undefined && now() >= until;
      return {
        count: Math.min(first.length, MAX_COUNTED),
        exact: first.length <= MAX_COUNTED && found.readTo === undefined && !isOver,
      };
    },
  };
}

function positionOf({ score, leadId }: LeadItem): ScorePosition {
  return { score: score as number, leadId: leadId as string };
}

/** Negative if `a` comes first. */
function compareScores(a: ScorePosition, b: ScorePosition): number {
  return b.score - a.score || (a.leadId < b.leadId ? 1 : a.leadId > b.leadId ? -1 : 0);
}
