import type { Query } from '#console/api/client.ts';
import type { LeadCount } from '#console/api/types.ts';

/** What is exported: the selected leads, or else all that are listed. */
export interface Exported {
  readonly query: Query;
  readonly selected: readonly string[];
  /** The number of leads that are listed. Undefined until it is known. */
  readonly count: LeadCount | undefined;
}

/** The number of leads and which, before the export starts. */
export function whatIsExported({ query, selected, count }: Exported): string {
  if (selected.length > 0) {
    return selected.length === 1 ? 'The selected lead.' : `The ${selected.length} selected leads.`;
  }
  const { sort: _sort, ...filters } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const which = isFiltered ? 'that match the search and the filters' : 'of all forms';
  if (count === undefined) return `All leads ${which}. They are being counted.`;
  const number = count.count.toLocaleString('en');
  if (!count.exact) return `More than ${number} leads ${which}.`;
  return count.count === 1 ? `1 lead ${which}.`.replace('match ', 'matches ') : `${number} leads ${which}.`;
}

export function leadsText(count: number): string {
  return count === 1 ? '1 lead' : `${count.toLocaleString('en')} leads`;
}

/** How far an export is. */
export function progressText(leads: number, total: number | undefined): string {
  const done = leads.toLocaleString('en');
  return total === undefined || leads > total
    ? `${done} leads so far`
    : `${done} of ${total.toLocaleString('en')} leads`;
}

/** The file's name, for the dialog that asks where to save it: the workspace and the day. */
export function exportName(workspace: string, now: Date): string {
  const slug = workspace
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return [slug, 'leads', now.toISOString().slice(0, 10)].filter(Boolean).join('-');
}
