import Button from '@cloudscape-design/components/button';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { resetProblem } from './sign-in-errors.ts';

type Sending =
  | { readonly step: 'idle' | 'busy' | 'sent' }
  | { readonly step: 'failed'; readonly why: string };

/** For a mail that does not come, or a code that is too old by now. */
export function SendNewCode({ send }: { readonly send: () => Promise<void> }) {
  const [sending, setSending] = useState<Sending>({ step: 'idle' });

  async function sendAgain() {
    setSending({ step: 'busy' });
    try {
      await send();
      setSending({ step: 'sent' });
    } catch (error) {
      setSending({ step: 'failed', why: resetProblem(error) });
    }
  }

  return (
    <SpaceBetween size="xs">
      <Button
        variant="inline-link"
        formAction="none"
        loading={sending.step === 'busy'}
        onClick={() => void sendAgain()}
      >
        Send a new code
      </Button>
      <LiveRegion>
        {sending.step === 'sent' && (
          <StatusIndicator type="success">
            A new code was sent. Enter the one in the newest email.
          </StatusIndicator>
        )}
        {sending.step === 'failed' && <StatusIndicator type="error">{sending.why}</StatusIndicator>}
      </LiveRegion>
    </SpaceBetween>
  );
}
