import { useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';

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
