import { createContext, type RefObject, use, useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';

/** What the shell shows of a page: all of it, without the bar and the navigation. */
export const CONTENT_ID = 'content';

/** To the page's name: a screen reader says it, and Tab goes on from there. A page that broke has none. */
function focusPage(options?: FocusOptions): void {
  const content = document.getElementById(CONTENT_ID);
  const target = content?.querySelector('h1') ?? content;
  if (!target) return;
  target.tabIndex = -1;
  target.focus(options);
}

/** The first Tab stop: past the bar and the navigation, which are the same on every page. */
export function SkipLink() {
  return (
    <a
      className="skip-link"
      href={`#${CONTENT_ID}`}
      onClick={(event) => {
        // The address stays that of the page: what it names after # is the page's own.
        event.preventDefault();
        focusPage();
      }}
    >
      Skip to main content
    </a>
  );
}

/** The path with which the console was opened, until a page is shown. */
export const LandingPath = createContext<RefObject<string | undefined>>({ current: undefined });

/**
 * Where another page has taken the place of the one before, the focus would be on nothing or stay in the
 * navigation, and nobody who does not see it would know. The first page leaves it to the browser.
 */
export function useArrival(): void {
  const landing = use(LandingPath);
  useEffect(() => {
    const isFirst = landing.current === location.pathname;
    landing.current = undefined;
    // Where the page is scrolled to is the browser's, on the way back, or that of an anchor in the address.
    if (!isFirst && !isTaken(document.activeElement)) focusPage({ preventScroll: true });
  }, [landing]);
}

/** A dialog that opens with the page, or a field in it, wants the focus itself. */
const isTaken = (active: Element | null) => active?.closest(`#${CONTENT_ID}, [role="dialog"]`) != null;

/** As wouter calls them. Back and forward are neither: there the browser knows where the page was scrolled to. */
const GONE_TO = ['pushState', 'replaceState'];

/** A page that is gone to begins at its top, however far the one before was scrolled. */
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
