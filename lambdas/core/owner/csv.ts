/**
 * Invisible characters, then the first that shows. Spreadsheets skip white space before they look for a formula, and
 * some skip what cannot be seen at all.
 */
const FIRST_VISIBLE = /^[\s\p{C}\p{Z}]*([^\s\p{C}\p{Z}])/u;
/** JSON's own grammar of numbers, which no spreadsheet takes for a formula. A leading plus is not part of it. */
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const CONTROL_FIRST = /^[\t\r\n]/;

/**
 * A cell that a spreadsheet might run as a formula gets an apostrophe in front. NFKC folds the full-width, small and
 * raised forms of the signs into the plain ones, as spreadsheets of East Asian locales do. Plain numbers such as -5
 * stay as they are. A phone number with its plus does not: no rule tells every `+49-30` from the formula `+1-2`.
 */
export function neutralise(cell: string): string {
  if (PLAIN_NUMBER.test(cell)) return cell;
  const first = FIRST_VISIBLE.exec(cell)?.[1]?.normalize('NFKC') ?? '';
  return CONTROL_FIRST.test(cell) || /^[=+\-@]/.test(first) ? `'${cell}` : cell;
}

/** One record of RFC 4180, with its line end. Semicolons and tabs are quoted too: some locales separate by them. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string): string {
  const safe = neutralise(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
