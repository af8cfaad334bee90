import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { TimeOfDay } from '../shared/moment.tsx';
import { hasFailed, isStale, staleSince } from './freshness.ts';

const RETRY_MS = 15_000;

/** Says if shown data is stale or missing because requests fail, with one retry for the whole page. */
export function PageState() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const since = useSyncExternalStore(
    // Batched, since queries are also created while components render.
    useCallback((onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => staleSince(cache.findAll({ type: 'active' }).map(({ state }) => state)),
  );
  const retry = useCallback(
    (which: (state: Query['state']) => boolean) =>
      void queries.refetchQueries(
        { type: 'active', predicate: ({ state }) => which(state) },
        { cancelRefetch: false },
      ),
    [queries],
  );
  // Not those without data: their panels would flicker between the error and loading.
  useEffect(() => {
    if (!since) return undefined;
    const timer = setInterval(() => document.hidden || retry(isStale), RETRY_MS);
    return () => clearInterval(timer);
  }, [since, retry]);
  return (
    <div role="status">
      {since !== undefined && (
        <>
          <StatusIndicator type="warning">
            {since > 0 ? (
              <>
                Last updated <TimeOfDay at={new Date(since).toISOString()} />, retrying
              </>
            ) : (
              'Some data couldn’t be loaded'
            )}
          </StatusIndicator>{' '}
          <Button variant="inline-link" onClick={() => retry(hasFailed)}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
