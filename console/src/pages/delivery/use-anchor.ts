import { useEffect } from 'react';

/** The part of the page that the address names is there only after it was read, too late for the browser. */
export function useAnchor(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, []);
}
