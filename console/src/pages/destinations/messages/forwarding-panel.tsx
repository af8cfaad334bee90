import Header from '@cloudscape-design/components/header';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useRead } from '#console/api/queries.ts';
import type { Message } from '#console/api/types.ts';
import { Empty, Failed } from '#console/shared/states.tsx';
import Table from '#console/shared/table.tsx';
import { Link } from '#console/shell/link.tsx';
import { destinationHref } from '../destinations.ts';
import { useDestinations, useReplay, useWatch } from '../use-destinations.ts';
import { messageColumns } from './message-columns.tsx';
import { MessageDialog } from './message-dialog.tsx';

/** On a lead's page: where the lead was sent, and how that went. */
export default function ForwardingPanel({ submissionId }: { readonly submissionId: string }) {
  const [open, setOpen] = useState<string>();
  const { watch, refetchInterval } = useWatch();
  const { replay } = useReplay(watch);
  const destinations = useDestinations();
  const read = useRead<{ messages: Message[] }>(
    `/settings/leads/${encodeURIComponent(submissionId)}/messages`,
    {},
    { refetchInterval },
  );
  if (read.data === undefined && !read.isPending) return <Failed error={read.error} what="the messages" />;
  const { messages = [] } = read.data ?? {};
  const names = new Map(
    destinations.data?.destinations.map(({ destinationId, name }) => [destinationId, name]),
  );
  return (
    <>
      <Table
        header={
          <Header
            variant="h2"
            counter={read.data && `(${messages.length})`}
            description="Messages about this lead to your destinations."
          >
            Forwarding
          </Header>
        }
        items={messages}
        loading={read.isPending}
        loadingText="Loading the messages"
        trackBy="messageId"
        columnDefinitions={messageColumns(destinationColumn(names), {
          onOpen: ({ messageId }) => setOpen(messageId),
          onReplay: replay,
        })}
        ariaLabels={{ tableLabel: 'Forwarding' }}
        wrapLines
        empty={
          <Empty title="Not forwarded">
            No destination matched this lead, or none existed when it came in.{' '}
            <Link href="/destinations">View destinations</Link>
          </Empty>
        }
      />
      {open !== undefined && (
        <MessageDialog messageId={open} onReplay={watch} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

function destinationColumn(names: ReadonlyMap<string, string>): TableProps.ColumnDefinition<Message> {
  return {
    id: 'destination',
    header: 'Destination',
    minWidth: 130,
    cell: ({ destinationId }) => (
      <span className="value">
        <Link href={destinationHref(destinationId)}>{names.get(destinationId) ?? destinationId}</Link>
      </span>
    ),
  };
}
