import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSession } from './session-context.ts';
import { InDialog } from './sign-in-form.tsx';
import { SignInScreens } from './sign-in-screens.tsx';

/** Over the page, which keeps what was typed and what is shown once. What was asked for meanwhile goes on afterwards. */
export default function SignInAgain() {
  const { session, config, user } = useSession();
  return (
    <Modal
      visible
      header="Sign in again"
      closeAriaLabel="Sign out"
      onDismiss={() => void session.end()}
      footer={
        <Box float="right">
          <Button variant="link" onClick={() => void session.end()}>
            Sign out instead
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>Your session has expired. This page stays as it is.</Box>
        <InDialog value={true}>
          <SignInScreens session={session} config={config} email={user.email} />
        </InDialog>
      </SpaceBetween>
    </Modal>
  );
}
