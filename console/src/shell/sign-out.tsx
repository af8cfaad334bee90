import Box from '@cloudscape-design/components/box';
import { AskDialog } from '../shared/ask-dialog.tsx';

interface SignOutProps {
  readonly onSignOut: () => void;
  readonly onCancel: () => void;
}

/** Asked only where signing out would lose something. */
export function SignOut({ onSignOut, onCancel }: SignOutProps) {
  return (
    <AskDialog
      title="Sign out now?"
      action="Sign out"
      busy={false}
      problem={undefined}
      onSubmit={onSignOut}
      onCancel={onCancel}
    >
      <Box>
        A new secret or token is still shown, and you have not said that it is stored. It cannot be shown
        again after you sign out.
      </Box>
    </AskDialog>
  );
}
