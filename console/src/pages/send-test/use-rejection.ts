import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/context.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { RejectionEvent } from '../../api/types.ts';

/** Diagnostics is read through an index that is a moment behind. */
const MOST_TRIES = 6;
const PAUSE_MS = 800;

export function useRejection(requestId: string | undefined) {
  const client = useClient();
  const path = `/settings/diagnostics/requests/${encodeURIComponent(requestId ?? '')}`;
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => client.get<RejectionEvent>(path, {}, signal),
    enabled: requestId !== undefined,
    retry: (failures, error) =>
      failures < MOST_TRIES && error instanceof ApiProblem && (error.status === 404 || error.status === 0),
    retryDelay: PAUSE_MS,
  });
}
