import SpaceBetween from '@cloudscape-design/components/space-between';
import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { useNotify } from '../shell/notifications.tsx';
import { Confirm, FormDialog } from './dialogs.tsx';
import { useShownOnce } from './shown-once-memory.tsx';

// API keys and server tokens: created in a dialog, shown once, listed without their value, revoked for good.

interface CreateSecretProps<Input, Made> {
  readonly title: string;
  readonly create: UseMutationResult<Made, Error, Input>;
  /** Undefined while something is missing. */
  readonly input: Input | undefined;
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
  /** The fields; `asked` is true after the first attempt to submit. */
  readonly children: (asked: boolean) => ReactNode;
}

export function CreateSecret<Input, Made>(props: CreateSecretProps<Input, Made>) {
  const { title, create, input, onMade, onClose, children } = props;
  const [asked, setAsked] = useState(false);

  function send() {
    setAsked(true);
    if (input === undefined) return;
    // Closing the dialog may be skipped if the owner left the page; keeping the secret may not.
    create.mutateAsync(input, { onSuccess: onClose }).then(onMade, () => undefined);
  }

  return (
    <FormDialog
      title={title}
      action="Create"
      busy={create.isPending}
      problem={create.error ? errorMessage(create.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">{children(asked)}</SpaceBetween>
    </FormDialog>
  );
}

/** New secrets that the owner hasn't confirmed yet, newest first. */
export function useNewSecrets<Made>(kind: string, idOf: (made: Made) => string) {
  const { value = [], isNew, showWith, leave } = useShownOnce<readonly Made[]>(kind);
  return {
    made: value,
    isNew,
    show: (made: Made) => showWith((shown = []) => [made, ...shown]),
    putAway: (id: string) =>
      leave((shown = []) => {
        const left = shown.filter((each) => idOf(each) !== id);
        return left.length === 0 ? undefined : left;
      }),
  };
}

interface RevokeSecretProps {
  /** “API key”, at the beginning of a sentence. */
  readonly what: string;
  readonly id: string;
  readonly name: string;
  readonly revoke: UseMutationResult<unknown, Error, string>;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
  /** What stops working. */
  readonly children: ReactNode;
}

export function RevokeSecret({ what, id, name, revoke, onRevoked, onClose, children }: RevokeSecretProps) {
  const notify = useNotify();
  return (
    <Confirm
      title={`Revoke “${name}”?`}
      confirm="Revoke"
      busy={revoke.isPending}
      error={revoke.error}
      onCancel={onClose}
      onConfirm={() =>
        revoke.mutate(id, {
          onSuccess: () => {
            notify('success', `${what} “${name}” revoked.`);
            onRevoked();
            onClose();
          },
        })
      }
    >
      {children}
    </Confirm>
  );
}
