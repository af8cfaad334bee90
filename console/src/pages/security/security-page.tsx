import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMemo } from 'react';
import { makeAccount } from '../../session/account.ts';
import { useSession } from '../../session/session-context.ts';
import { Page } from '../../shell/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { SecondFactor } from './second-factor.tsx';

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
