import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import type { Session } from './session.ts';
import { CodeField, NewPasswordFields, SignInForm, useNewPassword } from './sign-in-form.tsx';
import { resetError } from './sign-in-problems.ts';
import type { SignInSteps } from './sign-in-steps.ts';

interface ResetPasswordProps {
  readonly email: string;
  readonly steps: SignInSteps;
  readonly session: Pick<Session, 'setPassword'>;
  readonly onDone: (email: string) => void;
  readonly onBack: () => void;
}

/** Sends a code by email, then sets a new password with it. */
export function ResetPassword({ email: known, steps, session, onDone, onBack }: ResetPasswordProps) {
  const [email, setEmail] = useState(known);
  const [sent, setSent] = useState(false);
  const secondary = { label: 'Back to sign in', onClick: onBack };
  const address = email.trim();
  return sent ? (
    <SetPassword
      email={address}
      steps={steps}
      session={session}
      onDone={() => onDone(address)}
      secondary={secondary}
    />
  ) : (
    <SignInForm
      title="Reset your password"
      description="If the address belongs to an owner, we’ll email you a code."
      submit="Send code"
      canSend={address !== ''}
      explain={resetError}
      onSubmit={async () => {
        await steps.sendResetCode(address);
        setSent(true);
      }}
      secondary={secondary}
    >
      {(asked) => (
        <FormField label="Email address" errorText={asked && address === '' && 'Enter your email address.'}>
          <Input
            value={email}
            onChange={({ detail }) => setEmail(detail.value)}
            type="email"
            autoComplete="username"
            autoFocus
          />
        </FormField>
      )}
    </SignInForm>
  );
}

interface SetPasswordProps {
  readonly email: string;
  readonly steps: SignInSteps;
  readonly session: Pick<Session, 'setPassword'>;
  readonly onDone: () => void;
  readonly secondary: { readonly label: string; readonly onClick: () => void };
}

function SetPassword({ email, steps, session, onDone, secondary }: SetPasswordProps) {
  const [code, setCode] = useState('');
  const chosen = useNewPassword();
  const hasCode = code.trim() !== '';
  return (
    <SignInForm
      title="Choose a new password"
      description={`We sent a code to ${email}. It may take a minute to arrive.`}
      submit="Set password"
      canSend={hasCode && chosen.isRight}
      explain={resetError}
      onSubmit={async () => {
        await session.setPassword({ email, code: code.trim(), newPassword: chosen.password });
        onDone();
      }}
      secondary={secondary}
    >
      {(asked) => (
        <SpaceBetween size="l">
          <SpaceBetween size="xs">
            <CodeField
              label="Verification code"
              code={code}
              onCode={setCode}
              error={asked && !hasCode && 'Enter the code from the email.'}
              autoFocus
            />
            <SendNewCode send={() => steps.sendResetCode(email)} />
          </SpaceBetween>
          <NewPasswordFields of={chosen} asked={asked} />
        </SpaceBetween>
      )}
    </SignInForm>
  );
}

type Sending =
  | { readonly step: 'idle' | 'busy' | 'sent' }
  | { readonly step: 'failed'; readonly why: string };

/** For an email that doesn't arrive or a code that has expired. */
function SendNewCode({ send }: { readonly send: () => Promise<void> }) {
  const [sending, setSending] = useState<Sending>({ step: 'idle' });

  async function sendAgain() {
    setSending({ step: 'busy' });
    try {
      await send();
      setSending({ step: 'sent' });
    } catch (error) {
      setSending({ step: 'failed', why: resetError(error) });
    }
  }

  return (
    <SpaceBetween size="xs">
      <Button
        variant="inline-link"
        formAction="none"
        loading={sending.step === 'busy'}
        onClick={() => void sendAgain()}
      >
        Send a new code
      </Button>
      <LiveRegion>
        {sending.step === 'sent' && (
          <StatusIndicator type="success">New code sent. Use the code from the latest email.</StatusIndicator>
        )}
        {sending.step === 'failed' && <StatusIndicator type="error">{sending.why}</StatusIndicator>}
      </LiveRegion>
    </SpaceBetween>
  );
}
