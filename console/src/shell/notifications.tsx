import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';

type Notify = (type: 'success' | 'error' | 'info', message: ReactNode) => void;

const NotifyContext = createContext<Notify>(() => undefined);
const ShownContext = createContext<readonly FlashbarProps.MessageDefinition[]>([]);

/** Tells what came of an action, above whatever page is open. */
export function useNotify(): Notify {
  return use(NotifyContext);
}

const MOST_SHOWN = 3;

export function Notifications({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly FlashbarProps.MessageDefinition[]>([]);
  const dismiss = useCallback((id: string) => setShown((now) => now.filter((item) => item.id !== id)), []);
  const notify = useCallback<Notify>(
    (type, content) => {
      const id = crypto.randomUUID();
      const item = {
        id,
        type,
        content,
        dismissible: true,
        dismissLabel: 'Dismiss',
        onDismiss: () => dismiss(id),
      };
      setShown((now) => [item, ...now].slice(0, MOST_SHOWN));
    },
    [dismiss],
  );
  return (
    <NotifyContext value={notify}>
      <ShownContext value={shown}>{children}</ShownContext>
    </NotifyContext>
  );
}

export function ShownNotifications() {
  return <Flashbar items={[...use(ShownContext)]} />;
}
