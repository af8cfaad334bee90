import '@cloudscape-design/global-styles/index.css';
import './shell/page.css';
import './pages/leads/inbox/inbox.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Client } from './api/client.ts';
import { ApiContext, makeQueryClient } from './api/queries.ts';
import { Pages } from './pages.tsx';
import { SessionContext, type SignedInSession } from './session/session-context.ts';
import { ShownOnceMemory } from './shared/shown-once-memory.tsx';
import { Translations } from './shared/translations.tsx';
import { Notifications } from './shell/notifications.tsx';
import { Shell } from './shell/shell.tsx';

const SignInAgain = lazy(() => import('./session/sign-in-again.tsx'));

interface AppProps extends SignedInSession {
  readonly client: Client;
  readonly expired: boolean;
}

/** The console of one signed-in owner. Unmounting clears all cached data, so the next owner starts fresh. */
export default function App({ session, client, config, user, expired }: AppProps) {
  const [queries] = useState(makeQueryClient);
  const signedIn = useMemo(() => ({ session, config, user }), [session, config, user]);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <Translations>
      <SessionContext value={signedIn}>
        <ApiContext value={client}>
          <QueryClientProvider client={queries}>
            <Notifications>
              <ShownOnceMemory>
                <Shell
                  email={user.email}
                  stage={config.stage}
                  version={config.version}
                  onSignOut={() => void session.end()}
                >
                  <Pages />
                </Shell>
                <Suspense>{expired && <SignInAgain />}</Suspense>
              </ShownOnceMemory>
            </Notifications>
          </QueryClientProvider>
        </ApiContext>
      </SessionContext>
    </Translations>
  );
}
