import type { FieldConfiguration } from '../../model/lead-fields.ts';
import { makeFormIndex } from '../form-index-store.ts';
import type { LeadFilter } from '../lead-filter.ts';
import { type LeadReaderContext, readWholeLeads } from '../whole-leads-store.ts';
import { FORM_COLUMNS } from './export-columns.ts';
import { type ExportPage, exportPage, type LeadGroups } from './export-page.ts';

export interface LeadExportRequest {
  /** From the session, never from the request. */
  readonly workspaceId: string;
  readonly formId: string;
  readonly format: 'csv' | 'ndjson';
  readonly filter?: LeadFilter;
  readonly cursor?: string | undefined;
  /** Leaves out leads without a verdict: those whose verdict was withdrawn stay in the index. */
  readonly onlyReviewed?: boolean | undefined;
  /** For CSV: the columns to write, in this order. All, if absent. */
  readonly chosen?: readonly string[] | undefined;
  /** As the form has them configured: their keys may be chosen even if no lead has them. */
  readonly fields?: readonly Pick<FieldConfiguration, 'key'>[] | undefined;
}

export interface LeadExport {
  /** Newest first. Throws InvalidCursor and InvalidColumns. */
  page(request: LeadExportRequest, signal: AbortSignal): Promise<ExportPage>;
}

/** The leads of one form. */
export function makeLeadExport(context: LeadReaderContext): LeadExport {
  const index = makeFormIndex(context);

  function groupsOf(
    { workspaceId, formId, onlyReviewed }: LeadExportRequest,
    filter: LeadFilter,
  ): LeadGroups {
    return async function* groups(olderThan, size, signal) {
      let position = olderThan;
      do {
        const page = { olderThan: position, wanted: size() };
        const found = await index.read({ workspaceId, formId, filter }, page, signal);
        const leads = await readWholeLeads(context, workspaceId, found.entries, signal);
        position = found.resumeAfter;
        yield {
          leads: onlyReviewed ? leads.filter(({ lead }) => lead.review) : leads,
          resumeAfter: position,
        };
      } while (position !== undefined);
    };
  }

  return {
    async page(request, signal) {
      const { formId, format, filter = {}, cursor, chosen, fields } = request;
      const owns = await index.owns(request, signal);
      return exportPage(
        {
          query: { kind: format, formId, filter, chosen },
          cursor,
          leads: owns ? groupsOf(request, filter) : noLeads,
          anyLeads: owns ? groupsOf(request, {}) : noLeads,
          fixed: FORM_COLUMNS,
          fields,
        },
        signal,
      );
    },
  };
}

/** A form without leads, or another workspace's. */
async function* noLeads(): ReturnType<LeadGroups> {
  yield { leads: [], resumeAfter: undefined };
}
