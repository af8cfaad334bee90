import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { useMemo, useState } from 'react';
import type { Session } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { SignedIn } from './signed-in.tsx';

interface AppProps {
  readonly session: Session;
  readonly stage: string;
}

/** The address stays as it is while somebody signs in: a deep link opens right after. */
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
        // Without the network the token cannot be revoked; it is forgotten here all the same.
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
