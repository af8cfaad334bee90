import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { secondFactor } from '../../session/second-factor.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { Page } from '../../shell/page.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

export default function SecurityPage({ email }: { readonly email: string }) {
  const state = useQuery({ queryKey: ['second-factor'], queryFn: secondFactor.isOn });
  const [doing, setDoing] = useState<'setting-up' | 'turning-off'>();
  const done = () => {
    setDoing(undefined);
    void state.refetch();
  };
  return (
    <Page title="Sign-in security" description={`Sign-in settings for ${email}`}>
      <Container
        header={
          <Header variant="h2" description="Require a code from an authenticator app when you sign in.">
            {' '}
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
                <SetUpSecondFactor email={email} onDone={done} onCancel={() => setDoing(undefined)} />
              )}
            </SpaceBetween>
          )}
        </QueryResult>
      </Container>
      {doing === 'turning-off' && <TurnOffSecondFactor onDone={done} onCancel={() => setDoing(undefined)} />}
    </Page>
  );
}

interface TurnOffProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function TurnOffSecondFactor({ onDone, onCancel }: TurnOffProps) {
  const notify = useNotify();
  const turnOff = useMutation({
    mutationFn: secondFactor.turnOff,
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
