import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { describe } from '../api/problem.ts';

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
export function Confirm({ title, confirm, busy, error, onConfirm, onCancel, children }: ConfirmProps) {
  return (
    <Modal
      visible
      header={title}
      onDismiss={onCancel}
      closeAriaLabel="Cancel"
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel}>
              Cancel
            </Button>
            <Button variant="primary" loading={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <div>{children}</div>
        {error != null && <Alert type="error">{describe(error)}</Alert>}
      </SpaceBetween>
    </Modal>
  );
}
