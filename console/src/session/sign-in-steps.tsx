import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { readCode } from './sign-in-input.ts';

interface EnterPasswordProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onForgotten: () => void;
  readonly onSubmit: (email: string, password: string) => Promise<void>;
}

export function EnterPassword({ email, onEmail, onForgotten, onSubmit }: EnterPasswordProps) {
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
export function EnterCode({ onSubmit, onBack }: EnterCodeProps) {
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
