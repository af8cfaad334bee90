import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import Table from '#console/shared/table.tsx';
import { useRead } from '../../api/queries.ts';
import type { Alert, AlertPage } from '../../api/types.ts';
import { CursorPager, useCursorPages } from '../../shared/cursor-pages.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Empty, Failed, QueryResult } from '../../shared/states.tsx';
import { ALERT_NAMES, ALERTS_PATH, endOf } from './alert-words.ts';
import { AlertFix, REFRESH, Seen, TextLines } from './open-alerts.tsx';

const PAGE = 50;

interface AlertHistoryProps {
  readonly onOpen: (alertId: string) => void;
}

export function AlertHistory({ onOpen }: AlertHistoryProps) {
  const pages = useCursorPages();
  const read = useRead<AlertPage>(ALERTS_PATH, { limit: PAGE, cursor: pages.cursor }, REFRESH);
  if (read.data === undefined && !read.isPending) return <Failed error={read.error} what="the history" />;
  const { alerts = [], cursor: next } = read.data ?? {};
  return (
    <Table
      header={
        <Header variant="h2" description="Newest first. Kept for 90 days after an alert was closed.">
          History
        </Header>
      }
      items={alerts}
      loading={read.isPending}
      loadingText="Loading the history"
      trackBy="alertId"
      columnDefinitions={columns(onOpen)}
      ariaLabels={{ tableLabel: 'History' }}
      enableKeyboardNavigation
      wrapLines
      pagination={<CursorPager pages={pages} next={next} what="alerts" />}
      empty={
        <Empty title="No alerts yet">
          You get an alert when leads may be getting lost: a sender’s leads are rejected, a form has been
          quiet for unusually long, or a destination fails. Alerts are shown here and sent to your
          destinations.
        </Empty>
      }
    />
  );
}

function columns(onOpen: AlertHistoryProps['onOpen']): TableProps.ColumnDefinition<Alert>[] {
  return [
    {
      id: 'title',
      header: 'Alert',
      isRowHeader: true,
      minWidth: 220,
      cell: ({ alertId, title, openedAt }) => (
        <Button
          variant="inline-link"
          ariaLabel={`Details of ${title}, ${openedAt}`}
          onClick={() => onOpen(alertId)}
        >
          {title}
        </Button>
      ),
    },
    { id: 'kind', header: 'Kind', minWidth: 140, cell: ({ kind }) => ALERT_NAMES[kind] },
    { id: 'opened', header: 'Opened', minWidth: 130, cell: ({ openedAt }) => <Moment at={openedAt} /> },
    {
      id: 'closed',
      header: 'Closed',
      minWidth: 130,
      cell: ({ closedAt }) => (closedAt === undefined ? '–' : <Moment at={closedAt} />),
    },
    { id: 'state', header: 'Status', minWidth: 150, cell: (alert) => <AlertState alert={alert} /> },
  ];
}

function AlertState({ alert }: { readonly alert: Alert }) {
  const { type, text } = endOf(alert) ?? ({ type: 'warning', text: 'Open' } as const);
  return <StatusIndicator type={type}>{text}</StatusIndicator>;
}

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
        <Seen alert={alert} />
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
