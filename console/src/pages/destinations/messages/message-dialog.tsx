import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRead } from '#console/api/queries.ts';
import type { Message } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { Moment } from '#console/shared/moment.tsx';
import { QueryResult } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { messagePath } from '../destination-paths.ts';
import { useReplay, useWatch } from '../use-destinations.ts';
import { AnswerExcerpt, AttemptsTable, MessageState } from './attempts.tsx';
import { canReplay, leadHref, MESSAGE_STATUS_WORDS, messageTypeName } from './message-words.ts';

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
              <Button loading={isPending} onClick={() => read.data && replay(read.data)}>
                Replay
              </Button>
            )}
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <QueryResult of={read} what="the message">
        {(message) => <MessageDetail message={message} />}
      </QueryResult>
    </Modal>
  );
}

function MessageDetail({ message }: { readonly message: Message }) {
  const { type, status, createdAt, attempts, nextAttemptAt, answerExcerpt, submissionId } = message;
  const href = leadHref(message);
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
            label: 'Lead',
            value: href === undefined ? (submissionId ?? '–') : <Link href={href}>{submissionId}</Link>,
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
