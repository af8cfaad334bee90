import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useId } from 'react';
import { errorMessage } from '../api/problem.ts';

interface AskDialogProps {
  readonly title: string;
  /** The submit button's text. */
  readonly action: string;
  readonly busy: boolean;
  /** An error that no field shows. */
  readonly problem: string | undefined;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** A modal form; Enter submits it. Rendered only while open. */
export function FormDialog({ title, action, busy, problem, onSubmit, onCancel, children }: AskDialogProps) {
  const form = useId();

  // A running request can't be canceled, so don't pretend by closing.
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
  readonly children: ReactNode;
}

/** Rendered only while open: `{asking && <Confirm … />}`. */
export function Confirm({ confirm, error, onConfirm, ...rest }: ConfirmProps) {
  const problem = error == null ? undefined : errorMessage(error);
  return <FormDialog {...rest} action={confirm} problem={problem} onSubmit={onConfirm} />;
}
