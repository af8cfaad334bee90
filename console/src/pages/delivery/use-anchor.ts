import { useEffect } from 'react';

/** The part of the page that the address names is there only after it was read, too late for the browser. */
export function useAnchor(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    const part = id === '' ? null : document.getElementById(id);
    if (!part) return;
    part.scrollIntoView();
    // Else the next Tab would go on from the top of the page, and scroll back there.
    const name = part.querySelector<HTMLElement>('h2') ?? part;
    name.tabIndex = -1;
    name.focus({ preventScroll: true });
  }, []);
}
