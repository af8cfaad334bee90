import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { makeClient } from './api/client.ts';
import { ApiContext } from './api/context.ts';
import { makeQueryClient } from './api/query-client.ts';
import { Pages } from './pages.tsx';
import type { Session } from './session/session.ts';
import { ShownOnceMemory } from './shared/shown-once-memory.tsx';
import { Notifications } from './shell/notifications.tsx';
import { Shell } from './shell/shell.tsx';

interface SignedInProps {
  readonly session: Session;
  readonly email: string;
  readonly stage: string;
  readonly onExpired: () => void;
  readonly onSignOut: () => void;
}

/** All that an owner has read goes with this component: the next one to sign in starts with nothing in memory. */
export function SignedIn({ session, email, stage, onExpired, onSignOut }: SignedInProps) {
  const [client] = useState(() => makeClient({ idToken: session.idToken, onSignedOut: onExpired }));
  const [queries] = useState(makeQueryClient);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <ApiContext value={client}>
      <QueryClientProvider client={queries}>
        <Notifications>
          <ShownOnceMemory>
            <Shell email={email} stage={stage} onSignOut={onSignOut}>
              <Pages email={email} />
            </Shell>
          </ShownOnceMemory>
        </Notifications>
      </QueryClientProvider>
    </ApiContext>
  );
}
