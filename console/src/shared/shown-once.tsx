import Alert, { type AlertProps } from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef } from 'react';
import { Copyable } from './copyable.tsx';

interface ShownOnceProps {
  readonly title: string;
  readonly value: string;
  readonly what: string;
  /** Just created: the button that had the focus is often gone. */
  readonly takesFocus: boolean;
  readonly onStored: () => void;
}

/** A secret that can be shown only once. It stays until the owner confirms having saved it. */
export function ShownOnce({ title, value, what, takesFocus, onStored }: ShownOnceProps) {
  const alert = useRef<AlertProps.Ref>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is another secret to be told of.
  useEffect(() => {
    if (takesFocus) alert.current?.focus();
  }, [takesFocus, value]);
  return (
    <Alert
      ref={alert}
      type="success"
      header={<LiveRegion tagName="span">{title}</LiveRegion>}
      action={
        <Button onClick={onStored} ariaLabel={`I’ve saved it: hide the ${what}`}>
          I’ve saved it
        </Button>
      }
    >
      <SpaceBetween size="xs">
        <Box variant="code">
          <span className="value" data-testid="shown-once">
            <Copyable text={value} what={what} />
          </span>
        </Box>
        <Box color="inherit">
          Copy it now. You won’t be able to see it again after you confirm or reload the page.
        </Box>
      </SpaceBetween>
    </Alert>
  );
}
