import Box from '@cloudscape-design/components/box';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Table from '@cloudscape-design/components/table';
import type { Attempt, Message } from '#console/api/types.ts';
import { Moment } from '#console/shared/moment.tsx';
import { attemptWords, durationText } from './attempt-words.ts';
import { MESSAGE_STATUS_WORDS } from './message-words.ts';

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
export function AttemptsTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
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

/** The answer is the receiver's text: shown as it is, and never as markup. */
export function AnswerExcerpt({ text }: { readonly text: string }) {
  return (
    <Box color="inherit">
      Start of the answer:
      <Box variant="code" color="inherit">
        <span className="value value-lines">{text}</span>
      </Box>
    </Box>
  );
}
