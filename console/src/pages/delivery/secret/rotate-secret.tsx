import FormField from '@cloudscape-design/components/form-field';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useChange } from '#console/api/queries.ts';
import type { Delivery } from '#console/api/types.ts';
import { Confirm } from '#console/shared/confirm.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { deliveryPath } from '../use-delivery.ts';
import { GRACES, SUGGESTED_GRACE_SECONDS } from './graces.ts';
import { previousOf } from './previous-use.ts';

interface RotateSecretProps {
  readonly delivery: Delivery;
  readonly onMade: (secret: string) => void;
  readonly onCancel: () => void;
}

export function RotateSecret({ delivery, onMade, onCancel }: RotateSecretProps) {
  const [graceSeconds, setGraceSeconds] = useState(SUGGESTED_GRACE_SECONDS);
  const notify = useNotify();
  const rotate = useChange<{ graceSeconds: number }, { secret: string }>((body) => ({
    method: 'POST',
    path: `${deliveryPath(delivery.formId)}/rotate`,
    body,
  }));
  // As in NoSecret: the new secret must not be lost to an owner who goes back meanwhile.
  async function make() {
    const made = await rotate.mutateAsync({ graceSeconds }).catch(() => undefined);
    if (!made) return;
    notify('success', 'The secret was rotated. Give the new one to every sender.');
    onMade(made.secret);
  }

  return (
    <Confirm
      title="Rotate the secret"
      confirm="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      onCancel={onCancel}
      onConfirm={() => void make()}
    >
      <SpaceBetween size="m">
        <div>A new secret is generated and shown once. It works at once.</div>
        <FormField label="How long the old secret works beside it">
          <RadioGroup
            value={String(graceSeconds)}
            onChange={({ detail }) => setGraceSeconds(Number(detail.value))}
            items={GRACES.map(({ seconds, label, description }) => ({
              value: String(seconds),
              label,
              description,
            }))}
          />
        </FormField>
        {previousOf(delivery) && (
          <div>
            The secret from the rotation before this one still works. It ends now: only the newest two can
            work at a time.
          </div>
        )}
      </SpaceBetween>
    </Confirm>
  );
}
