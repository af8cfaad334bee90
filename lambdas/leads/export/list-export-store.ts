import type { FieldConfiguration } from '../../model/lead-fields.ts';
import { leadIdRange } from '../lead-filter.ts';
import { handlingOf } from '../search/index-entry.ts';
import { type LeadSearchContext, makeLeadSearcher } from '../search/lead-search-store.ts';
import { isInState, type LeadSearch } from '../search/search-filter.ts';
import { readWholeLeads, type WholeLead } from '../whole-leads-store.ts';
import { LIST_COLUMNS } from './export-columns.ts';
import { type ExportPage, exportPage, type LeadGroups } from './export-page.ts';

export interface ListExportRequest {
  /** From the session, never from the request. */
  readonly workspaceId: string;
  readonly asked: LeadSearch;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Stands for everything that was asked for. */
  readonly mark: string;
  readonly format: 'csv' | 'ndjson';
  readonly cursor?: string | undefined;
  /** For CSV: the columns to write, in this order. All, if absent. */
  readonly chosen?: readonly string[] | undefined;
  readonly forms: readonly ExportedForm[];
}

export interface ExportedForm {
  readonly formId: string;
  readonly name: string;
  readonly fields?: readonly Pick<FieldConfiguration, 'key'>[] | undefined;
}

export interface ListExport {
  /** Newest first. Throws InvalidCursor and InvalidColumns. */
  page(request: ListExportRequest, signal: AbortSignal): Promise<ExportPage>;
}

/** A search takes up to 4 seconds, and one that has begun may end later than this. */
const TIME_MS = { sample: 4_000, page: 10_000 };

/** The leads that a search finds, over all forms. */
export function makeListExport(context: LeadSearchContext): ListExport {
  const { now } = context;
  const searcher = makeLeadSearcher(context);

  function groupsOf({ workspaceId, from, to, forms }: ListExportRequest, asked: LeadSearch): LeadGroups {
    const names = new Map(forms.map(({ formId, name }) => [formId, name]));
    // The list may be a moment behind.
    const isAsked = ({ lead }: WholeLead) =>
      isInState({ reviewed: lead.review !== undefined, handling: handlingOf(lead) }, asked);
    return async function* groups(olderThan, size, signal) {
      let position = olderThan;
      do {
        const range = leadIdRange(from, to, position);
        const found = range
          ? await searcher.find(workspaceId, asked, { range, wanted: size() }, signal)
          : { leads: [], resumeAfter: undefined };
        const leads = await readWholeLeads(context, workspaceId, found.leads, signal);
        position = found.resumeAfter;
        yield {
          leads: leads.filter(isAsked).map((each) => ({ ...each, formName: names.get(each.lead.formId) })),
          resumeAfter: position,
        };
      } while (position !== undefined);
    };
  }

  return {
    page(request, signal) {
      const { asked, mark, format, cursor, chosen, forms } = request;
      const begun = now();
      return exportPage(
        {
          // No form has such an id.
          query: { kind: format, formId: `list#${mark}`, filter: {}, chosen },
          cursor,
          leads: groupsOf(request, asked),
          anyLeads: groupsOf({ ...request, from: undefined, to: undefined }, {}),
          fixed: LIST_COLUMNS,
          fields: forms.flatMap(({ fields = [] }) => fields),
          isOver: (share) => now() - begun >= TIME_MS[share],
        },
        signal,
      );
    },
  };
}
