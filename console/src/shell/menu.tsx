import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** A button that opens a menu. Arrow keys move in it; Escape, Tab and a click elsewhere close it. */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Tab') menu.current?.hidePopover();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all.at((at + step) % all.length)?.focus();
  };
  return (
    <div className="menu">
      <button
        type="button"
        className="bar-button menu-button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <span className="menu-label">{label}</span> <span aria-hidden="true">▾</span>
      </button>
      {/* The browser closes it with Escape and with a click elsewhere, and gives the focus back. */}
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu-items"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={move}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setIsOpen(opened);
          if (opened) items()[0]?.focus();
        }}
        onClick={() => menu.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  );
}

interface MenuItemProps {
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ onChoose, children }: MenuItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onChoose}>
      {children}
    </button>
  );
}
