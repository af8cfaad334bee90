import { useChange, useRead } from '../../api/queries.ts';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';

export interface ApiKey {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdById?: string;
  /** Exact to ten minutes. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
}

export type MadeKey = ApiKey & { readonly apiKey: string };

const KEYS_PATH = '/settings/api-keys';

export const useApiKeys = (enabled: boolean) =>
  useRead<{ readonly apiKeys: readonly ApiKey[] }>(KEYS_PATH, {}, { enabled });

export const useCreateKey = () =>
  useChange<{ readonly name: string; readonly scopes: readonly string[] }, MadeKey>((body) => ({
    method: 'POST',
    path: KEYS_PATH,
    body,
  }));

export const useRevokeKey = () =>
  useChange<string, unknown>((keyId) => ({
    method: 'DELETE',
    path: `${KEYS_PATH}/${encodeURIComponent(keyId)}`,
  }));

/** New keys that the owner hasn't confirmed yet, newest first. */
export function useNewKeys() {
  const { value = [], isNew, showWith, leave } = useShownOnce<readonly MadeKey[]>('api-keys');
  return {
    keys: value,
    isNew,
    show: (made: MadeKey) => showWith((shown = []) => [made, ...shown]),
    putAway: (keyId: string) =>
      leave((shown = []) => {
        const left = shown.filter((key) => key.keyId !== keyId);
        return left.length === 0 ? undefined : left;
      }),
  };
}
