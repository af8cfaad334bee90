import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useId } from 'react';
import { errorMessage } from '../api/problem.ts';

interface AskDialogProps {
  readonly title: string;
  /** On the button that does it. */
  readonly action: string;
  readonly busy: boolean;
  /** What went wrong, where no field inside tells it. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done; Enter in a field does it too. Rendered only while it asks. */
export function FormDialog({ title, action, busy, problem, onSubmit, onCancel, children }: AskDialogProps) {
  const form = useId();

  // What is under way cannot be called back: closing would only look as if it were.
  function cancel() {
    if (!busy) onCancel();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy) onSubmit();
  }

  return (
    <Modal
      visible
      header={title}
      closeAriaLabel="Cancel"
      onDismiss={cancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" disabled={busy} onClick={cancel}>
              Cancel
            </Button>
            <Button variant="primary" form={form} loading={busy}>
              {action}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <SpaceBetween size="m">
          <div>{children}</div>
          {problem !== undefined && <Alert type="error">{problem}</Alert>}
        </SpaceBetween>
      </form>
    </Modal>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly confirm: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  /** What will happen, and what cannot be undone. */
  readonly children: ReactNode;
}

/** Rendered only while it asks: `{asking && <Confirm … />}`. */
export function Confirm({ confirm, error, onConfirm, ...rest }: ConfirmProps) {
  const problem = error == null ? undefined : errorMessage(error);
  return <FormDialog {...rest} action={confirm} problem={problem} onSubmit={onConfirm} />;
}
