import { topLevelSources } from '../../model/json-text.ts';
import { type FieldConfiguration, fieldsTextOf } from '../../model/lead-fields.ts';
import { type FormIndex, type FormLeads, makeFormIndex } from '../form-index-store.ts';
import { decodeLeadCursor, encodeLeadCursor, type LeadQuery } from '../lead-cursors.ts';
import type { LeadFilter } from '../lead-filter.ts';
import { type LeadReaderContext, readWholeLeads } from '../whole-leads-store.ts';
import { chosenLayout, InvalidColumns, unprovenKeys, wholeLayout } from './export-columns.ts';
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

export interface ExportPage {
  /** UTF-8. The pages, one after the other, are the file; a page may be empty. */
  readonly content: Buffer;
  readonly leads: number;
  /** Absent on the last page. */
  readonly cursor?: string;
}

export interface LeadExport {
  /** Newest first. Throws InvalidCursor and InvalidColumns. */
  page(request: LeadExportRequest, signal: AbortSignal): Promise<ExportPage>;
}

export function makeLeadExport(context: LeadReaderContext): LeadExport {
  const index = makeFormIndex(context);
  const groups = leadGroups(context, index);

  async function page(request: LeadExportRequest, signal: AbortSignal): Promise<ExportPage> {
    const { workspaceId, formId, format, filter = {}, cursor, chosen, onlyReviewed } = request;
    const query: LeadQuery = { kind: format, formId, filter, chosen };
    const start = cursor === undefined ? undefined : decodeLeadCursor(cursor, query);
    const from = { workspaceId, formId, filter };
    const owns = await index.owns(from, signal);
    const settles = format === 'csv' && !chosen;
    const keys = start?.columns ?? (settles && owns ? await settleColumns(groups, from, query, signal) : []);
    const layout = chosen ? chosenLayout(chosen) : wholeLayout(keys);
    if (chosen && !start) await requireKeys(groups, owns ? from : undefined, request, signal);
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
    if (!owns) return endAt(undefined);
    let position = start?.leadId;
    let groupsWritten = 0;
    for await (const { leads, resumeAfter } of groups(from, position, content.nextGroup, signal)) {
      for (const lead of leads) {
        if (onlyReviewed && !lead.lead.review) continue;
        if (!content.add(lineOf(lead))) return endAt(position);
        position = lead.lead.leadId;
      }
      position = resumeAfter;
      groupsWritten += 1;
      if (groupsWritten === MAX_GROUPS) break;
    }
    return endAt(position);
  }

  return { page };
}

type LeadGroups = ReturnType<typeof leadGroups>;

/** Groups of leads, newest first, with the lead after which to continue; the caller sets the size of the next group. */
function leadGroups(context: LeadReaderContext, index: FormIndex) {
  return async function* groups(
    from: FormLeads,
    olderThan: string | undefined,
    size: () => number,
    signal: AbortSignal,
  ) {
    let position = olderThan;
    do {
      const found = await index.read(from, { olderThan: position, wanted: size() }, signal);
      const leads = await readWholeLeads(context, from.workspaceId, found.entries, signal);
      position = found.resumeAfter;
      yield { leads, resumeAfter: position };
    } while (position !== undefined);
  };
}

/**
 * All pages must have the same columns, but no page sees all leads: the newest leads decide before the first page is
 * written, and the cursor carries the columns on.
 */
async function settleColumns(groups: LeadGroups, from: FormLeads, query: LeadQuery, signal: AbortSignal) {
  const sample = sampleColumns();
  for await (const fields of sampledFields(groups, from, signal)) sample.add(topLevelScalars(fields).keys());
  return columnsForExport(sample, query);
}

/** Throws InvalidColumns for keys that no configured field and none of the newest leads have, whatever the filter. */
async function requireKeys(
  groups: LeadGroups,
  from: FormLeads | undefined,
  { chosen = [], fields = [] }: LeadExportRequest,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(unprovenKeys(chosen));
  for (const { key } of fields) missing.delete(key);
  if (missing.size === 0) return;
  if (from) {
    for await (const fields of sampledFields(groups, { ...from, filter: {} }, signal)) {
      for (const key of topLevelSources(fields).keys()) missing.delete(key);
      if (missing.size === 0) return;
    }
  }
  throw new InvalidColumns(
    `Unknown columns: ${[...missing].join(', ')}. For a key that no recent lead has, add the prefix body.`,
  );
}

/** The fields of the newest leads, as many as can be read in one call. */
async function* sampledFields(groups: LeadGroups, from: FormLeads, signal: AbortSignal) {
  let [leadsSeen, bytesSeen, groupsSeen] = [0, 0, 0];
  const size = () =>
    leadsSeen === 0 ? FIRST_GROUP : groupSize(SAMPLED_BYTES - bytesSeen, bytesSeen / leadsSeen);
  for await (const { leads } of groups(from, undefined, size, signal)) {
    for (const { lead } of leads) {
      yield fieldsTextOf(lead);
      bytesSeen += lead.body.length + (lead.fields?.length ?? 0);
    }
    leadsSeen += leads.length;
    groupsSeen += 1;
    if (leadsSeen >= SAMPLED_LEADS || bytesSeen >= SAMPLED_BYTES || groupsSeen === MAX_GROUPS) break;
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
