import type { Enrichment, EnrichmentState } from '../../enrichment/enrichment-item.ts';
import type { Lead } from '../../submission/lead-item.ts';
import { BYTE_ORDER_MARK, csvLine, neutralize, neutralizeJson } from './csv-cells.ts';
import { cellOf, isJsonObject, topLevelSources } from './lead-columns.ts';
import { gradeOf } from './lead-row.ts';

export interface ExportedLead {
  readonly lead: Lead;
  readonly state: EnrichmentState;
  readonly enrichment: Enrichment | undefined;
}

const FIRST_COLUMNS = [
  'submission_id',
  'received_at',
  'surface',
  'score',
  'grade',
  'clean',
  'enrichment',
] as const;
const LAST_COLUMN = 'other';

/**
 * What a file begins with. A key with the name of one of our columns gets a prefix: two columns of one
 * name would hide each other.
 */
export function csvHeader(columns: readonly string[]): string {
  const taken = new Set<string>([...FIRST_COLUMNS, LAST_COLUMN]);
  const names = columns.map((column) => {
    let name = neutralize(column);
    while (taken.has(name)) name = `body.${name}`;
    taken.add(name);
    return name;
  });
  return BYTE_ORDER_MARK + csvLine([...FIRST_COLUMNS, ...names, LAST_COLUMN]);
}

/**
 * The last column holds, as JSON, whatever has no column: nested values, and keys beyond the columns. So nothing is
 * lost. It begins with a brace, which no spreadsheet takes for a formula.
 */
export function csvLeadLine({ lead, state }: ExportedLead, columns: readonly string[]): string {
  const sources = topLevelSources(lead.body);
  const cells = columns.map((name) => cellOf(sources.get(name) ?? 'null'));
  for (const [index, name] of columns.entries()) if (cells[index] !== undefined) sources.delete(name);
  const rest = [...sources].map(([name, source]) => `${JSON.stringify(name)}:${compact(source)}`);
  return csvLine([
    lead.leadId,
    lead.receivedAt,
    lead.surface,
    String(lead.score),
    gradeOf(lead) ?? '',
    String(lead.clean),
    state,
    ...cells.map((cell) => cell ?? ''),
    rest.length > 0 ? neutralizeJson(`{${rest.join(',')}}`) : '',
  ]);
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
  const { leadId: _leadId, state: _state, ...findings } = enrichment ?? {};
  const grade = gradeOf(lead);
  const head = JSON.stringify({
    submission_id: lead.leadId,
    received_at: lead.receivedAt,
    surface: lead.surface,
    score: lead.score,
    ...(grade !== undefined && { grade }),
    clean: lead.clean,
    enrichment: { state, ...findings },
  });
  const body = isJsonObject(lead.body) ? lead.body.replace(/[\r\n]/g, ' ') : 'null';
  return `${head.slice(0, -1)},"body":${body}}\n`;
}
