import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem.ts';

const MOST_RETRIES = 2;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What the service has refused it refuses again; only what did not come through is worth asking twice.
        retry: (failures, error) => failures < MOST_RETRIES && isPassing(error),
      },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
}
