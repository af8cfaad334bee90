import { createContext, type RefObject, use, useEffect } from 'react';
import { CONTENT_ID, focusPage } from './focus-page.ts';

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
