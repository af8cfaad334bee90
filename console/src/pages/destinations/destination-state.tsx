import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Destination } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { stateWords } from './destination-words.ts';

export function DestinationState({ destination }: { readonly destination: Destination }) {
  const { type, text } = stateWords(destination);
  return <StatusIndicator type={type}>{text}</StatusIndicator>;
}

interface StateAlertProps {
  readonly destination: Destination;
  readonly busy: boolean;
  readonly onActivate: () => void;
}

/** Why messages aren't arriving, and what to do about it. */
export function StateAlert({ destination, busy, onActivate }: StateAlertProps) {
  const { status, health, disabledAt } = destination;
  const { text, detail } = stateWords(destination);
  if (detail === undefined) return null;
  const since = status === 'disabled' ? disabledAt : status === 'active' ? health.failingSince : undefined;
  const isStopped = status !== 'active';
  return (
    <Alert
      type={status === 'disabled' ? 'error' : status === 'paused' ? 'info' : 'warning'}
      header={
        since === undefined ? (
          `This destination is ${text.toLowerCase()}`
        ) : (
          <>
            {text} since <Moment at={since} />
          </>
        )
      }
      action={
        isStopped && (
          <Button loading={busy} onClick={onActivate}>
            {status === 'paused' ? 'Resume' : 'Activate'}
          </Button>
        )
      }
    >
      {detail}
    </Alert>
  );
}
