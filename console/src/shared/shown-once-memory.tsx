import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';

interface Memory {
  readonly kept: ReadonlyMap<string, unknown>;
  /** Returning undefined removes the value. */
  readonly change: (name: string, change: (value: unknown) => unknown) => void;
}

const MemoryContext = createContext<Memory>({ kept: new Map(), change: () => undefined });

/** Keeps once-shown secrets in memory while the owner navigates. */
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
  /** Created on this page, not before navigating back to it. */
  readonly isNew: boolean;
  readonly show: (value: T) => void;
  readonly putAway: () => void;
  /** For several values under one name. The update gets the current value, not the rendered one. */
  readonly showWith: (kept: (value: T | undefined) => T) => void;
  readonly leave: (kept: (value: T | undefined) => T | undefined) => void;
}

/** A once-shown value by name. */
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

/** Whether a once-shown secret is unconfirmed. */
export function useIsShownOnce(): boolean {
  return use(MemoryContext).kept.size > 0;
}

/** A reload or closed tab clears the memory, so the browser asks first. */
function useAskBeforeUnload(isKept: boolean): void {
  useEffect(() => {
    if (!isKept) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isKept]);
}
