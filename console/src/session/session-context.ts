import { createContext, use } from 'react';
import type { Config } from './config.ts';
import type { Session } from './session.ts';
import type { User } from './tokens.ts';

export interface SignedInSession {
  readonly session: Session;
  readonly config: Config;
  readonly user: User;
}

export const SessionContext = createContext<SignedInSession | undefined>(undefined);

export function useSession(): SignedInSession {
  const session = use(SessionContext);
  if (!session) throw new Error('Not signed in.');
  return session;
}
