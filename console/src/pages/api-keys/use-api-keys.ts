import { useChange, useRead } from '../../api/queries.ts';
import { useNewSecrets } from '../../shared/revocable-secrets.tsx';

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
  useChange<'createApiKey'>((body) => ({
    method: 'POST',
    path: KEYS_PATH,
    body,
  }));

export const useRevokeKey = () =>
  useChange<'revokeApiKey', string>((keyId) => ({
    method: 'DELETE',
    path: `${KEYS_PATH}/${encodeURIComponent(keyId)}`,
  }));

export const useNewKeys = () => useNewSecrets<MadeKey>('api-keys', ({ keyId }) => keyId);
