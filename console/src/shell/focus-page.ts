/** What the shell shows of a page: all of it, without the bar and the navigation. */
export const CONTENT_ID = 'content';

/** To the page's name: a screen reader says it, and Tab goes on from there. A page that broke has none. */
export function focusPage(options?: FocusOptions): void {
  const content = document.getElementById(CONTENT_ID);
  const target = content?.querySelector('h1') ?? content;
  if (!target) return;
  target.tabIndex = -1;
  target.focus(options);
}
