import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { NewPasswordFields, newPasswordProblem } from './new-password-fields.tsx';
import type { Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

interface ResetPasswordProps {
  readonly email: string;
  readonly session: Session;
  readonly onDone: (email: string) => void;
  readonly onBack: () => void;
}

/** Forgotten: a code by mail, then a new password with it. */
export function ResetPassword({ email: known, session, onDone, onBack }: ResetPasswordProps) {
  const [email, setEmail] = useState(known);
  const [sent, setSent] = useState(false);
  const secondary = { label: 'Back to sign in', onClick: onBack };
  return sent ? (
    <SetPassword email={email} session={session} onDone={() => onDone(email)} secondary={secondary} />
  ) : (
    <SignInForm
      title="Reset your password"
      description="We send a code to your email address, if it belongs to an owner."
      submit="Send code"
      check={() => (email.trim() === '' ? 'Enter your email address.' : undefined)}
      onSubmit={async () => {
        await session.sendResetCode(email.trim());
        setSent(true);
      }}
      secondary={secondary}
    >
      <FormField label="Email address">
        <Input
          value={email}
          onChange={({ detail }) => setEmail(detail.value)}
          type="email"
          autoComplete="username"
          autoFocus
        />
      </FormField>
    </SignInForm>
  );
}

interface SetPasswordProps {
  readonly email: string;
  readonly session: Session;
  readonly onDone: () => void;
  readonly secondary: { readonly label: string; readonly onClick: () => void };
}

function SetPassword({ email, session, onDone, secondary }: SetPasswordProps) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  return (
    <SignInForm
      title="Choose a new password"
      description={`The code was sent to ${email.trim()}. It may take a minute to arrive.`}
      submit="Set password"
      check={() =>
        code.trim() === '' ? 'Enter the code from the email.' : newPasswordProblem(password, again)
      }
      onSubmit={async () => {
        await session.resetPassword(email.trim(), code.trim(), password);
        onDone();
      }}
      secondary={secondary}
    >
      <FormField label="Code from the email">
        <Input
          value={code}
          onChange={({ detail }) => setCode(detail.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      </FormField>
      <NewPasswordFields password={password} again={again} onPassword={setPassword} onAgain={setAgain} />
    </SignInForm>
  );
}
