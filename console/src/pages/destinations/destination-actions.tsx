import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { Destination } from '../../api/types.ts';
import { Confirm } from '../../shared/dialogs.tsx';
import { OwnerButton } from '../../shared/role.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { destinationPath } from './destinations.ts';
import { EditDestination } from './save-destination.tsx';
import { useSigningSecrets } from './signing-secret.tsx';
import { useChangeDestination } from './use-destinations.ts';

/** Pauses an active destination; resumes or activates any other. */
export function useSwitch(destinationId: string, onSending: () => void) {
  const change = useChangeDestination(destinationId);
  const notify = useNotify();
  return {
    isPending: change.isPending,
    send: ({ status, name }: Destination) => {
      const isPausing = status === 'active';
      const done = isPausing ? `“${name}” paused.` : `“${name}” is active. Messages on hold will be sent.`;
      change.mutate(
        { status: isPausing ? 'paused' : 'active' },
        {
          onSuccess: () => {
            notify('success', done);
            onSending();
          },
          onError: (error) => notify('error', `Couldn’t change “${name}”. ${errorMessage(error)}`),
        },
      );
    },
  };
}

/** Sends the confirmation email of an email destination again. */
export function useConfirmation({ destinationId, email }: Destination, onSending: () => void) {
  const notify = useNotify();
  const ask = useChange<'askRecipient', void>(() => ({
    method: 'POST',
    path: `${destinationPath(destinationId)}/confirmation`,
  }));
  return {
    isPending: ask.isPending,
    send: () =>
      ask.mutate(undefined, {
        onSuccess: () => {
          notify('success', `We’re sending a confirmation email to ${email}.`);
          onSending();
        },
        onError: (error) => notify('error', `Couldn’t send the confirmation email. ${errorMessage(error)}`),
      }),
  };
}

interface DestinationActionsProps {
  readonly destination: Destination;
  readonly isTesting: boolean;
  readonly isSwitching: boolean;
  readonly onTest: () => void;
  readonly onPause: () => void;
}

export function DestinationActions(props: DestinationActionsProps) {
  const { destination, isTesting, isSwitching, onTest, onPause } = props;
  const [asking, setAsking] = useState<'edit' | 'delete'>();
  const close = () => setAsking(undefined);
  const isActive = destination.status === 'active';
  const isWaiting = isActive && destination.confirmation === 'pending';
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        <OwnerButton onClick={() => setAsking('delete')}>Delete</OwnerButton>
        <OwnerButton onClick={() => setAsking('edit')}>Edit</OwnerButton>
        {isActive && (
          <OwnerButton loading={isSwitching} onClick={onPause}>
            Pause
          </OwnerButton>
        )}
        <OwnerButton
          variant="primary"
          loading={isTesting}
          disabled={!isActive || isWaiting}
          disabledReason={
            isWaiting ? 'The recipient must confirm first.' : 'Only an active destination can be tested.'
          }
          onClick={onTest}
        >
          Send test event
        </OwnerButton>
      </SpaceBetween>
      {asking === 'edit' && <EditDestination destination={destination} onClose={close} />}
      {asking === 'delete' && <DeleteDestination destination={destination} onClose={close} />}
    </>
  );
}

interface DeleteDestinationProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

function DeleteDestination({ destination: { destinationId, name }, onClose }: DeleteDestinationProps) {
  const notify = useNotify();
  const secrets = useSigningSecrets();
  const [, go] = useLocation();
  const remove = useChange<'deleteDestination', void>(() => ({
    method: 'DELETE',
    path: destinationPath(destinationId),
  }));
  return (
    <Confirm
      title={`Delete “${name}”?`}
      confirm="Delete"
      busy={remove.isPending}
      error={remove.error}
      onCancel={onClose}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            secrets.putAway(destinationId);
            go('/destinations', { replace: true });
            notify('success', `Destination “${name}” deleted.`);
          },
        })
      }
    >
      <Box variant="p">
        Nothing more will be sent to it, including messages on hold. Its signing secret is deleted. You can’t
        undo this.
      </Box>
      <Box variant="p">To stop sending for a while, pause it instead.</Box>
    </Confirm>
  );
}
