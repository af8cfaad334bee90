import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState } from 'react';
import { type Config, makeCallCognito } from './cognito.ts';
import { ResetPassword } from './reset-password.tsx';
import type { Session } from './session.ts';
import { CodeField, NewPasswordFields, SignInForm, useNewPassword } from './sign-in-form.tsx';
import { readCode } from './sign-in-problems.ts';
import { makeSignInSteps, type SignInStep } from './sign-in-steps.ts';

interface SignInScreensProps {
  readonly session: Session;
  readonly config: Config;
  /** The owner who must sign in again. */
  readonly email?: string;
  readonly notice?: string | undefined;
}

type Screen = Exclude<SignInStep, 'done'> | 'password' | 'reset';

/** The password, then whatever Cognito asks for. Ends when the session begins. */
export function SignInScreens({ session, config, email: known, notice: given }: SignInScreensProps) {
  const [steps] = useState(() =>
    makeSignInSteps({ config, call: makeCallCognito(config), onSignedIn: session.begin }),
  );
  const [screen, setScreen] = useState<Screen>('password');
  const [email, setEmail] = useState(known ?? '');
  const [notice, setNotice] = useState(given);
  const goOn = (step: SignInStep) => step !== 'done' && setScreen(step);
  const startOver = (message?: string) => {
    setNotice(message);
    setScreen('password');
  };

  return (
    <SpaceBetween size="l">
      {notice !== undefined && screen === 'password' && <Alert type="info">{notice}</Alert>}
      {screen === 'password' && (
        <EnterPassword
          email={email}
          isFixed={known !== undefined}
          onEmail={setEmail}
          onForgotten={() => setScreen('reset')}
          onSubmit={async (as, password) => {
            goOn(await steps.start(as, password));
          }}
        />
      )}
      {screen === 'new-password' && (
        <NewPassword
          onSubmit={async (password) => {
            goOn(await steps.answer(password));
          }}
          onBack={startOver}
        />
      )}
      {screen === 'code' && (
        <EnterCode
          onSubmit={async (code) => {
            goOn(await steps.answer(code));
          }}
          onBack={startOver}
        />
      )}
      {screen === 'reset' && (
        <ResetPassword
          email={email}
          steps={steps}
          session={session}
          onDone={(as) => {
            setEmail(known ?? as);
            startOver('Password changed. All sessions were signed out. Sign in with your new password.');
          }}
          onBack={startOver}
        />
      )}
    </SpaceBetween>
  );
}

interface EnterPasswordProps {
  readonly email: string;
  /** Another owner would not see this page. */
  readonly isFixed: boolean;
  readonly onEmail: (email: string) => void;
  readonly onForgotten: () => void;
  readonly onSubmit: (email: string, password: string) => Promise<void>;
}

function EnterPassword({ email, isFixed, onEmail, onForgotten, onSubmit }: EnterPasswordProps) {
  const [password, setPassword] = useState('');
  const passwordInput = useRef<InputProps.Ref>(null);
  // After the dialog, which first takes the focus itself.
  useEffect(() => {
    if (!isFixed) return undefined;
    const timer = setTimeout(() => passwordInput.current?.focus());
    return () => clearTimeout(timer);
  }, [isFixed]);
  const hasEmail = email.trim() !== '';
  const hasPassword = password !== '';
  return (
    <SignInForm
      {...(!isFixed && { title: 'Sign in', description: 'Manage your leads and settings.' })}
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
              readOnly={isFixed}
              autoFocus={!isFixed}
            />
          </FormField>
          <FormField label="Password" errorText={asked && !hasPassword && 'Enter your password.'}>
            <Input
              value={password}
              onChange={({ detail }) => setPassword(detail.value)}
              type="password"
              name="password"
              autoComplete="current-password"
              ref={passwordInput}
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
        <CodeField
          label="Code"
          code={code}
          onCode={setCode}
          error={asked && digits === undefined && 'Enter the 6-digit code.'}
          autoFocus
        />
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
