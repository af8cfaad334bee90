import { createContext, type RefObject, use, useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';

export const CONTENT_ID = 'content';

/** Focuses the h1, so screen readers announce it and Tab continues from there. */
function focusPage(options?: FocusOptions): void {
  const content = document.getElementById(CONTENT_ID);
  const target = content?.querySelector('h1') ?? content;
  if (!target) return;
  target.tabIndex = -1;
  target.focus(options);
}

/** The first Tab stop, which skips the top bar and navigation. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // Keeps the URL, whose hash belongs to the page.
        event.preventDefault();
        focusPage();
      }}
    >
      Skip to main content
    </a>
  );
}

/** The path the console was opened with, until the first page is shown. */
export const LandingPath = createContext<RefObject<string | undefined>>({ current: undefined });

/**
 * Moves the focus to a new page, so screen readers announce it. On the first page the browser decides.
 */
export function useArrival(): void {
  const landing = use(LandingPath);
  useEffect(() => {
    const isFirst = landing.current === location.pathname;
    landing.current = undefined;
    // The browser or an anchor decides the scroll position.
    if (!isFirst && !isTaken(document.activeElement)) focusPage({ preventScroll: true });
  }, [landing]);
}

/** A dialog or field that opens with the page takes the focus itself. */
const isTaken = (active: Element | null) => active?.closest(`#${CONTENT_ID}, [role="dialog"]`) != null;

/** wouter's navigation events. On back and forward the browser restores the scroll position. */
const GONE_TO = ['pushState', 'replaceState'];

/** Scrolls to the top on navigation. */
export function useScrollToTop(): void {
  const path = usePathname();
  useEffect(() => {
    const toTop = () => {
      if (location.pathname !== path) scrollTo(0, 0);
    };
    for (const event of GONE_TO) addEventListener(event, toTop);
    return () => {
      for (const event of GONE_TO) removeEventListener(event, toTop);
    };
  }, [path]);
}
