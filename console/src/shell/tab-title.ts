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
