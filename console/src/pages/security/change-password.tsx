import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Account, useSecondFactor } from '../../session/account.ts';
import { CodeField, NewPasswordFields, PasswordField, useNewPassword } from '../../session/sign-in-form.tsx';
import { changePasswordError, readCode } from '../../session/sign-in-problems.ts';
import { useNotify } from '../../shell/notifications.tsx';

interface ChangePasswordProps {
  readonly account: Account;
  readonly email: string;
}

export function ChangePassword({ account, email }: ChangePasswordProps) {
  const [open, setOpen] = useState(false);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="The password you use to sign in."
          actions={!open && <Button onClick={() => setOpen(true)}>Change password</Button>}
        >
          Password
        </Header>
      }
    >
      {open ? (
        <ChangePasswordForm account={account} email={email} onDone={() => setOpen(false)} />
      ) : (
        'Your password is never shown.'
      )}
    </Container>
  );
}

interface FormProps extends ChangePasswordProps {
  readonly onDone: () => void;
}

function ChangePasswordForm({ account, email, onDone }: FormProps) {
  const notify = useNotify();
  const [current, setCurrent] = useState('');
  const [asked, setAsked] = useState(false);
  const chosen = useNewPassword();
  const [code, setCode] = useState('');
  const digits = readCode(code);
  // The new sign-in needs a code, too. If it isn't known yet whether there is a second factor, a dialog asks for it.
  const needsCode = useSecondFactor(account).data ?? false;
  const isRight = current !== '' && chosen.isRight && (!needsCode || digits !== undefined);
  const change = useMutation({
    mutationFn: () => account.changePassword(current, chosen.password, digits),
    onSuccess: (isSignedIn) => {
      const next = isSignedIn ? '' : ' Sign in with the new password.';
      notify('success', `Password changed. All other sessions were signed out.${next}`);
      onDone();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (isRight && !change.isPending) change.mutate();
  };
  const missing = asked && current === '' && 'Enter your current password.';
  return (
    <form onSubmit={send} noValidate>
      <SpaceBetween size="l">
        <PasswordField
          label="Current password"
          email={email}
          password={current}
          onPassword={setCurrent}
          error={missing || (change.error ? changePasswordError(change.error) : undefined)}
        />
        <NewPasswordFields of={chosen} asked={asked} />
        {needsCode && (
          <CodeField
            label="Code from your authenticator app"
            code={code}
            onCode={setCode}
            error={asked && digits === undefined && 'Enter the 6-digit code.'}
          />
        )}
        <Box color="text-body-secondary">Signs you out everywhere else.</Box>
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="primary" loading={change.isPending}>
            Save password
          </Button>
          <Button variant="link" formAction="none" disabled={change.isPending} onClick={onDone}>
            Cancel
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </form>
  );
}
