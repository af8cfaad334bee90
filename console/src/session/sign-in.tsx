import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useState } from 'react';
import { ResetPassword } from './reset-password.tsx';
import type { Session, SignInStep } from './session.ts';
import { EnterCode, EnterPassword, NewPassword } from './sign-in-steps.tsx';

interface SignInProps {
  readonly session: Session;
  readonly expired: boolean;
  readonly onDone: (email: string) => void;
}

type Screen = Exclude<SignInStep, 'done'> | 'password' | 'reset';

/** Sign-in: the password, then whatever Cognito asks for. */
export function SignIn({ session, expired, onDone }: SignInProps) {
  const [screen, setScreen] = useState<Screen>('password');
  const [email, setEmail] = useState('');
  const [notice, setNotice] = useState<string | undefined>(
    expired ? 'Your session has expired. Sign in to continue.' : undefined,
  );
  const goOn = (step: SignInStep, as = email) => (step === 'done' ? onDone(as) : setScreen(step));
  const startOver = (message?: string) => {
    setNotice(message);
    setScreen('password');
  };

  return (
    <SignInFrame>
      {notice !== undefined && screen === 'password' && <Alert type="info">{notice}</Alert>}
      {screen === 'password' && (
        <EnterPassword
          email={email}
          onEmail={setEmail}
          onForgotten={() => setScreen('reset')}
          onSubmit={async (as, password) => goOn(await session.start(as, password), as)}
        />
      )}
      {screen === 'new-password' && (
        <NewPassword onSubmit={async (password) => goOn(await session.answer(password))} onBack={startOver} />
      )}
      {screen === 'code' && (
        <EnterCode onSubmit={async (code) => goOn(await session.answer(code))} onBack={startOver} />
      )}
      {screen === 'reset' && (
        <ResetPassword
          email={email}
          session={session}
          onDone={(as) => {
            setEmail(as);
            startOver('Password changed. Sign in with your new password.');
          }}
          onBack={startOver}
        />
      )}
    </SignInFrame>
  );
}

function SignInFrame({ children }: { readonly children: ReactNode }) {
  useEffect(() => {
    document.title = 'Sign in · Lead ingest';
  }, []);
  return (
    <main className="sign-in">
      <SpaceBetween size="l">
        <div className="sign-in-brand">
          <img src="/favicon.svg" alt="" width="40" height="40" />
          <Box variant="h1">Lead ingest</Box>
        </div>
        {children}
      </SpaceBetween>
    </main>
  );
}
