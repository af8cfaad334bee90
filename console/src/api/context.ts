import { createContext, use } from 'react';
import type { Client } from './client.ts';

export const ApiContext = createContext<Client | undefined>(undefined);

export function useClient(): Client {
  const client = use(ApiContext);
  if (!client) throw new Error('Only for those who are signed in.');
  return client;
}
