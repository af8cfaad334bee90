import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Confirm } from './dialogs.tsx';

interface AskBeforeLeavingProps {
  /** Names what isn't saved: "allowed origins". */
  readonly what: string;
}

/**
 * Rendered only while there are unsaved changes. Older browsers have no `navigation`: they ask only before a reload or a
 * closed tab.
 */
export function AskBeforeLeaving({ what }: AskBeforeLeavingProps) {
  const [wanted, setWanted] = useState<NavigateEvent>();
  const isLeaving = useRef(false);
  const [, go] = useLocation();
  useEffect(() => {
    const onNavigate = (event: NavigateEvent) => {
      const { origin, pathname } = new URL(event.destination.url);
      const stays = origin !== location.origin || pathname === location.pathname;
      if (stays || isLeaving.current || !event.cancelable) return;
      event.preventDefault();
      setWanted(event);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const navigation: Navigation | undefined = globalThis.navigation;
    navigation?.addEventListener('navigate', onNavigate);
    addEventListener('beforeunload', onUnload);
    return () => {
      navigation?.removeEventListener('navigate', onNavigate);
      removeEventListener('beforeunload', onUnload);
    };
  }, []);

  function leave({ navigationType, destination }: NavigateEvent) {
    isLeaving.current = true;
    if (navigationType === 'traverse') navigation.traverseTo(destination.key);
    else go(destination.url.slice(location.origin.length));
  }

  if (!wanted) return null;
  return (
    <Confirm
      title="Leave without saving?"
      confirm="Leave"
      busy={false}
      error={undefined}
      onConfirm={() => leave(wanted)}
      onCancel={() => setWanted(undefined)}
    >
      The {what} that you changed aren’t saved.
    </Confirm>
  );
}
