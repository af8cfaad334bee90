import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useChange } from '#console/api/queries.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { destinationPath } from '../destination-paths.ts';

const HOUR_MS = 60 * 60 * 1000;
const SUGGESTED_HOURS = '24';

const PERIODS = [
  { value: '1', label: 'The last hour' },
  { value: SUGGESTED_HOURS, label: 'The last 24 hours' },
  { value: String(7 * 24), label: 'The last 7 days' },
  { value: String(30 * 24), label: 'The last 30 days', description: 'All messages that are kept.' },
];

interface ReplaySinceProps {
  readonly destinationId: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

/** Sends again everything that hasn't arrived since a time. */
export function ReplaySince({ destinationId, onStarted, onClose }: ReplaySinceProps) {
  const [hours, setHours] = useState(SUGGESTED_HOURS);
  const notify = useNotify();
  const replay = useChange<{ since: string }, unknown>((body) => ({
    method: 'POST',
    path: `${destinationPath(destinationId)}/replay`,
    body,
  }));
  return (
    <Confirm
      title="Replay failed messages"
      confirm="Replay"
      busy={replay.isPending}
      error={replay.error}
      onCancel={onClose}
      onConfirm={() =>
        replay.mutate(
          { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() },
          {
            onSuccess: () => {
              notify('success', 'The messages are being sent again.');
              onStarted();
              onClose();
            },
          },
        )
      }
    >
      <SpaceBetween size="m">
        <div>Sends again every message that failed, is being retried or is on hold.</div>
        <FormField label="Replay failed since">
          <RadioGroup value={hours} items={PERIODS} onChange={({ detail }) => setHours(detail.value)} />
        </FormField>
      </SpaceBetween>
    </Confirm>
  );
}
