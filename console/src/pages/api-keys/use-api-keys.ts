import { useChange, useRead } from '../../api/queries.ts';
import type { ApiKey, MadeApiKey, Operations } from '../../api/schema.ts';
import { useNewSecrets } from '../../shared/revocable-secrets.tsx';

export type { ApiKey, MadeApiKey };

const KEYS_PATH = '/settings/api-keys';

export const useApiKeys = (enabled: boolean) =>
  useRead<Operations['listApiKeys']['response']>(KEYS_PATH, {}, { enabled });

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

export const useNewKeys = () => useNewSecrets<MadeApiKey>('api-keys', ({ keyId }) => keyId);
