import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect } from 'react';

export function SignInFrame({ children }: { readonly children: ReactNode }) {
  useEffect(() => {
    document.title = 'Sign in · Lead ingest';
  }, []);
  return (
    <main className="sign-in">
      <SpaceBetween size="l">
        <div className="sign-in-brand">
          <img src="/favicon.svg" alt="" width="40" height="40" />
          <Box variant="h1">Lead ingest</Box>
        </div>
        {children}
      </SpaceBetween>
    </main>
  );
}
