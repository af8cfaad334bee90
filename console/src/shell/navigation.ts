/** The active navigation item of a path. */
export function activeItem(path: string): string {
  if (/^\/forms\/[^/]+\/leads|^\/senders$/.test(path)) return '/leads';
  const [, first = ''] = path.split('/');
  return `/${first}`;
}

/** Pages that are a table use the full width. */
const TABLES = /^\/(leads|senders|forms|tokens|diagnostics|destinations|alerts|team|api-keys|activity)$/;

/** Cloudscape's page width. */
export function contentType(path: string): 'table' | 'default' {
  return TABLES.test(path) ? 'table' : 'default';
}

interface Above {
  readonly text: string;
}

/**
 * The tab's title: the page, then the pages above it that its title doesn't name. The topmost is omitted, since it
 * is the same for many tabs.
 */
export function tabTitle(title: string, above: readonly Above[]): string {
  const owners = above
    .slice(1)
    .map(({ text }) => text)
    .filter((text) => !title.includes(text))
    .reverse();
  return [title, ...owners, 'Lead ingest'].join(' · ');
}
