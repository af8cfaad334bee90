import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Account } from '../../session/account.ts';
import { readCode, signInError } from '../../session/sign-in-problems.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { Confirm } from '../../shared/dialogs.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { QrCode } from './qr-code.tsx';

/** Two-factor authentication of the signed-in owner, with an authenticator app. */
export function SecondFactor({ account }: { readonly account: Account }) {
  const state = useQuery({ queryKey: ['second-factor'], queryFn: account.hasSecondFactor });
  const [doing, setDoing] = useState<'setting-up' | 'turning-off'>();
  const done = () => {
    setDoing(undefined);
    void state.refetch();
  };
  return (
    <>
      <Container
        header={
          <Header variant="h2" description="Require a code from an authenticator app when you sign in.">
            Two-factor authentication
          </Header>
        }
      >
        <QueryResult of={state} what="your sign-in settings">
          {(isOn) => (
            <SpaceBetween size="m">
              <StatusIndicator type={isOn ? 'success' : 'stopped'}>{isOn ? 'On' : 'Off'}</StatusIndicator>
              {isOn ? (
                <Button onClick={() => setDoing('turning-off')}>Turn off</Button>
              ) : (
                <SpaceBetween size="m">
                  <Box>
                    Protects your leads even if your password is stolen. You need an authenticator app, such
                    as Google Authenticator, 1Password or Aegis.
                  </Box>
                  {doing !== 'setting-up' && <Button onClick={() => setDoing('setting-up')}>Set up</Button>}
                </SpaceBetween>
              )}
              {doing === 'setting-up' && (
                <SetUpSecondFactor account={account} onDone={done} onCancel={() => setDoing(undefined)} />
              )}
            </SpaceBetween>
          )}
        </QueryResult>
      </Container>
      {doing === 'turning-off' && (
        <TurnOffSecondFactor account={account} onDone={done} onCancel={() => setDoing(undefined)} />
      )}
    </>
  );
}

interface ChangeProps {
  readonly account: Account;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function TurnOffSecondFactor({ account, onDone, onCancel }: ChangeProps) {
  const notify = useNotify();
  const turnOff = useMutation({
    mutationFn: account.turnOffSecondFactor,
    onSuccess: () => {
      notify('success', 'Two-factor authentication is off.');
      onDone();
    },
  });
  return (
    <Confirm
      title="Turn off two-factor authentication?"
      confirm="Turn off"
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={() => turnOff.mutate()}
      onCancel={onCancel}
    >
      You’ll be able to sign in with only your password.
    </Confirm>
  );
}

function SetUpSecondFactor({ account, onDone, onCancel }: ChangeProps) {
  // Each key replaces the previous one, so it must never be refetched automatically.
  const setUp = useQuery({
    queryKey: ['second-factor-key'],
    queryFn: account.beginSecondFactor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const notify = useNotify();
  const [code, setCode] = useState('');
  const digits = readCode(code);
  const confirm = useMutation({
    mutationFn: () => account.confirmSecondFactor(digits ?? ''),
    onSuccess: () => {
      notify(
        'success',
        'Two-factor authentication is on. You’ll be asked for a code the next time you sign in.',
      );
      onDone();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate();
  };
  return (
    <QueryResult of={setUp} what="a key for your app">
      {({ key, address }) => (
        <form onSubmit={send}>
          <SpaceBetween size="m">
            <Box>1. Scan this QR code with your authenticator app.</Box>
            <QrCode
              text={address}
              label="QR code with the key for your authenticator app. The key is also shown as text below."
            />
            <Box>
              Can’t scan it? Enter this key manually or{' '}
              <Link href={address}>open it in an app on this device</Link>.
            </Box>
            <Box variant="code">
              <span className="value">
                <Copyable text={key} what="key" />
              </span>
            </Box>
            <FormField
              label="2. Enter the code from the app"
              errorText={confirm.error ? signInError(confirm.error) : undefined}
            >
              <Input
                value={code}
                onChange={({ detail }) => setCode(detail.value)}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
            </FormField>
            <SpaceBetween direction="horizontal" size="xs">
              <Button variant="primary" loading={confirm.isPending} disabled={digits === undefined}>
                Turn on
              </Button>
              <Button variant="link" formAction="none" disabled={confirm.isPending} onClick={onCancel}>
                Cancel
              </Button>
            </SpaceBetween>
          </SpaceBetween>
        </form>
      )}
    </QueryResult>
  );
}
