import type { Form } from '../model/configuration.ts';
import { cursor, flagText, optional, RANGE, readFields, wholeNumberText } from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { download, noContent, notFound, ok } from '../owner-api/problem.ts';
import { InvalidColumns } from './export/export-columns.ts';
import { CONTENT_TYPES, FILE } from './export/export-fields.ts';
import type { LeadExport } from './export/lead-export-store.ts';
import type { LeadFilter } from './lead-filter.ts';
import type { LeadPages } from './lead-pages-store.ts';
import type { LeadIndex } from './search/lead-index-store.ts';
import { wholeLead } from './views.ts';

const score = optional(wholeNumberText({ min: 0, max: 100 }));
const FILTER = { ...RANGE, clean: optional(flagText), minScore: score, maxScore: score };
const PAGE = { ...FILTER, cursor, limit: optional(wholeNumberText({ min: 1, max: 50 })) };
const EXPORT = { ...FILTER, ...FILE };

export interface LeadRouteDependencies {
  /** Fails for a form that the workspace does not have. */
  readonly administrationOf: (workspaceId: string) => {
    form(formId: string): Promise<Pick<Form, 'formId' | 'slug' | 'fields'>>;
  };
  readonly leads: LeadPages;
  readonly leadExport: LeadExport;
  readonly leadIndex: Pick<LeadIndex, 'remove'>;
}

export function leadRoutes(dependencies: LeadRouteDependencies): OwnerRoute[] {
  const { administrationOf, leads, leadExport, leadIndex } = dependencies;
  return [
    route('listLeads', async ({ workspaceId, query, parameter, signal }) => {
      const { limit, cursor: from, ...filter } = readFields(query, PAGE);
      const { formId, fields } = await administrationOf(workspaceId).form(parameter('formId'));
      const request = { workspaceId, formId, fields, filter: toFilter(filter), cursor: from, limit };
      return ok(await leads.page(request, signal));
    }),

    route('exportLeads', async ({ workspaceId, query, parameter, signal }) => {
      const { format = 'csv', cursor: from, columns: chosen, ...filter } = readFields(query, EXPORT);
      if (chosen && format !== 'csv') throw new InvalidColumns('Only CSV has columns.');
      const { formId, slug, fields } = await administrationOf(workspaceId).form(parameter('formId'));
      const request = { workspaceId, formId, format, filter: toFilter(filter), cursor: from, chosen, fields };
      const page = await leadExport.page(request, signal);
      return download(page.content, {
        'content-type': CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="${slug}.${format}"`,
        ...(page.cursor !== undefined && { 'x-next-cursor': page.cursor }),
      });
    }),

    route('getLead', async ({ workspaceId, principal, query, parameter, signal }) => {
      readFields(query, {});
      const found = await leads.find(workspaceId, parameter('leadId'), signal);
      if (!found) throw notFound();
      return ok(wholeLead(found, principal));
    }),

    route('eraseLead', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      const address = { workspaceId, leadId: parameter('leadId') };
      if (!(await leads.erase(workspaceId, address.leadId, signal))) throw notFound();
      // The relay announces the erasure to the index as well. This is for the list that the owner sees next.
      await leadIndex.remove(address, signal).catch(() => undefined);
      return noContent();
    }),
  ];
}

interface GivenFilter extends Pick<LeadFilter, 'from' | 'to' | 'clean'> {
  readonly minScore: number | undefined;
  readonly maxScore: number | undefined;
}

function toFilter({ minScore, maxScore, ...rest }: GivenFilter): LeadFilter {
  return { ...rest, scoreAtLeast: minScore, scoreAtMost: maxScore };
}
