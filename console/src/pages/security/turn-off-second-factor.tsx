import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../session/account.ts';
import { CodeField, PasswordField } from '../../session/sign-in-form.tsx';
import { proofError, readCode } from '../../session/sign-in-problems.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';

export interface ChangeProps {
  readonly account: Account;
  readonly email: string;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function TurnOffSecondFactor({ account, email, onDone, onCancel }: ChangeProps) {
  const notify = useNotify();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState(false);
  const digits = readCode(code);
  const turnOff = useMutation({
    mutationFn: () => account.turnOffSecondFactor(password, digits ?? ''),
    onSuccess: () => {
      notify('success', 'Two-factor authentication is off.');
      onDone();
    },
  });
  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      action="Turn off"
      busy={turnOff.isPending}
      problem={turnOff.error ? proofError(turnOff.error) : undefined}
      onSubmit={() => {
        setAsked(true);
        if (password !== '' && digits !== undefined) turnOff.mutate();
      }}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <Box>You’ll be able to sign in with only your password.</Box>
        <PasswordField
          label="Password"
          email={email}
          password={password}
          onPassword={setPassword}
          error={asked && password === '' && 'Enter your password.'}
        />
        <CodeField
          label="Code from your authenticator app"
          code={code}
          onCode={setCode}
          error={asked && digits === undefined && 'Enter the 6-digit code.'}
        />
      </SpaceBetween>
    </FormDialog>
  );
}
