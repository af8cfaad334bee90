import Button from '@cloudscape-design/components/button';
import type { TableProps } from '@cloudscape-design/components/table';
import type { Message } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { LastAttempt, MessageState } from './message-dialog.tsx';
import { canReplay, messageTypeName } from './message-words.ts';

interface ColumnActions {
  readonly onOpen: (message: Message) => void;
  readonly onReplay: (message: Message) => void;
}

/** The columns of every list of messages; `about` says whose they are. */
export function messageColumns(
  about: TableProps.ColumnDefinition<Message>,
  { onOpen, onReplay }: ColumnActions,
): TableProps.ColumnDefinition<Message>[] {
  const nameOf = ({ type, createdAt }: Message) => `${messageTypeName(type)}, ${createdAt}`;
  return [
    {
      id: 'event',
      header: 'Event',
      isRowHeader: true,
      minWidth: 130,
      cell: (message) => (
        <Button
          variant="inline-link"
          ariaLabel={`Details of ${nameOf(message)}`}
          onClick={() => onOpen(message)}
        >
          {messageTypeName(message.type)}
        </Button>
      ),
    },
    about,
    {
      id: 'created',
      header: 'Created',
      minWidth: 130,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'status',
      header: 'Status',
      minWidth: 140,
      cell: (message) => <MessageState message={message} />,
    },
    {
      id: 'last',
      header: 'Last attempt',
      minWidth: 180,
      cell: (message) => <LastAttempt message={message} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      minWidth: 90,
      cell: (message) =>
        canReplay(message) ? (
          <OwnerButton
            variant="inline-link"
            ariaLabel={`Replay ${nameOf(message)}`}
            onClick={() => onReplay(message)}
          >
            Replay
          </OwnerButton>
        ) : (
          '–'
        ),
    },
  ];
}
