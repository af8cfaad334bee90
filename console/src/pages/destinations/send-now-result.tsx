import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { useClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { destinationPath } from './destinations.ts';
import { AnswerExcerpt } from './messages/message-dialog.tsx';
import { attemptWords, durationText, MESSAGE_STATUS_WORDS } from './messages/message-words.ts';
import { type QueuedMessage, waitForAttempt } from './wait-for-attempt.ts';

/** `test` sends a test event, `try` the oldest message that waits. Both wait for the result. */
export type SentNow = 'test' | 'try';

export function useSendNow(destinationId: string, what: SentNow) {
  const client = useClient();
  const queries = useQueryClient();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  return useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      left.current = controller;
      const path = `${destinationPath(destinationId)}/${what}`;
      const queued = await client.change<QueuedMessage>('POST', path);
      // `null`, since undefined would mean that there is no result at all.
      return (await waitForAttempt(client, queued, controller.signal)) ?? null;
    },
    onSuccess: () => {
      void queries.invalidateQueries();
    },
  });
}

const NAMES: Readonly<Record<SentNow, string>> = { test: 'test event', try: 'oldest message' };

interface SendNowResultProps {
  readonly what: SentNow;
  readonly sent: ReturnType<typeof useSendNow>;
}

export function SendNowResult({ what, sent }: SendNowResultProps) {
  const name = NAMES[what];
  if (sent.isPending) {
    return (
      <LiveRegion>
        <StatusIndicator type="in-progress">{`Sending ${what === 'test' ? 'a' : 'the'} ${name}`}</StatusIndicator>
      </LiveRegion>
    );
  }
  if (sent.error) {
    return (
      <Alert type="error" header={`Couldn’t send the ${name}`} dismissible onDismiss={sent.reset}>
        {errorMessage(sent.error)}
      </Alert>
    );
  }
  if (sent.data === undefined) return null;
  if (sent.data === null) {
    return (
      <Alert type="warning" header="No result yet" dismissible onDismiss={sent.reset}>
        The {name} is still being sent. Its result will appear under Messages.
      </Alert>
    );
  }
  return <SentMessage header={headerOf(what, sent.data.status)} message={sent.data} onDismiss={sent.reset} />;
}

const OUTCOMES: Readonly<Record<Message['status'], string>> = {
  delivered: 'was delivered',
  waiting: 'failed and will be retried',
  failed: 'failed',
  parked: 'failed and is on hold',
  cancelled: 'was canceled',
};

function headerOf(what: SentNow, status: Message['status']): string {
  if (what === 'try' && status === 'delivered') return 'Delivered. The other messages follow';
  return `The ${NAMES[what]} ${OUTCOMES[status]}`;
}

interface SentMessageProps {
  readonly header: string;
  readonly message: Message;
  readonly onDismiss: () => void;
}

function SentMessage({ header, message, onDismiss }: SentMessageProps) {
  const { status, attempts, answerExcerpt } = message;
  const last = attempts.at(-1);
  const result = last && attemptWords(last);
  return (
    <Alert
      type={status === 'delivered' ? 'success' : 'warning'}
      header={<LiveRegion tagName="span">{header}</LiveRegion>}
      dismissible
      onDismiss={onDismiss}
    >
      <SpaceBetween size="xs">
        <Box color="inherit">
          {last && result
            ? `${result.text} after ${durationText(last.milliseconds)}. ${result.advice ?? ''}`
            : MESSAGE_STATUS_WORDS[status].detail}
        </Box>
        {answerExcerpt !== undefined && answerExcerpt !== '' && <AnswerExcerpt text={answerExcerpt} />}
      </SpaceBetween>
    </Alert>
  );
}
