import { useEffect } from 'react';
import { areShortcutsOn, type Key, shortcutOf } from './inbox-keys.ts';

/** Calls with every shortcut that is pressed on the page. */
export function useInboxKeys(onKey: (key: Key) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = shortcutOf(event, event.target instanceof Element ? event.target : null);
      if (key === undefined || !areShortcutsOn(localStorage)) return;
      event.preventDefault();
      onKey(key);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}
