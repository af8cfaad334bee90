import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useChange, useRead } from '#console/api/queries.ts';
import type { Message, MessagePage } from '#console/api/types.ts';
import { CursorPager, useCursorPages } from '#console/shared/cursor-pages.tsx';
import { Confirm } from '#console/shared/dialogs.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { Empty, Failed } from '#console/shared/states.tsx';
import Table from '#console/shared/table.tsx';
import { useUrlParameters } from '#console/shared/url-parameters.ts';
import { Link } from '#console/shell/link.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { MESSAGE_STATUSES } from '#sending/message.ts';
import { destinationPath } from '../destinations.ts';
import { useReplay } from '../use-destinations.ts';
import { messageColumns } from './message-columns.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { MESSAGE_STATUS_WORDS, messageSubject } from './message-words.ts';

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
  if (read.data === undefined && !read.isPending) return <Failed error={read.error} what="the messages" />;

  const { messages = [], cursor: next } = read.data ?? {};
  return (
    <>
      <Table
        header={
          <Header
            variant="h2"
            counter={read.data && `(${messages.length}${next === undefined && pages.isFirst ? '' : '+'})`}
            description="Newest first. Kept for up to 30 days."
            actions={<OwnerButton onClick={() => setReplaying(true)}>Replay failed</OwnerButton>}
          >
            Messages
          </Header>
        }
        filter={filter}
        items={messages}
        loading={read.isPending}
        loadingText="Loading the messages"
        trackBy="messageId"
        columnDefinitions={messageColumns(SUBJECT, {
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

const SUBJECT: TableProps.ColumnDefinition<Message> = {
  id: 'subject',
  header: 'Lead or alert',
  minWidth: 135,
  cell: (message) => {
    const { name, id, href } = messageSubject(message);
    const end = id.slice(-8);
    if (href === undefined) return '–';
    return (
      <Link href={href} ariaLabel={`${name} ending in ${end}`}>
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
      Messages appear here as soon as a lead comes in, an alert opens or you send a test event.
    </Empty>
  );
}

const HOUR_MS = 60 * 60 * 1000;
const SUGGESTED_HOURS = '24';

const PERIODS = [
  { value: '1', label: 'The last hour' },
  { value: SUGGESTED_HOURS, label: 'The last 24 hours' },
  { value: String(7 * 24), label: 'The last 7 days' },
  { value: String(30 * 24), label: 'The last 30 days', description: 'All messages that are kept.' },
];

interface ReplaySinceProps {
  readonly destinationId: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}

/** Sends again everything that hasn't arrived since a time. */
function ReplaySince({ destinationId, onStarted, onClose }: ReplaySinceProps) {
  const [hours, setHours] = useState(SUGGESTED_HOURS);
  const notify = useNotify();
  const replay = useChange<'replayMessages'>((body) => ({
    method: 'POST',
    path: `${destinationPath(destinationId)}/replay`,
    body,
  }));
  return (
    <Confirm
      title="Replay failed messages"
      confirm="Replay"
      busy={replay.isPending}
      error={replay.error}
      onCancel={onClose}
      onConfirm={() =>
        replay.mutate(
          { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() },
          {
            onSuccess: () => {
              notify('success', 'The messages are being sent again.');
              onStarted();
              onClose();
            },
          },
        )
      }
    >
      <SpaceBetween size="m">
        <div>Resends every message that failed, is being retried or is on hold.</div>
        <FormField label="Time range">
          <RadioGroup value={hours} items={PERIODS} onChange={({ detail }) => setHours(detail.value)} />
        </FormField>
      </SpaceBetween>
    </Confirm>
  );
}
