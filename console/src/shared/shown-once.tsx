import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Copyable } from './copyable.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly value: string;
  readonly what: string;
  readonly onDismiss: () => void;
}

/** A secret that nobody can show again: it stays until the owner puts it away. */
export function ShownOnce({ title, value, what, onDismiss }: ShownOnceProps) {
  return (
    <Alert
      type="success"
      header={title}
      dismissible
      dismissAriaLabel={`Hide the ${what}`}
      onDismiss={onDismiss}
    >
      <SpaceBetween size="xs">
        <Box variant="code">
          <span className="value" data-testid="shown-once">
            <Copyable text={value} what={what} />
          </span>
        </Box>
        <Box color="inherit">Copy it now: it is not kept in a form that could be shown again.</Box>
      </SpaceBetween>
    </Alert>
  );
}
