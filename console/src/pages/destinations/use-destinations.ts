import { useCallback, useEffect, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { useChange, useRead } from '../../api/queries.ts';
import type { Destination, DestinationList, Message } from '../../api/types.ts';
import { useNotify } from '../../shell/notifications.tsx';
import { DESTINATIONS_PATH, destinationPath, messagePath } from './destinations.ts';

const REFRESH_MS = 30_000;
const WATCH_MS = 2_000;
const WATCHED_FOR_MS = 20_000;

/** Refetched while open, since health changes by itself. */
export const useDestinations = () =>
  useRead<DestinationList>(DESTINATIONS_PATH, {}, { refetchInterval: REFRESH_MS });

export const useDestination = (destinationId: string, refetchInterval = REFRESH_MS) =>
  useRead<Destination>(destinationPath(destinationId), {}, { refetchInterval });

export function useChangeDestination(destinationId: string) {
  return useChange<'changeDestination'>((body) => ({
    method: 'PATCH',
    path: destinationPath(destinationId),
    body,
  }));
}

/** Messages are sent in the background: after an action, refetch often for a while. */
export function useWatch() {
  const [startedAt, setStartedAt] = useState<number>();
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    const timer = setTimeout(() => setStartedAt(undefined), WATCHED_FOR_MS);
    return () => clearTimeout(timer);
  }, [startedAt]);
  const watch = useCallback(() => setStartedAt(Date.now()), []);
  return { watch, refetchInterval: startedAt === undefined ? REFRESH_MS : WATCH_MS };
}

/** Sends a message again, also if it was delivered. */
export function useReplay(onStarted: () => void) {
  const notify = useNotify();
  const replay = useChange<'replayMessage', Message>(({ messageId }) => ({
    method: 'POST',
    path: `${messagePath(messageId)}/replay`,
  }));
  return {
    isPending: replay.isPending,
    replay: (message: Message) =>
      replay.mutate(message, {
        onSuccess: () => {
          notify('success', 'The message is being sent again.');
          onStarted();
        },
        onError: (error) => notify('error', `Couldn’t replay the message. ${errorMessage(error)}`),
      }),
  };
}
