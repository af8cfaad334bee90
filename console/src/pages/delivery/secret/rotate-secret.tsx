import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { deliveryPath, useChange } from '#console/api/queries.ts';
import type { Delivery } from '#console/api/types.ts';
import { Confirm } from '#console/shared/dialogs.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { GRACE_PERIODS, previousOf, previousUse, SUGGESTED_GRACE_SECONDS } from '../delivery-rules.ts';

interface SecretStateProps {
  readonly delivery: Delivery;
  readonly onEndGrace: () => void;
}

export function SecretState({ delivery, onEndGrace }: SecretStateProps) {
  const { secret } = delivery;
  const previousSecret = previousOf(delivery);
  return (
    <SpaceBetween size="m">
      <KeyValuePairs
        columns={3}
        items={[
          { label: 'Status', value: <StatusIndicator type="success">Set</StatusIndicator> },
          { label: 'Set on', value: secret.setAt === undefined ? '–' : <Moment at={secret.setAt} /> },
          {
            label: 'Last used',
            value: secret.lastUsedAt === undefined ? 'Never' : <Moment at={secret.lastUsedAt} />,
          },
        ]}
      />
      {previousSecret && (
        <Alert
          type={previousUse(secret.setAt, previousSecret.lastUsedAt) === 'still' ? 'warning' : 'info'}
          header={
            <>
              The previous secret works until <Moment at={previousSecret.worksUntil} />
            </>
          }
          action={<OwnerButton onClick={onEndGrace}>Expire now</OwnerButton>}
        >
          <PreviousUse setAt={secret.setAt} lastUsedAt={previousSecret.lastUsedAt} by="before then" />
        </Alert>
      )}
    </SpaceBetween>
  );
}

interface PreviousUseProps {
  readonly setAt: string | undefined;
  readonly lastUsedAt: string | undefined;
  /** When the senders must have the new secret. "Before then" needs a time that was named before. */
  readonly by: 'before then' | 'first';
}

function PreviousUse({ setAt, lastUsedAt, by }: PreviousUseProps) {
  switch (previousUse(setAt, lastUsedAt)) {
    case 'still':
      return (
        <>
          A sender still uses it, last on <Moment at={lastUsedAt ?? ''} />.{' '}
          {`Give that sender the new secret ${by}.`}
        </>
      );
    case 'before':
      return (
        <>
          It hasn’t been used since the rotation. Last used on <Moment at={lastUsedAt ?? ''} />.
        </>
      );
    case 'never':
      return <>It has never been used.</>;
  }
}

interface RotateSecretProps {
  readonly delivery: Delivery;
  readonly onMade: (secret: string) => void;
  readonly onCancel: () => void;
}

export function RotateSecret({ delivery, onMade, onCancel }: RotateSecretProps) {
  const [graceSeconds, setGraceSeconds] = useState(SUGGESTED_GRACE_SECONDS);
  const notify = useNotify();
  const rotate = useChange<'rotateSecret'>((body) => ({
    method: 'POST',
    path: `${deliveryPath(delivery.formId)}/rotate`,
    body,
  }));
  // As in NoSecret: the new secret must survive leaving the page.
  async function make() {
    const made = await rotate.mutateAsync({ graceSeconds }).catch(() => undefined);
    if (!made) return;
    notify('success', 'Webhook secret rotated. Give the new secret to every sender.');
    onMade(made.secret);
  }

  return (
    <Confirm
      title="Rotate webhook secret"
      confirm="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      onCancel={onCancel}
      onConfirm={() => void make()}
    >
      <SpaceBetween size="m">
        <div>This generates a new secret and shows it once. The new secret works immediately.</div>
        <FormField label="Keep the current secret working for">
          <RadioGroup
            value={String(graceSeconds)}
            onChange={({ detail }) => setGraceSeconds(Number(detail.value))}
            items={GRACE_PERIODS.map(({ seconds, label, description }) => ({
              value: String(seconds),
              label,
              description,
            }))}
          />
        </FormField>
        {previousOf(delivery) && (
          <div>
            The previous secret from the last rotation stops working now. Only the two newest secrets can work
            at the same time.
          </div>
        )}
      </SpaceBetween>
    </Confirm>
  );
}

interface EndGraceProps {
  readonly delivery: Delivery;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function EndGrace({ delivery, onDone, onCancel }: EndGraceProps) {
  const notify = useNotify();
  const end = useChange<'endGrace', void>(() => ({
    method: 'DELETE',
    path: `${deliveryPath(delivery.formId)}/previous-secret`,
  }));
  return (
    <Confirm
      title="Expire the previous secret?"
      confirm="Expire now"
      busy={end.isPending}
      error={end.error}
      onCancel={onCancel}
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess: () => {
            notify('success', 'Previous webhook secret expired.');
            onDone();
          },
        })
      }
    >
      <SpaceBetween size="s">
        <div>Senders that still use it will be rejected. You can’t undo this.</div>
        <div>
          <PreviousUse
            setAt={delivery.secret.setAt}
            lastUsedAt={previousOf(delivery)?.lastUsedAt}
            by="first"
          />
        </div>
      </SpaceBetween>
    </Confirm>
  );
}
