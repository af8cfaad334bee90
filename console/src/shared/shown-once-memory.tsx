import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

interface Memory {
  readonly kept: ReadonlyMap<string, unknown>;
  /** Undefined for nothing more. */
  readonly change: (name: string, change: (value: unknown) => unknown) => void;
}

const MemoryContext = createContext<Memory>({ kept: new Map(), change: () => undefined });

/** Keeps what can be shown only once while its owner goes from page to page. In memory alone, and gone with it. */
export function ShownOnceMemory({ children }: { readonly children: ReactNode }) {
  const [kept, setKept] = useState<Memory['kept']>(new Map());
  const change = useCallback<Memory['change']>(
    (name, changed) =>
      setKept((now) => {
        const others = [...now].filter(([other]) => other !== name);
        const value = changed(now.get(name));
        return new Map(value === undefined ? others : [...others, [name, value]]);
      }),
    [],
  );
  useAskBeforeUnload(kept.size > 0);
  const memory = useMemo(() => ({ kept, change }), [kept, change]);
  return <MemoryContext value={memory}>{children}</MemoryContext>;
}

export interface KeptOnce<T> {
  readonly value: T | undefined;
  /** It was made on the page that shows it, and not before the owner came back to it. */
  readonly isNew: boolean;
  readonly show: (value: T) => void;
  readonly putAway: () => void;
  /** For several under one name. From what is kept now: that may be more than when the page was drawn. */
  readonly showWith: (kept: (value: T | undefined) => T) => void;
  readonly leave: (kept: (value: T | undefined) => T | undefined) => void;
}

/** What is kept under a name until its owner has stored it. */
export function useShownOnce<T>(name: string): KeptOnce<T> {
  const { kept, change } = use(MemoryContext);
  const [isNew, setIsNew] = useState(false);
  const leave: KeptOnce<T>['leave'] = (left) => change(name, (value) => left(value as T | undefined));
  const showWith: KeptOnce<T>['showWith'] = (more) => {
    setIsNew(true);
    leave(more);
  };
  return {
    value: kept.get(name) as T | undefined,
    isNew,
    show: (value) => showWith(() => value),
    putAway: () => leave(() => undefined),
    showWith,
    leave,
  };
}

/** Whether something would be lost that nobody can show again. */
export function useIsShownOnce(): boolean {
  return use(MemoryContext).kept.size > 0;
}

/** A reload or a closed tab empties the memory: the browser asks first. */
function useAskBeforeUnload(isKept: boolean): void {
  useEffect(() => {
    if (!isKept) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isKept]);
}
