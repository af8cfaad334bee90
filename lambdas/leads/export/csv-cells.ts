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
 * An international number of 7 to 15 digits, as E.164 has them. Signs other than the first `+` group the digits: with
 * no letter, no function and no second plus, a spreadsheet can call nothing. At worst it subtracts.
 */
const PHONE_NUMBER = /^\+(?=[\d (][\d ()./-]*$)(?:\D*\d){7,15}\D*$/;
const CONTROL_FIRST = /^[\t\r\n]/;
/** Where a spreadsheet may begin a new cell inside a cell of ours: Excel ignores our quotes where `;` separates. */
const SEPARATOR = /([;\t\r\n])/;

/**
 * A cell that a spreadsheet might run as a formula gets an apostrophe in front, and so does each part of it after a
 * semicolon, tab or line break. Plain numbers such as -5 and phone numbers such as +49 (30) 123-4567 stay as they are.
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
