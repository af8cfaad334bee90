import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import TextFilter from '@cloudscape-design/components/text-filter';
import { type ReactNode, useState } from 'react';
import { OwnerButton } from '#console/shared/role.tsx';
import Table from '#console/shared/table.tsx';
import { errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { ListedSender } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { Empty } from '../../shared/states.tsx';
import { useNotify } from '../../shell/notifications.tsx';

export function usePutSender() {
  return useChange<'putSender'>((body) => ({ method: 'PUT', path: '/settings/senders', body }));
}

interface SendersTableProps {
  /** Newest first. At most 500, so they are filtered here. */
  readonly senders: readonly ListedSender[];
  readonly header: ReactNode;
  readonly onAdd: () => void;
}

const FILTER_FROM = 8;

export function SendersTable({ senders, header, onAdd }: SendersTableProps) {
  const [text, setText] = useState('');
  const shown = senders.filter(({ sender }) => sender.includes(text.trim().toLowerCase()));
  return (
    <Table
      header={header}
      items={shown}
      trackBy="sender"
      wrapLines
      enableKeyboardNavigation
      ariaLabels={{ tableLabel: 'Senders' }}
      filter={
        senders.length >= FILTER_FROM && (
          <TextFilter
            filteringText={text}
            filteringPlaceholder="Find a sender"
            filteringAriaLabel="Find a sender"
            filteringClearAriaLabel="Clear"
            countText={`${shown.length} of ${senders.length}`}
            onChange={({ detail }) => setText(detail.filteringText)}
          />
        )
      }
      empty={
        senders.length > 0 ? (
          <Empty title="No senders match">Try another part of the address or domain.</Empty>
        ) : (
          <Empty title="No senders yet" action={<OwnerButton onClick={onAdd}>Add sender</OwnerButton>}>
            Review a lead, or add an email address or a company’s domain.
          </Empty>
        )
      }
      columnDefinitions={[
        {
          id: 'sender',
          header: 'Sender',
          isRowHeader: true,
          minWidth: 140,
          cell: ({ sender }) => <span className="value">{sender}</span>,
        },
        {
          id: 'status',
          header: 'Status',
          minWidth: 120,
          cell: ({ status }) =>
            status === 'trusted' ? (
              <StatusIndicator type="success">Trusted</StatusIndicator>
            ) : (
              <StatusIndicator type="error">Blocked</StatusIndicator>
            ),
        },
        {
          id: 'added',
          header: 'Added',
          minWidth: 150,
          cell: ({ addedAt, submissionId }) => (
            <>
              <Moment at={addedAt} />
              <div>{submissionId === undefined ? 'By hand' : 'By a review'}</div>
            </>
          ),
        },
        { id: 'actions', header: 'Actions', minWidth: 120, cell: (sender) => <SenderActions {...sender} /> },
      ]}
    />
  );
}

function SenderActions({ sender, status }: ListedSender) {
  const notify = useNotify();
  const put = usePutSender();
  const other = status === 'trusted' ? 'blocked' : 'trusted';
  const change = (to: ListedSender['status'] | null) =>
    put.mutate(
      { sender, status: to },
      {
        onSuccess: () => notify('success', to === null ? `${sender} removed.` : `${sender} is now ${to}.`),
        onError: (error) => notify('error', `Couldn’t change ${sender}. ${errorMessage(error)}`),
      },
    );
  const verb = other === 'trusted' ? 'Trust' : 'Block';
  return (
    <SpaceBetween direction="horizontal" size="s">
      <OwnerButton
        variant="inline-link"
        disabled={put.isPending}
        ariaLabel={`${verb} ${sender}`}
        onClick={() => change(other)}
      >
        {verb}
      </OwnerButton>
      <OwnerButton
        variant="inline-link"
        disabled={put.isPending}
        ariaLabel={`Remove ${sender}`}
        onClick={() => change(null)}
      >
        Remove
      </OwnerButton>
    </SpaceBetween>
  );
}
