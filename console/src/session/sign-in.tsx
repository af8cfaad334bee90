import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useState } from 'react';
import { ResetPassword } from './reset-password.tsx';
import type { Session, SignInStep } from './session.ts';
import { NewPasswordFields, SignInForm, useNewPassword } from './sign-in-form.tsx';
import { readCode } from './sign-in-problems.ts';

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

interface EnterPasswordProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onForgotten: () => void;
  readonly onSubmit: (email: string, password: string) => Promise<void>;
}

function EnterPassword({ email, onEmail, onForgotten, onSubmit }: EnterPasswordProps) {
  const [password, setPassword] = useState('');
  const hasEmail = email.trim() !== '';
  const hasPassword = password !== '';
  return (
    <SignInForm
      title="Sign in"
      description="Manage your leads and settings."
      submit="Sign in"
      canSend={hasEmail && hasPassword}
      onSubmit={() => onSubmit(email.trim(), password)}
      secondary={{ label: 'Forgot your password?', onClick: onForgotten }}
    >
      {(asked) => (
        <SpaceBetween size="l">
          <FormField label="Email address" errorText={asked && !hasEmail && 'Enter your email address.'}>
            <Input
              value={email}
              onChange={({ detail }) => onEmail(detail.value)}
              type="email"
              name="username"
              autoComplete="username"
              autoFocus
            />
          </FormField>
          <FormField label="Password" errorText={asked && !hasPassword && 'Enter your password.'}>
            <Input
              value={password}
              onChange={({ detail }) => setPassword(detail.value)}
              type="password"
              name="password"
              autoComplete="current-password"
            />
          </FormField>
        </SpaceBetween>
      )}
    </SignInForm>
  );
}

interface EnterCodeProps {
  readonly onSubmit: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** The two-factor code, if turned on. */
function EnterCode({ onSubmit, onBack }: EnterCodeProps) {
  const [code, setCode] = useState('');
  const digits = readCode(code);
  return (
    <SignInForm
      title="Enter your code"
      description="Enter the code from your authenticator app."
      submit="Sign in"
      canSend={digits !== undefined}
      onSubmit={() => onSubmit(digits ?? '')}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      {(asked) => (
        <FormField label="Code" errorText={asked && digits === undefined && 'Enter the 6-digit code.'}>
          <Input
            value={code}
            onChange={({ detail }) => setCode(detail.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        </FormField>
      )}
    </SignInForm>
  );
}

interface NewPasswordProps {
  readonly onSubmit: (password: string) => Promise<void>;
  readonly onBack: () => void;
}

/** Shown after the first sign-in with a temporary password. */
export function NewPassword({ onSubmit, onBack }: NewPasswordProps) {
  const chosen = useNewPassword();
  return (
    <SignInForm
      title="Choose a password"
      description="You signed in with a temporary password."
      submit="Set password"
      canSend={chosen.isRight}
      onSubmit={() => onSubmit(chosen.password)}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      {(asked) => <NewPasswordFields of={chosen} asked={asked} />}
    </SignInForm>
  );
}
