import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Delivery } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { previousOf, previousUse } from './secret-rules.ts';

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
          action={<Button onClick={onEndGrace}>Expire now</Button>}
        >
          <PreviousUse setAt={secret.setAt} lastUsedAt={previousSecret.lastUsedAt} />
        </Alert>
      )}
    </SpaceBetween>
  );
}

interface PreviousUseProps {
  readonly setAt: string | undefined;
  readonly lastUsedAt: string | undefined;
}

export function PreviousUse({ setAt, lastUsedAt }: PreviousUseProps) {
  switch (previousUse(setAt, lastUsedAt)) {
    case 'still':
      return (
        <>
          A sender still uses it, last on <Moment at={lastUsedAt ?? ''} />. Give that sender the new secret
          before then.
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
