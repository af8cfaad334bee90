/** Which item of the navigation a path belongs to. */
export function activeItem(path: string): string {
  if (path.startsWith('/tokens/diagnostics')) return '/tokens/diagnostics';
  if (/^\/forms\/[^/]+\/leads/.test(path)) return '/leads';
  const [, first = ''] = path.split('/');
  return `/${first}`;
}

/** Pages that are a table: a wide screen shows more of its columns. Lines of text would only get too long to read. */
const TABLES = [/^\/leads$/, /^\/forms$/, /^\/forms\/[^/]+\/leads$/, /^\/tokens$/, /^\/tokens\/diagnostics$/];

/** What Cloudscape's layout sets the width of a page by. */
export function contentType(path: string): 'table' | 'default' {
  return TABLES.some((table) => table.test(path)) ? 'table' : 'default';
}

interface Above {
  readonly text: string;
}

/**
 * In the tab: the page, then whose page it is, where the title does not say that itself. The topmost page above
 * is a part of the console, which tells no tab from another.
 */
export function tabTitle(title: string, above: readonly Above[]): string {
  const owners = above
    .slice(1)
    .map(({ text }) => text)
    .filter((text) => !title.includes(text))
    .reverse();
  return [title, ...owners, 'Lead ingest'].join(' · ');
}
