/** What a key does in the list of leads, as the dialog lists it. */
export const KEYS = {
  j: 'Next lead',
  k: 'Previous lead',
  Enter: 'Open the lead',
  s: 'Mark as spam',
  g: 'Mark as not spam (good)',
  h: 'Mark as handled, or as to do again',
  u: 'Undo the last change',
  '/': 'Search',
  '?': 'Show these shortcuts',
} as const;

export type Key = keyof typeof KEYS;

interface PressedKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
  readonly defaultPrevented: boolean;
}

/** The part of an element that is used here. */
interface Within {
  closest(selectors: string): unknown;
}

/** These use keys themselves. A link opens itself with Enter. */
const TYPING =
  'textarea, select, [contenteditable], input:not([type="checkbox"]), ' +
  ['dialog', 'menu', 'listbox', 'combobox', 'application'].map((role) => `[role="${role}"]`).join(', ');
const HAS_ENTER = 'a, button, input, [role="button"]';

/** The shortcut that was pressed, unless the key belongs to what has the focus. */
export function shortcutOf(pressed: PressedKey, target: Within | null): Key | undefined {
  if (pressed.altKey || pressed.ctrlKey || pressed.metaKey || pressed.defaultPrevented) return undefined;
  const { key } = pressed;
  if (!Object.hasOwn(KEYS, key) || target?.closest(TYPING)) return undefined;
  // Held down, only moving makes sense.
  if (pressed.repeat && key !== 'j' && key !== 'k') return undefined;
  if (key === 'Enter' && target?.closest(HAS_ENTER)) return undefined;
  return key as Key;
}

/** The lead that a step leads to. Without a current one, the first. */
export function stepFrom(
  ids: readonly string[],
  current: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current);
  if (at < 0) return ids[0];
  return ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
}

const STORE_KEY = 'lead-ingest.shortcuts';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Single letters interfere with speech input, so they can be turned off (WCAG 2.1.4). */
export const areShortcutsOn = (store: Pick<Store, 'getItem'>) => store.getItem(STORE_KEY) !== 'off';

export function turnShortcuts(store: Store, on: boolean): void {
  store.setItem(STORE_KEY, on ? 'on' : 'off');
}
