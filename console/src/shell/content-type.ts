/** Pages that are a table: a wide screen shows more of its columns. Lines of text would only get too long to read. */
const TABLES = [/^\/leads$/, /^\/forms$/, /^\/forms\/[^/]+\/leads$/, /^\/tokens$/, /^\/tokens\/diagnostics$/];

/** What Cloudscape's layout sets the width of a page by. */
export function contentType(path: string): 'table' | 'default' {
  return TABLES.some((table) => table.test(path)) ? 'table' : 'default';
}
