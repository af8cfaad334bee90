import type { Enrichment, EnrichmentState, Fact, Facts } from '../../enrichment/enrichment-item.ts';
import { rolesOf } from '../../enrichment/gather-facts.ts';
import { statusOf } from '../../model/handling.ts';
import { isJsonObject, topLevelSources } from '../../model/json-text.ts';
import { fieldsOfLead, fieldsTextOf } from '../../model/lead-fields.ts';
import type { Lead } from '../../model/lead-item.ts';
import { TEST_MARK } from '../../model/limits.ts';
import { gradeOf } from '../lead-row.ts';
import { contactOfLead } from '../search/lead-contact.ts';
import { messageOf } from '../search/lead-preview.ts';
import { BYTE_ORDER_MARK, csvLine, neutralizeJson } from './csv-cells.ts';
import { type ExportColumn, type ExportLayout, factCell, type LeadColumn } from './export-columns.ts';
import { cellOf, isNested } from './lead-columns.ts';

export interface ExportedLead {
  readonly lead: Lead;
  readonly state: EnrichmentState;
  readonly enrichment: Enrichment | undefined;
  /** In a file of all forms. */
  readonly formName?: string | undefined;
}

const LEAD_CELLS: Readonly<Record<LeadColumn, (exported: ExportedLead) => string>> = {
  submission_id: ({ lead }) => lead.leadId,
  received_at: ({ lead }) => lead.receivedAt,
  surface: ({ lead }) => lead.surface,
  score: ({ lead }) => String(lead.score),
  grade: ({ lead }) => gradeOf(lead) ?? '',
  clean: ({ lead }) => String(lead.clean),
  scored_clean: ({ lead }) => String(lead.scoredClean ?? lead.clean),
  review: ({ lead }) => lead.review?.verdict ?? '',
  reviewed_at: ({ lead }) => lead.review?.at ?? '',
  enrichment: ({ state }) => state,
  handling: ({ lead }) => statusOf(lead),
  handled_at: ({ lead }) => lead.handled?.at ?? '',
  handling_note: ({ lead }) => lead.handled?.note ?? '',
  name: cellOfWriter('name'),
  company: cellOfWriter('company'),
  email: cellOfWriter('email'),
  phone: cellOfWriter('phone'),
  message: cellOfWriter('message'),
  form_id: ({ lead }) => lead.formId,
  form_name: ({ formName }) => formName ?? '',
  status: ({ lead }) => statusOf(lead),
  note: ({ lead }) => lead.handled?.note ?? '',
};

interface Written {
  readonly name: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
}

/** Recognized as in the list. The phone number is as it was typed. */
function writtenBy({ lead }: ExportedLead): Written {
  const fields = fieldsOfLead(lead) ?? {};
  const { name = '', company = '', email = '' } = contactOfLead(fields, lead.roles);
  const phone = rolesOf(fields, lead.roles).phone ?? '';
  return { name, company, email, phone, message: messageOf(fields, lead.roles) ?? '' };
}

/** Five columns of a line need it. */
const written = new WeakMap<ExportedLead, Written>();

function cellOfWriter(column: keyof Written) {
  return (exported: ExportedLead): string => {
    const known = written.get(exported) ?? writtenBy(exported);
    written.set(exported, known);
    return known[column];
  };
}

/** What a file begins with. */
export function csvHeader({ columns }: ExportLayout): string {
  return BYTE_ORDER_MARK + csvLine(columns.map(({ name }) => name));
}

/**
 * The columns for the rest hold, as JSON, whatever has no column: nested values, keys beyond the columns, and a
 * provider's facts. So nothing is lost. They begin with a brace, which no spreadsheet takes for a formula.
 */
export function csvLeadLine(exported: ExportedLead, layout: ExportLayout): string {
  const sources = topLevelSources(fieldsTextOf(exported.lead));
  if (exported.lead.test) sources.set(TEST_MARK, 'true');
  const facts = new Map(Object.entries(factsOf(exported)));
  function cell(column: ExportColumn): string {
    switch (column.kind) {
      case 'lead':
        return LEAD_CELLS[column.column](exported);
      case 'fact':
        return factCell(facts.get(column.fact));
      case 'key':
        return keyCell(sources.get(column.key), layout);
      case 'uncertainFacts':
        return uncertainFacts(facts);
      case 'otherFacts':
        return otherFacts(facts, layout);
      case 'other':
        return otherKeys(sources, layout);
    }
  }
  return csvLine(layout.columns.map(cell));
}

/** What the owner called spam may have been enriched before. */
function factsOf({ state, enrichment }: ExportedLead): Facts {
  return (state !== 'skipped' && enrichment?.facts) || {};
}

function keyCell(source: string | undefined, { nested }: ExportLayout): string {
  if (source === undefined) return '';
  return cellOf(source) ?? (nested ? neutralizeJson(compact(source)) : '');
}

function otherKeys(sources: ReadonlyMap<string, string>, { keys, nested }: ExportLayout): string {
  const rest = [...sources].filter(([key, source]) => !keys.has(key) || (!nested && isNested(source)));
  return jsonCell(rest.map(([key, source]) => [key, compact(source)]));
}

function uncertainFacts(facts: ReadonlyMap<string, Fact>): string {
  return [...facts].flatMap(([name, { confidence }]) => (confidence === 'low' ? name : [])).join(' ');
}

function otherFacts(facts: ReadonlyMap<string, Fact>, layout: ExportLayout): string {
  const rest = [...facts].filter(([name]) => !layout.facts.has(name));
  return jsonCell(rest.map(([name, { value }]) => [name, JSON.stringify(value)]));
}

function jsonCell(members: readonly (readonly [name: string, json: string])[]): string {
  if (members.length === 0) return '';
  return neutralizeJson(`{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`);
}

/** Without the white space between tokens. On the text, since parsed numbers would lose digits. */
function compact(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}

/**
 * The body stays text and is never re-serialised: numbers keep every digit and repeated keys survive. JSON allows line
 * breaks only between tokens, so replacing them with a space changes no value.
 */
export function ndjsonLeadLine({ lead, state, enrichment }: ExportedLead): string {
  const { leadId: _leadId, state: _state, ...findings } = (state !== 'skipped' && enrichment) || {};
  const grade = gradeOf(lead);
  const head = JSON.stringify({
    submission_id: lead.leadId,
    form_id: lead.formId,
    received_at: lead.receivedAt,
    surface: lead.surface,
    score: lead.score,
    ...(grade !== undefined && { grade }),
    clean: lead.clean,
    scored_clean: lead.scoredClean ?? lead.clean,
    ...(lead.review && { review: { verdict: lead.review.verdict, at: lead.review.at } }),
    status: statusOf(lead),
    ...(lead.opened && { opened_at: lead.opened.at }),
    ...(lead.handled && { handled: { at: lead.handled.at, note: lead.handled.note } }),
    ...(lead.test && { test: true }),
    enrichment: { state, ...findings },
  });
  const fields = lead.fields === undefined ? '' : `,"fields":${onOneLine(lead.fields)}`;
  return `${head.slice(0, -1)},"body":${onOneLine(lead.body)}${fields}}\n`;
}

function onOneLine(text: string): string {
  return isJsonObject(text) ? text.replace(/[\r\n]/g, ' ') : 'null';
}
