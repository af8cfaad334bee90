import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Client, Query } from './client.ts';
import { ApiProblem } from './problem.ts';
import type { Operations } from './schema.ts';
import type { Delivery, Form, ListedForm, Request, Workspace } from './types.ts';

const MAX_RETRIES = 2;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Retry only transient errors.
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
      },
    },
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);
}

export const ApiContext = createContext<Client | undefined>(undefined);

export function useClient(): Client {
  const client = use(ApiContext);
  if (!client) throw new Error('Not signed in.');
  return client;
}

/** Fetches a path of the settings API, cached by path and query. */
export function useRead<T>(path: string, query: Query = {}, options: ReadOptions = {}) {
  const client = useClient();
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => client.get<T>(path, query, signal),
    ...options,
  });
}

interface ReadOptions {
  readonly enabled?: boolean;
  /** Milliseconds between refetches. */
  readonly refetchInterval?: number;
}

/** Sends a change and refetches everything shown, since one change can affect many places. */
export function useChange<Id extends keyof Operations, Input = Request<Id>>(
  makeRequest: (input: Input) => {
    method: 'PUT' | 'POST' | 'PATCH' | 'DELETE';
    path: string;
    body?: Request<Id>;
  },
) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => {
      const { method, path, body } = makeRequest(input);
      return client.change<Operations[Id]['response']>(method, path, body);
    },
    // Not awaited: the caller's component may unmount before the refetch ends.
    onSuccess: () => {
      void queries.invalidateQueries();
    },
  });
}

export const useWorkspace = (options?: ReadOptions) => useRead<Workspace>('/settings/workspace', {}, options);

export const useForms = () => useRead<{ forms: ListedForm[] }>('/settings/forms');

export const useArchivedForms = (options?: ReadOptions) =>
  useRead<{ forms: ListedForm[] }>('/settings/forms', { archived: true }, options);

export const useForm = (formId: string) => useRead<Form>(`/settings/forms/${encodeURIComponent(formId)}`);

/** The forms, plus the archived ones if an ID is not among the forms. */
export function useNamedForms(
  forms: readonly ListedForm[] | undefined,
  formIds: readonly string[],
): readonly ListedForm[] {
  const listed = new Set(forms?.map(({ formId }) => formId));
  const enabled = forms !== undefined && formIds.some((formId) => !listed.has(formId));
  const archived = useArchivedForms({ enabled });
  return [...(forms ?? []), ...((enabled && archived.data?.forms) || [])];
}

export function useChangeForm(formId: string) {
  return useChange<'changeForm'>((body) => ({
    method: 'PATCH',
    path: `/settings/forms/${encodeURIComponent(formId)}`,
    body,
  }));
}

const REFRESH_MS = 30_000;

export function deliveryPath(formId: string): string {
  return `/settings/forms/${encodeURIComponent(formId)}/delivery`;
}

/** Refetched while open, since it shows whether the previous secret is still in use. */
export function useDelivery(formId: string, refetchInterval = REFRESH_MS) {
  return useRead<Delivery>(deliveryPath(formId), {}, { refetchInterval });
}
