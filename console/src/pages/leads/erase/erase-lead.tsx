import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useNotify } from '#console/shell/notifications.tsx';
import { ConfirmErase } from './confirm-erase.tsx';

interface EraseLeadProps {
  readonly leadId: string;
  /** Where to go when the lead is gone. */
  readonly back: string;
}

export function EraseLead({ leadId, back }: EraseLeadProps) {
  const [asking, setAsking] = useState(false);
  const [, go] = useLocation();
  const notify = useNotify();
  return (
    <>
      <Button onClick={() => setAsking(true)}>Delete</Button>
      {asking && (
        <ConfirmErase
          leadIds={[leadId]}
          onCancel={() => setAsking(false)}
          onDone={() => {
            go(back, { replace: true });
            notify('success', 'The lead is deleted.');
          }}
        />
      )}
    </>
  );
}
