import SpaceBetween from '@cloudscape-design/components/space-between';
import { useChange } from '#console/api/queries.ts';
import type { Delivery } from '#console/api/types.ts';
import { Confirm } from '#console/shared/confirm.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { deliveryPath } from '../use-delivery.ts';
import { previousOf } from './previous-use.ts';
import { PreviousUse } from './secret-state.tsx';

interface EndGraceProps {
  readonly delivery: Delivery;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function EndGrace({ delivery, onDone, onCancel }: EndGraceProps) {
  const notify = useNotify();
  const end = useChange<void, Delivery>(() => ({
    method: 'DELETE',
    path: `${deliveryPath(delivery.formId)}/previous-secret`,
  }));
  return (
    <Confirm
      title="End the previous secret now"
      confirm="End it now"
      busy={end.isPending}
      error={end.error}
      onCancel={onCancel}
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess: () => {
            notify('success', 'The previous secret no longer works.');
            onDone();
          },
        })
      }
    >
      <SpaceBetween size="s">
        <div>Whoever still signs with it is rejected from now on. This cannot be undone.</div>
        <div>
          <PreviousUse setAt={delivery.secret.setAt} lastUsedAt={previousOf(delivery)?.lastUsedAt} />
        </div>
      </SpaceBetween>
    </Confirm>
  );
}
