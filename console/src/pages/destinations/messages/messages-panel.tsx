import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useRead } from '#console/api/queries.ts';
import type { Message, MessagePage } from '#console/api/types.ts';
import { CursorPager, useCursorPages } from '#console/shared/cursor-pages.tsx';
import { Empty, Failed } from '#console/shared/states.tsx';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { Link } from '#console/shell/link.tsx';
import { MESSAGE_STATUSES } from '#sending/message.ts';
import { destinationPath } from '../destination-paths.ts';
import { useReplay } from '../use-destinations.ts';
import { messageColumns } from './message-columns.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { leadHref, MESSAGE_STATUS_WORDS } from './message-words.ts';
import { ReplaySince } from './replay-since.tsx';

interface MessagesPanelProps {
  readonly destinationId: string;
  readonly refetchInterval: number;
  /** Something is being sent: refetch often for a while. */
  readonly onSending: () => void;
}

const STATUS_OPTIONS = [
  { value: '', label: 'All statuses' },
  ...MESSAGE_STATUSES.map((value) => ({ value, label: MESSAGE_STATUS_WORDS[value].text })),
];

export function MessagesPanel(props: MessagesPanelProps) {
  const [parameters, choose] = useUrlParameters();
  const status = STATUS_OPTIONS.find(({ value }) => value === parameters.get('status')) ?? STATUS_OPTIONS[0];
  const filter = (
    <div className="narrow-select">
      <Select
        selectedOption={status ?? null}
        options={STATUS_OPTIONS}
        ariaLabel="Filter by status"
        onChange={({ detail }) => choose({ status: detail.selectedOption.value || undefined })}
      />
    </div>
  );
  // Another filter starts on its first page.
  return <MessagesTable key={status?.value} {...props} status={status?.value || undefined} filter={filter} />;
}

interface MessagesTableProps extends MessagesPanelProps {
  readonly status: string | undefined;
  readonly filter: TableProps['filter'];
}

const PAGE = 50;

function MessagesTable({ destinationId, refetchInterval, onSending, status, filter }: MessagesTableProps) {
  const pages = useCursorPages();
  const [open, setOpen] = useState<string>();
  const [replaying, setReplaying] = useState(false);
  const { replay } = useReplay(onSending);
  const read = useRead<MessagePage>(
    `${destinationPath(destinationId)}/messages`,
    { status, limit: PAGE, cursor: pages.cursor },
    { refetchInterval },
  );
  if (read.data === undefined && !read.isPending)
    return <Failed error={read.error} what="the messages" onRetry={() => void read.refetch()} />;

  const { messages = [], cursor: next } = read.data ?? {};
  return (
    <>
      <Table
        header={
          <Header
            variant="h2"
            counter={read.data && `(${messages.length}${next === undefined && pages.isFirst ? '' : '+'})`}
            description="Newest first. Kept for up to 30 days."
            actions={<Button onClick={() => setReplaying(true)}>Replay failed</Button>}
          >
            Messages
          </Header>
        }
        filter={filter}
        items={messages}
        loading={read.isPending}
        loadingText="Loading the messages"
        trackBy="messageId"
        columnDefinitions={messageColumns(LEAD, {
          onOpen: ({ messageId }) => setOpen(messageId),
          onReplay: replay,
        })}
        ariaLabels={{ tableLabel: 'Messages' }}
        enableKeyboardNavigation
        wrapLines
        pagination={<CursorPager pages={pages} next={next} what="messages" />}
        empty={
          <MessagesEmpty
            isFiltered={status !== undefined}
            onLookFurther={next === undefined ? undefined : () => pages.older(next)}
          />
        }
      />
      {open !== undefined && (
        <MessageDialog messageId={open} onReplay={onSending} onClose={() => setOpen(undefined)} />
      )}
      {replaying && (
        <ReplaySince
          destinationId={destinationId}
          onStarted={onSending}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  );
}

const LEAD: TableProps.ColumnDefinition<Message> = {
  id: 'lead',
  header: 'Lead',
  minWidth: 135,
  cell: (message) => {
    const href = leadHref(message);
    const end = message.submissionId?.slice(-8);
    if (href === undefined) return '–';
    return (
      <Link href={href} ariaLabel={`Lead ending in ${end}`}>
        …{end}
      </Link>
    );
  },
};

interface MessagesEmptyProps {
  readonly isFiltered: boolean;
  /** Set if older messages may match the filter. */
  readonly onLookFurther: (() => void) | undefined;
}

function MessagesEmpty({ isFiltered, onLookFurther }: MessagesEmptyProps) {
  if (onLookFurther) {
    return (
      <Empty title="No matches yet" action={<Button onClick={onLookFurther}>Search older messages</Button>}>
        None of the newest messages has this status. Older ones might.
      </Empty>
    );
  }
  if (isFiltered)
    return <Empty title="No messages have this status">Choose all statuses to see all messages.</Empty>;
  return (
    <Empty title="No messages">
      Messages appear here as soon as a lead comes in or you send a test event.
    </Empty>
  );
}
