import { type MouseEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { AlertsBadge } from './alerts-badge.tsx';
import { activeItem } from './shell-rules.ts';

type Item = readonly [text: string, href: string];

/** In groups, with a line between them. */
const ITEMS: readonly (readonly Item[])[] = [
  [
    ['Overview', '/'],
    ['Leads', '/leads'],
    ['Forms', '/forms'],
    ['Ingest tokens', '/tokens'],
    ['Diagnostics', '/diagnostics'],
    ['Destinations', '/destinations'],
    ['Alerts', '/alerts'],
    ['Send test', '/send-test'],
  ],
  [
    ['Team', '/team'],
    ['API keys', '/api-keys'],
    ['Activity', '/activity'],
  ],
];

/** There is room for it beside the page. */
export const WIDE = '(min-width: 1000px)';

const REFERENCE = '/api-reference/ingest.html';

/** Beside the page on a wide screen; on a phone it covers the page until a link or the page is chosen. */
export function Navigation({ onClose }: { readonly onClose: () => void }) {
  const covers = !useMedia(WIDE);
  const links = <Links onChosen={covers ? onClose : undefined} />;
  return covers ? <Cover onClose={onClose}>{links}</Cover> : <div className="beside">{links}</div>;
}

function Links({ onChosen }: { readonly onChosen: (() => void) | undefined }) {
  const [path, go] = useLocation();
  const active = activeItem(path);
  const choose = (event: MouseEvent, href: string) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    onChosen?.();
    go(href);
  };
  return (
    <nav className="navigation" aria-label="Navigation">
      {ITEMS.map((group) => (
        <ul key={group[0]?.[0]}>
          {group.map(([text, href]) => (
            <li key={href}>
              <a
                href={href}
                aria-current={href === active ? 'page' : undefined}
                onClick={(event) => choose(event, href)}
              >
                {text}
              </a>
              {href === '/alerts' && <AlertsBadge />}
            </li>
          ))}
        </ul>
      ))}
      <ul>
        <li>
          <a href={REFERENCE} target="_blank" rel="noopener">
            API reference <span aria-hidden="true">↗</span>
            <span className="unseen-text"> (opens in a new tab)</span>
          </a>
        </li>
      </ul>
    </nav>
  );
}

/** With a key or another button, the browser opens a tab. */
export function opensElsewhere(event: MouseEvent): boolean {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

interface CoverProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus inside, and closes with Escape or a click beside it. */
function Cover({ onClose, children }: CoverProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape
    <dialog
      ref={dialog}
      className="cover"
      aria-label="Navigation"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <button type="button" className="bar-button" onClick={onClose}>
        Close navigation
      </button>
      {children}
    </dialog>
  );
}

/** Whether the window has this shape, also after it is resized or turned. */
export function useMedia(query: string): boolean {
  const [list] = useState(() => matchMedia(query));
  return useSyncExternalStore(
    (onChange) => {
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => list.matches,
  );
}
