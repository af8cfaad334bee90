import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Account } from '../../session/account.ts';
import { NewPasswordFields, useNewPassword } from '../../session/sign-in-form.tsx';
import { changePasswordError } from '../../session/sign-in-problems.ts';
import { useNotify } from '../../shell/notifications.tsx';

interface ChangePasswordProps {
  readonly account: Account;
  readonly email: string;
}

/** Asks for the current password, so that an unattended browser is not enough. */
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
  const change = useMutation({
    mutationFn: () => account.changePassword(current, chosen.password),
    onSuccess: () => {
      notify('success', 'Password changed.');
      onDone();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (current !== '' && chosen.isRight && !change.isPending) change.mutate();
  };
  const missing = asked && current === '' && 'Enter your current password.';
  return (
    <form onSubmit={send} noValidate>
      <SpaceBetween size="l">
        {/* Tells password managers which account this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <FormField
          label="Current password"
          errorText={missing || (change.error && changePasswordError(change.error))}
        >
          <Input
            value={current}
            onChange={({ detail }) => setCurrent(detail.value)}
            type="password"
            autoComplete="current-password"
            autoFocus
          />
        </FormField>
        <NewPasswordFields of={chosen} asked={asked} />
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
