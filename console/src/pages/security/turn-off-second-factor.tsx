import { useMutation } from '@tanstack/react-query';
import { secondFactor } from '../../session/second-factor.ts';
import { Confirm } from '../../shared/confirm.tsx';
import { useNotify } from '../../shell/notifications.tsx';

interface TurnOffProps {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function TurnOffSecondFactor({ onDone, onCancel }: TurnOffProps) {
  const notify = useNotify();
  const turnOff = useMutation({
    mutationFn: secondFactor.turnOff,
    onSuccess: () => {
      notify('success', 'The second factor is off.');
      onDone();
    },
  });
  return (
    <Confirm
      title="Turn off the second factor?"
      confirm="Turn off"
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={() => turnOff.mutate()}
      onCancel={onCancel}
    >
      From then on your password alone opens your workspace.
    </Confirm>
  );
}
