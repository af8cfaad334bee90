import type { ReactNode } from 'react';
import { describe } from '../api/problem.ts';
import { AskDialog } from './ask-dialog.tsx';

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
  const problem = error == null ? undefined : describe(error);
  return <AskDialog {...rest} action={confirm} problem={problem} onSubmit={onConfirm} />;
}
