import { ENRICHMENT_STATES } from '../enrichment/enrichment-item.ts';
import { receivedAtOf } from '../model/lead-events.ts';
import {
  type Check,
  cursor,
  Fault,
  flagText,
  oneOf,
  optional,
  RANGE,
  readFields,
  text,
  wholeNumberText,
} from '../owner-api/fields.ts';
import { type OwnerRoute, route } from '../owner-api/owner-pipeline.ts';
import { download, ok, Problem } from '../owner-api/problem.ts';
import { stripAccents } from '../scoring/lead-text.ts';
import { InvalidColumns } from './export/export-columns.ts';
import { CONTENT_TYPES, FILE } from './export/export-fields.ts';
import type { ExportedForm, ListExport } from './export/list-export-store.ts';
import { decodeListCursor, decodeScoreCursor, encodeListCursor, encodeScoreCursor } from './lead-cursors.ts';
import { type LeadIdRange, leadIdRange, markOf } from './lead-filter.ts';
import type { LeadSearcher, SearchResult } from './search/lead-search-store.ts';
import { type LeadSearch, MAX_SORTED, STATUSES } from './search/search-filter.ts';
import { listedLead } from './views.ts';

const MAX_IDS = 50;
const LEADS_ON_A_PAGE = 50;

const ids: Check<string[]> = (value) => {
  const given = typeof value === 'string' ? value.split(',') : [];
  const isList = given.length >= 1 && given.length <= MAX_IDS;
  if (!isList || given.some((id) => id === '' || id.length > 100)) {
    throw new Fault(`must be 1 to ${MAX_IDS} submission IDs, separated by commas`);
  }
  return given;
};

const score = optional(wholeNumberText({ min: 0, max: 100 }));
const SEARCH = {
  ...RANGE,
  q: optional(text({ min: 1, max: 200 })),
  form: optional(text({ min: 1, max: 200 })),
  clean: optional(flagText),
  minScore: score,
  maxScore: score,
  enrichment: optional(oneOf(ENRICHMENT_STATES)),
  status: optional(oneOf(STATUSES)),
  reviewed: optional(flagText),
  ids: optional(ids),
};
const EXPORT = { ...SEARCH, ...FILE };
const LIST = {
  ...SEARCH,
  cursor,
  limit: optional(wholeNumberText({ min: 1, max: LEADS_ON_A_PAGE })),
  sort: optional(oneOf(['time', 'score'])),
};

export interface ListRouteDependencies {
  readonly leadSearch: LeadSearcher;
  readonly listExport: ListExport;
  readonly administrationOf: (workspaceId: string) => {
    listForms(): Promise<readonly ExportedForm[]>;
    listArchivedForms(): Promise<readonly ExportedForm[]>;
  };
  readonly usage: {
    read(workspaceId: string, signal: AbortSignal): Promise<{ readonly name: string } | undefined>;
  };
  readonly now: () => number;
}

/** The leads of all forms: listed, counted and exported by the same conditions. */
export function listRoutes(dependencies: ListRouteDependencies): OwnerRoute[] {
  const { leadSearch, listExport, administrationOf, usage, now } = dependencies;
  return [
    route('searchLeads', async ({ workspaceId, principal, query, signal }) => {
      const {
        limit: wanted = LEADS_ON_A_PAGE,
        cursor: after,
        sort = 'time',
        ...given
      } = readFields(query, LIST);
      const { asked, range, mark } = readSearch(given);
      if (sort === 'score') {
        if (given.from === undefined && !given.ids) throw invalid('sort', 'by score needs from');
        const position = after === undefined ? undefined : decodeScoreCursor(after, mark);
        if (!range) return ok({ leads: [] });
        const found = await leadSearch.byScore(
          workspaceId,
          asked,
          { range, wanted, after: position },
          signal,
        );
        if (!found) throw invalid('sort', TOO_MANY);
        return ok({
          leads: found.leads.map((lead) => listedLead(lead, principal)),
          ...(found.resumeAfter && { cursor: encodeScoreCursor(mark, found.resumeAfter) }),
        });
      }
      const olderThan = after === undefined ? undefined : decodeListCursor(after, mark);
      const rest = leadIdRange(given.from, given.to, olderThan);
      if (!rest) return ok({ leads: [] });
      const found = await leadSearch.search(workspaceId, asked, { range: rest, wanted }, signal);
      return ok({
        leads: found.leads.map((lead) => listedLead(lead, principal)),
        ...moreAfter(found, wanted, mark),
      });
    }),

    route('countLeads', async ({ workspaceId, query, signal }) => {
      const { asked, range } = readSearch(readFields(query, SEARCH));
      if (!range) return ok({ count: 0, exact: true });
      return ok(await leadSearch.count(workspaceId, asked, range, signal));
    }),

    route('exportListedLeads', async ({ workspaceId, query, signal }) => {
      const { format = 'csv', columns: chosen, cursor: after, ...given } = readFields(query, EXPORT);
      if (chosen && format !== 'csv') throw new InvalidColumns('Only CSV has columns.');
      const { asked, mark } = readSearch(given);
      const administration = administrationOf(workspaceId);
      const [workspace, active, archived] = await Promise.all([
        usage.read(workspaceId, signal),
        administration.listForms(),
        administration.listArchivedForms(),
      ]);
      const request = { workspaceId, asked, from: given.from, to: given.to, mark, format, chosen };
      const page = await listExport.page(
        { ...request, cursor: after, forms: [...active, ...archived] },
        signal,
      );
      const name = `${slugOf(workspace?.name ?? '')}leads-${new Date(now()).toISOString().slice(0, 10)}`;
      return download(page.content, {
        'content-type': CONTENT_TYPES[format],
        'content-disposition': `attachment; filename="${name}.${format}"`,
        'x-leads': String(page.leads),
        ...(page.cursor !== undefined && { 'x-next-cursor': page.cursor }),
      });
    }),
  ];
}

/** `analytical-engines-` for Analytical Engines; empty if the name has no letter that fits a file name. */
function slugOf(name: string): string {
  const slug = stripAccents(name.toLowerCase())
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug && `${slug.slice(0, 60)}-`;
}

const TOO_MANY = `by score takes at most ${MAX_SORTED.toLocaleString('en')} leads: choose a shorter period`;

function invalid(field: string, problem: string): Problem {
  return new Problem('invalid-request', { errors: [{ field, problem }] });
}

type Given = ReturnType<typeof readFields<typeof SEARCH>>;

interface ReadSearch {
  readonly asked: LeadSearch;
  /** Undefined if there can be no lead in it. */
  readonly range: LeadIdRange | undefined;
  /** Ties a cursor to what was asked for. */
  readonly mark: string;
}

function readSearch({ from, to, minScore, maxScore, ...rest }: Given): ReadSearch {
  const { q, form, clean, enrichment, status, reviewed, ids: selected } = rest;
  const parts = [from, to, minScore, maxScore, q, form, clean, enrichment, status, reviewed, selected];
  return {
    asked: { ...rest, scoreAtLeast: minScore, scoreAtMost: maxScore },
    range: leadIdRange(from, to),
    mark: markOf(parts.map((part) => part ?? null)),
  };
}

/** How far back was searched is said if the page is not full. */
function moreAfter({ leads, resumeAfter }: SearchResult, wanted: number, mark: string) {
  if (resumeAfter === undefined) return {};
  const searchedTo = new Date(receivedAtOf(resumeAfter)).toISOString();
  return { cursor: encodeListCursor(mark, resumeAfter), ...(leads.length < wanted && { searchedTo }) };
}
