import '@cloudscape-design/global-styles/index.css';
import './sign-in.css';
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect } from 'react';
import { Translations } from '../shared/translations.tsx';
import type { Config } from './cognito.ts';
import type { Session, SignOutReason } from './session.ts';
import { SignInScreens } from './sign-in-screens.tsx';

interface SignInProps {
  readonly session: Session;
  readonly config: Config;
  readonly why: SignOutReason | undefined;
}

export default function SignIn({ session, config, why }: SignInProps) {
  useEffect(() => {
    document.title = 'Sign in · Lead ingest';
  }, []);
  return (
    <Translations>
      <main className="sign-in">
        <SpaceBetween size="l">
          <div className="sign-in-brand">
            <img src="/favicon.svg" alt="" width="40" height="40" />
            <Box variant="h1">Lead ingest</Box>
          </div>
          {why === 'refused' && (
            <Alert type="warning">
              You no longer have access to this workspace. If you think this is a mistake, ask an owner.
            </Alert>
          )}
          {why === 'unfinished' && (
            <Alert type="warning" action={<Button onClick={() => void session.end()}>Sign out again</Button>}>
              The service couldn’t be reached, so this browser may still be signed in.
            </Alert>
          )}
          <SignInScreens session={session} config={config} />
        </SpaceBetween>
      </main>
    </Translations>
  );
}
