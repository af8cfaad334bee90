import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRead } from '../../api/queries.ts';
import type { Alert } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { QueryResult } from '../../shared/states.tsx';
import { AlertState } from './alert-history.tsx';
import { ALERT_NAMES, ALERTS_PATH } from './alert-words.ts';
import { AlertFix, TextLines } from './open-alerts.tsx';

interface AlertDialogProps {
  readonly alertId: string;
  readonly onClose: () => void;
}

/** One alert with its texts. Read by its ID, since a message may link to an alert on an older page. */
export function AlertDialog({ alertId, onClose }: AlertDialogProps) {
  const read = useRead<Alert>(`${ALERTS_PATH}/${encodeURIComponent(alertId)}`);
  return (
    <Modal
      visible
      header={<span className="value">{read.data?.title ?? 'Alert'}</span>}
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </Box>
      }
    >
      <QueryResult of={read} what="the alert" inDialog>
        {(alert) => <AlertDetail alert={alert} />}
      </QueryResult>
    </Modal>
  );
}

function AlertDetail({ alert }: { readonly alert: Alert }) {
  const { kind, since, openedAt, closedAt, text, closedTitle, closedText } = alert;
  return (
    <SpaceBetween size="l">
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Status', value: <AlertState alert={alert} /> },
          { label: 'Kind', value: ALERT_NAMES[kind] },
          { label: 'Since', value: <Moment at={since} /> },
          { label: 'Opened', value: <Moment at={openedAt} /> },
          ...(closedAt === undefined ? [] : [{ label: 'Closed', value: <Moment at={closedAt} /> }]),
        ]}
      />
      <SpaceBetween size="xs">
        <TextLines text={text} />
        <AlertFix alert={alert} />
      </SpaceBetween>
      {closedTitle !== undefined && (
        <div>
          <Box variant="strong">{closedTitle}</Box>
          <TextLines text={closedText ?? ''} />
        </div>
      )}
    </SpaceBetween>
  );
}
