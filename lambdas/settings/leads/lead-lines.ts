import type { Enrichment, EnrichmentState } from '../../enrichment/enrichment-item.ts';
import type { Lead } from '../../submission/lead-item.ts';
import { cellOf, isJsonObject, topLevelSources } from './lead-columns.ts';
import { gradeOf } from './lead-row.ts';

/** Excel takes a file for UTF-8 only when it begins with this. Once for each file: on the first page of an export. */
export const BYTE_ORDER_MARK = '\u{feff}';

/**
 * Invisible characters, then the first that shows. Spreadsheets skip white space before they look for a formula, and
 * some skip what cannot be seen at all.
 */
const FIRST_VISIBLE = /^[\s\p{C}\p{Z}]*([^\s\p{C}\p{Z}])/u;
/** After a separator inside a cell, quotes go as well: a spreadsheet that splits there reads `""=1` as `=1`. */
const FIRST_VISIBLE_UNQUOTED = /^["\s\p{C}\p{Z}]*([^"\s\p{C}\p{Z}])/u;
/** JSON's own grammar of numbers, which no spreadsheet takes for a formula. A leading plus is not part of it. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * E.164 with its digits together or grouped by spaces. Without an operator there is nothing to calculate. Hyphens,
 * dots and parentheses are left out, since `+49-30-123456` is a subtraction to Excel.
 */
const PHONE_NUMBER = /^\+\d(?: ?\d){6,14}$/;
const CONTROL_FIRST = /^[\t\r\n]/;
/** Where a spreadsheet may begin a new cell inside a cell of ours: Excel ignores our quotes where `;` separates. */
const SEPARATOR = /([;\t\r\n])/;

/**
 * A cell that a spreadsheet might run as a formula gets an apostrophe in front, and so does each part of it after a
 * semicolon, tab or line break. Plain numbers such as -5 and phone numbers such as +49 30 1234567 stay as they are.
 */
export function neutralize(cell: string): string {
  if (PLAIN_NUMBER.test(cell) || PHONE_NUMBER.test(cell)) return cell;
  const [first = '', ...rest] = cell.split(SEPARATOR);
  const start = CONTROL_FIRST.test(cell) || beginsFormula(FIRST_VISIBLE, first) ? `'${first}` : first;
  return (
    start + rest.map((part) => (beginsFormula(FIRST_VISIBLE_UNQUOTED, part) ? `'${part}` : part)).join('')
  );
}

/**
 * NFKC folds the full-width, small and raised forms of the signs into the plain ones, as spreadsheets of East Asian
 * locales do.
 */
function beginsFormula(firstVisible: RegExp, text: string): boolean {
  const first = firstVisible.exec(text)?.[1]?.normalize('NFKC') ?? '';
  return /^[=+\-@]/.test(first);
}

/** JSON that neutralize() leaves alone, with the same value: `;` occurs only inside its strings, where it can be escaped. */
export function neutralizeJson(json: string): string {
  return neutralize(json) === json ? json : json.replaceAll(';', '\\u003b');
}

/** One record of RFC 4180, with its line end. Semicolons and tabs are quoted too: some locales separate by them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string): string {
  const safe = neutralize(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
