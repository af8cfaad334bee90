import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { type NoticeType, noticesFor, withNotice } from './shell-rules.ts';

interface NoticeAction {
  readonly text: string;
  /** The notice is closed first. */
  readonly onClick: () => void;
}

interface NoticeOptions {
  readonly actions?: readonly NoticeAction[];
  /** Replaces the notice about the same. */
  readonly subject?: string;
}

type Notify = (type: NoticeType, message: ReactNode, options?: NoticeOptions) => void;

interface Notification extends NoticeOptions {
  readonly id: string;
  readonly type: NoticeType;
  readonly content: ReactNode;
  readonly path: string;
}

interface Shown {
  readonly items: readonly Notification[];
  readonly dismiss: (id: string) => void;
}

const NotifyContext = createContext<Notify>(() => undefined);
const ShownContext = createContext<Shown>({ items: [], dismiss: () => undefined });

/** Shows the result of an action above the current page. */
export function useNotify(): Notify {
  return use(NotifyContext);
}

export function Notifications({ children }: { readonly children: ReactNode }) {
  const path = usePathname();
  const [items, setItems] = useState<readonly Notification[]>([]);
  const dismiss = useCallback((id: string) => setItems((now) => now.filter((item) => item.id !== id)), []);
  const notify = useCallback<Notify>((type, content, options) => {
    // Deferred, since an action may notify and then navigate to the page that should show it.
    queueMicrotask(() => {
      const item = { id: crypto.randomUUID(), type, content, path: location.pathname, ...options };
      setItems((now) => withNotice(now, item));
    });
  }, []);
  useEffect(() => setItems((now) => noticesFor(now, path)), [path]);
  return (
    <NotifyContext value={notify}>
      <ShownContext value={{ items, dismiss }}>{children}</ShownContext>
    </NotifyContext>
  );
}

/** Always there, so that screen readers announce what is added. */
export function ShownNotifications() {
  const { items, dismiss } = use(ShownContext);
  return (
    <section className="notices" aria-label="Notifications" aria-live="polite">
      {items.map(({ id, type, content, actions = [] }) => (
        <Alert
          key={id}
          type={type}
          dismissible
          dismissAriaLabel="Dismiss"
          onDismiss={() => dismiss(id)}
          action={
            actions.length > 0 && (
              <SpaceBetween direction="horizontal" size="xs">
                {actions.map(({ text, onClick }) => (
                  <Button
                    key={text}
                    onClick={() => {
                      dismiss(id);
                      onClick();
                    }}
                  >
                    {text}
                  </Button>
                ))}
              </SpaceBetween>
            )
          }
        >
          {content}
        </Alert>
      ))}
    </section>
  );
}
