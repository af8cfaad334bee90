import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import { type Account, makeAccount, useSecondFactor } from '../../session/account.ts';
import { useSession } from '../../session/session-context.ts';
import { QueryResult } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';
import { TurnOffSecondFactor } from './turn-off-second-factor.tsx';

export default function SecurityPage() {
  const signedIn = useSession();
  const account = useMemo(() => makeAccount(signedIn), [signedIn]);
  return (
    <Page title="Sign-in security" description={`Sign-in settings for ${signedIn.user.email}`}>
      <SpaceBetween size="l">
        <ChangePassword account={account} email={signedIn.user.email} />
        <SecondFactor account={account} email={signedIn.user.email} />
      </SpaceBetween>
    </Page>
  );
}

/** Two-factor authentication of the signed-in owner, with an authenticator app. */
function SecondFactor({ account, email }: { readonly account: Account; readonly email: string }) {
  const state = useSecondFactor(account);
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
                <SetUpSecondFactor
                  account={account}
                  email={email}
                  onDone={done}
                  onCancel={() => setDoing(undefined)}
                />
              )}
            </SpaceBetween>
          )}
        </QueryResult>
      </Container>
      {doing === 'turning-off' && (
        <TurnOffSecondFactor
          account={account}
          email={email}
          onDone={done}
          onCancel={() => setDoing(undefined)}
        />
      )}
    </>
  );
}
