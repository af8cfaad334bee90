import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { makeClient } from './api/client.ts';
import { ApiContext, makeQueryClient } from './api/queries.ts';
import { Pages } from './pages.tsx';
import type { Session } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
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

/** Unmounting clears all cached data, so the next owner to sign in starts fresh. */
function SignedIn({ session, email, stage, onExpired, onSignOut }: SignedInProps) {
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

interface AppProps {
  readonly session: Session;
  readonly stage: string;
}

/** The URL stays unchanged during sign-in, so deep links work. */
export function App({ session, stage }: AppProps) {
  const [signedIn, setSignedIn] = useState<{ email: string }>();
  const [ended, setEnded] = useState(false);
  const over = useMemo(
    () => ({
      expired: () => {
        setSignedIn(undefined);
        setEnded(true);
      },
      asked: () => {
        setSignedIn(undefined);
        setEnded(false);
        // Offline, the token can't be revoked, but it is forgotten here.
        session.end().catch(() => undefined);
      },
    }),
    [session],
  );
  return (
    <I18nProvider locale="en" messages={[messages]}>
      {signedIn ? (
        <SignedIn
          session={session}
          email={signedIn.email}
          stage={stage}
          onExpired={over.expired}
          onSignOut={over.asked}
        />
      ) : (
        <SignIn session={session} expired={ended} onDone={(email) => setSignedIn({ email })} />
      )}
    </I18nProvider>
  );
}
