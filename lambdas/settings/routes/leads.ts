import { cursor, flagText, oneOf, optional, RANGE, readFields, wholeNumberText } from '../fields.ts';
import type { LeadFilter } from '../leads/lead-filter.ts';
import { type OwnerRoute, route } from '../owner-pipeline.ts';
import { download, noContent, notFound, ok } from '../problem.ts';
import type { SettingsDependencies } from '../settings-dependencies.ts';
import { wholeLead } from '../views.ts';

const score = optional(wholeNumberText({ min: 0, max: 100 }));
const FILTER = { ...RANGE, clean: optional(flagText), minScore: score, maxScore: score };
const PAGE = { ...FILTER, cursor, limit: optional(wholeNumberText({ min: 1, max: 50 })) };
const EXPORT = { ...FILTER, cursor, format: optional(oneOf(['csv', 'ndjson'])) };

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' };

type Dependencies = Pick<SettingsDependencies, 'administrationOf' | 'leads' | 'leadExport'>;

export function leadRoutes({ administrationOf, leads, leadExport }: Dependencies): OwnerRoute[] {
  return [
    route('GET /settings/forms/{formId}/leads', async ({ workspaceId, query, parameter, signal }) => {
      const { limit, cursor: from, ...filter } = readFields(query, PAGE);
      const { formId, fields } = await administrationOf(workspaceId).form(parameter('formId'));
      const request = { workspaceId, formId, fields, filter: toFilter(filter), cursor: from, limit };
      return ok(await leads.page(request, signal));
    }),

    route('GET /settings/forms/{formId}/leads/export', async ({ workspaceId, query, parameter, signal }) => {
      const { format = 'csv', cursor: from, ...filter } = readFields(query, EXPORT);
      const { formId, slug } = await administrationOf(workspaceId).form(parameter('formId'));
      const request = { workspaceId, formId, format, filter: toFilter(filter), cursor: from };
      const page = await leadExport.page(request, signal);
      return download(page.content, {
        'content-type': CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="${slug}.${format}"`,
        ...(page.cursor !== undefined && { 'x-next-cursor': page.cursor }),
      });
    }),

    route('GET /settings/leads/{leadId}', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      const found = await leads.find(workspaceId, parameter('leadId'), signal);
      if (!found) throw notFound();
      return ok(wholeLead(found));
    }),

    route('DELETE /settings/leads/{leadId}', async ({ workspaceId, query, parameter, signal }) => {
      readFields(query, {});
      if (!(await leads.erase(workspaceId, parameter('leadId'), signal))) throw notFound();
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
