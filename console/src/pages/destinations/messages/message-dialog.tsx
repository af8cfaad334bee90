import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useRead } from '#console/api/queries.ts';
import type { Attempt, Message } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { OwnerButton } from '#console/shared/role.tsx';
import { QueryResult } from '#console/shared/states.tsx';
import Table from '#console/shared/table.tsx';
import { Link } from '#console/shell/link.tsx';
import { messagePath } from '../destinations.ts';
import { useReplay, useWatch } from '../use-destinations.ts';
import {
  attemptWords,
  canReplay,
  durationText,
  MESSAGE_STATUS_WORDS,
  messageSubject,
  messageTypeName,
} from './message-words.ts';

interface MessageDialogProps {
  readonly messageId: string;
  /** A replay has begun. */
  readonly onReplay: () => void;
  readonly onClose: () => void;
}

/** One message with all its attempts. */
export function MessageDialog({ messageId, onReplay, onClose }: MessageDialogProps) {
  const { watch, refetchInterval } = useWatch();
  const read = useRead<Message>(messagePath(messageId), {}, { refetchInterval });
  const { replay, isPending } = useReplay(() => {
    watch();
    onReplay();
  });
  return (
    <Modal
      visible
      size="large"
      header="Message"
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            {read.data && canReplay(read.data) && (
              <OwnerButton loading={isPending} onClick={() => read.data && replay(read.data)}>
                Replay
              </OwnerButton>
            )}
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <QueryResult of={read} what="the message" inDialog>
        {(message) => <MessageDetail message={message} />}
      </QueryResult>
    </Modal>
  );
}

function MessageDetail({ message }: { readonly message: Message }) {
  const { type, status, createdAt, attempts, nextAttemptAt, answerExcerpt } = message;
  const subject = messageSubject(message);
  return (
    <SpaceBetween size="l">
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Event', value: messageTypeName(type) },
          {
            label: 'Status',
            value: (
              <>
                <MessageState message={message} />
                <Box fontSize="body-s" color="text-body-secondary">
                  {MESSAGE_STATUS_WORDS[status].detail}
                </Box>
              </>
            ),
          },
          { label: 'Created', value: <Moment at={createdAt} /> },
          {
            label: 'Next attempt',
            value: nextAttemptAt === undefined ? '–' : <Moment at={nextAttemptAt} />,
          },
          {
            label: subject.name,
            value: subject.href === undefined ? subject.id : <Link href={subject.href}>{subject.id}</Link>,
          },
          {
            label: 'Message ID',
            value: (
              <span className="value">
                <Copyable text={message.messageId} what="message ID" />
              </span>
            ),
          },
        ]}
      />
      <AttemptsTable attempts={attempts} />
      {answerExcerpt !== undefined && answerExcerpt !== '' && <AnswerExcerpt text={answerExcerpt} />}
    </SpaceBetween>
  );
}

export function MessageState({ message }: { readonly message: Message }) {
  const { type, text } = MESSAGE_STATUS_WORDS[message.status];
  return <StatusIndicator type={type}>{text}</StatusIndicator>;
}

/** The newest attempt, how many there were, and when the next one is due. */
export function LastAttempt({ message: { attempts, nextAttemptAt } }: { readonly message: Message }) {
  const last = attempts.at(-1);
  return (
    <>
      {last ? attemptWords(last).text : 'No attempts yet'}
      {(attempts.length > 1 || nextAttemptAt !== undefined) && (
        <Box fontSize="body-s" color="text-body-secondary">
          {attempts.length > 1 && `${attempts.length} attempts${nextAttemptAt === undefined ? '' : '. '}`}
          {nextAttemptAt !== undefined && (
            <>
              Next attempt <Moment at={nextAttemptAt} />
            </>
          )}
        </Box>
      )}
    </>
  );
}

/** Newest first. */
function AttemptsTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <Table
      variant="embedded"
      items={attempts.toReversed()}
      wrapLines
      ariaLabels={{ tableLabel: 'Attempts' }}
      empty={<Box color="inherit">No attempts yet.</Box>}
      columnDefinitions={[
        { id: 'at', header: 'Time', minWidth: 150, cell: ({ at }) => <Moment at={at} /> },
        {
          id: 'result',
          header: 'Result',
          isRowHeader: true,
          minWidth: 180,
          cell: (attempt) => {
            const { text, advice } = attemptWords(attempt);
            return (
              <>
                {text}
                {advice !== undefined && (
                  <Box fontSize="body-s" color="text-body-secondary">
                    {advice}
                  </Box>
                )}
              </>
            );
          },
        },
        {
          id: 'duration',
          header: 'Duration',
          minWidth: 90,
          cell: ({ milliseconds }) => durationText(milliseconds),
        },
      ]}
    />
  );
}

/** The response is the receiver's text: shown as it is, and never as markup. */
export function AnswerExcerpt({ text }: { readonly text: string }) {
  return (
    <Box color="inherit">
      Start of the response:
      <Box variant="code" color="inherit">
        <span className="value value-lines">{text}</span>
      </Box>
    </Box>
  );
}
