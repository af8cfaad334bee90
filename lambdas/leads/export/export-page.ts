import { topLevelSources } from '../../model/json-text.ts';
import { type FieldConfiguration, fieldsTextOf } from '../../model/lead-fields.ts';
import { decodeLeadCursor, encodeLeadCursor, type LeadQuery } from '../lead-cursors.ts';
import {
  chosenLayout,
  type FixedColumns,
  InvalidColumns,
  unprovenKeys,
  wholeLayout,
} from './export-columns.ts';
import { columnsForExport, sampleColumns, topLevelScalars } from './lead-columns.ts';
import { csvHeader, csvLeadLine, type ExportedLead, ndjsonLeadLine } from './lead-lines.ts';

/** A function may return 6 MB: this much is 5.6 MB in base64, and escaped in JSON it could be more. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** What is held at once, however many leads there are. */
export const MAX_LEADS_HELD = 200;
/** Leads of the largest size: what is read beyond the end of a page is read again for the next. */
export const FIRST_GROUP = 25;
/** Bounds the time of a call when a filter finds little. */
const MAX_GROUPS = 30;
const SAMPLED_LEADS = 1_000;
const SAMPLED_BYTES = 8 * 1024 * 1024;

/** Groups of leads, newest first, with the lead after which to continue; the caller sets the size of the next group. */
export type LeadGroups = (
  olderThan: string | undefined,
  size: () => number,
  signal: AbortSignal,
) => AsyncGenerator<{ leads: readonly ExportedLead[]; resumeAfter: string | undefined }>;

export interface ExportFile {
  /** What all pages have in common. */
  readonly query: LeadQuery & { readonly kind: 'csv' | 'ndjson' };
  readonly cursor: string | undefined;
  readonly leads: LeadGroups;
  /** Whatever the filter: a chosen column may be of a key that none of the file's leads has. */
  readonly anyLeads: LeadGroups;
  /** The columns of a CSV file that are no keys of the body. */
  readonly fixed: FixedColumns;
  /** As the form has them configured: their keys may be chosen even if no lead has them. */
  readonly fields?: readonly Pick<FieldConfiguration, 'key'>[] | undefined;
  /** Whether enough time was spent on finding leads: the page ends, and the next one continues. */
  readonly isOver?: (share: 'sample' | 'page') => boolean;
}

export interface ExportPage {
  /** UTF-8. The pages, one after the other, are the file; a page may be empty. */
  readonly content: Buffer;
  readonly leads: number;
  /** Absent on the last page. */
  readonly cursor?: string;
}

/** Throws InvalidCursor and InvalidColumns. */
export async function exportPage(file: ExportFile, signal: AbortSignal): Promise<ExportPage> {
  const { query, cursor, leads, fixed, isOver = () => false } = file;
  const { kind: format, chosen } = query;
  const start = cursor === undefined ? undefined : decodeLeadCursor(cursor, query);
  const settles = format === 'csv' && !chosen;
  const keys = start?.columns ?? (settles ? await settleColumns(file, signal) : []);
  const layout = chosen ? chosenLayout(chosen, fixed) : wholeLayout(keys, fixed);
  if (chosen && !start) await requireKeys(file, signal);
  const content = openPage(format === 'csv' && !start ? csvHeader(layout) : '');
  const lineOf = (lead: ExportedLead) =>
    format === 'csv' ? csvLeadLine(lead, layout) : ndjsonLeadLine(lead);
  const endAt = (leadId: string | undefined): ExportPage => ({
    content: content.join(),
    leads: content.lines(),
    ...(leadId && {
      cursor: encodeLeadCursor(query, { leadId, ...(settles && { columns: keys }) }),
    }),
  });
  let position = start?.leadId;
  let groupsWritten = 0;
  for await (const group of leads(position, content.nextGroup, signal)) {
    for (const lead of group.leads) {
      if (!content.add(lineOf(lead))) return endAt(position);
      position = lead.lead.leadId;
    }
    position = group.resumeAfter;
    groupsWritten += 1;
    if (groupsWritten === MAX_GROUPS || isOver('page')) break;
  }
  return endAt(position);
}

/**
 * All pages must have the same columns, but no page sees all leads: the newest leads decide before the first page is
 * written, and the cursor carries the columns on.
 */
async function settleColumns(file: ExportFile, signal: AbortSignal): Promise<string[]> {
  const sample = sampleColumns();
  for await (const fields of sampledFields(file.leads, file, signal)) {
    sample.add(topLevelScalars(fields).keys());
  }
  return columnsForExport(sample, file.query);
}

/** Throws InvalidColumns for keys that no configured field and none of the newest leads have, whatever the filter. */
async function requireKeys(file: ExportFile, signal: AbortSignal): Promise<void> {
  const missing = new Set(unprovenKeys(file.query.chosen ?? [], file.fixed));
  for (const { key } of file.fields ?? []) missing.delete(key);
  if (missing.size === 0) return;
  for await (const fields of sampledFields(file.anyLeads, file, signal)) {
    for (const key of topLevelSources(fields).keys()) missing.delete(key);
    if (missing.size === 0) return;
  }
  throw new InvalidColumns(
    `Unknown columns: ${[...missing].join(', ')}. For a key that no recent lead has, add the prefix body.`,
  );
}

/** The fields of the newest leads, as many as can be read in one call. */
async function* sampledFields(
  groups: LeadGroups,
  { isOver = () => false }: Pick<ExportFile, 'isOver'>,
  signal: AbortSignal,
) {
  let [leadsSeen, bytesSeen, groupsSeen] = [0, 0, 0];
  const size = () =>
    leadsSeen === 0 ? FIRST_GROUP : groupSize(SAMPLED_BYTES - bytesSeen, bytesSeen / leadsSeen);
  for await (const { leads } of groups(undefined, size, signal)) {
    for (const { lead } of leads) {
      yield fieldsTextOf(lead);
      bytesSeen += lead.body.length + (lead.fields?.length ?? 0);
    }
    leadsSeen += leads.length;
    groupsSeen += 1;
    const isEnough = leadsSeen >= SAMPLED_LEADS || bytesSeen >= SAMPLED_BYTES;
    if (isEnough || groupsSeen === MAX_GROUPS || isOver('sample')) break;
  }
}

/** The lines of a page, as long as they fit. */
export function openPage(header: string) {
  const parts = [Buffer.from(header)];
  let bytes = Buffer.byteLength(header);
  return {
    /** False, and nothing added, when the line would make the page too large. A page takes one at least, to get on. */
    add(line: string): boolean {
      const part = Buffer.from(line);
      if (parts.length > 1 && bytes + part.length > MAX_PAGE_BYTES) return false;
      parts.push(part);
      bytes += part.length;
      return true;
    },
    lines: () => parts.length - 1,
    /** About as many leads as there is room for, going by those so far. */
    nextGroup(): number {
      const lines = parts.length - 1;
      return lines === 0 ? FIRST_GROUP : groupSize(MAX_PAGE_BYTES - bytes, bytes / lines);
    },
    join: () => Buffer.concat(parts),
  };
}

function groupSize(bytesLeft: number, bytesEach: number): number {
  return Math.min(MAX_LEADS_HELD, Math.max(1, Math.ceil(bytesLeft / Math.max(1, bytesEach))));
}
