import { createContext, use } from 'react';
import type { Config } from './cognito.ts';
import type { Session, User } from './session.ts';

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
