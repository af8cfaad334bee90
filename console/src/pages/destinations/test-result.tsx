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
import { destinationPath, waitForMessage } from './destinations.ts';
import { AnswerExcerpt } from './messages/message-dialog.tsx';
import { attemptWords, durationText, MESSAGE_STATUS_WORDS } from './messages/message-words.ts';

/** Sends a test event and waits for its result. */
export function useTestEvent(destinationId: string) {
  const client = useClient();
  const queries = useQueryClient();
  const left = useRef<AbortController>(undefined);
  useEffect(() => () => left.current?.abort(), []);
  return useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      left.current = controller;
      const path = `${destinationPath(destinationId)}/test`;
      const { messageId } = await client.change<{ messageId: string }>('POST', path);
      // `null`, since undefined would mean that there is no result at all.
      return (await waitForMessage(client, messageId, controller.signal)) ?? null;
    },
    onSuccess: () => {
      void queries.invalidateQueries();
    },
  });
}

interface TestResultProps {
  readonly test: ReturnType<typeof useTestEvent>;
}

export function TestResult({ test }: TestResultProps) {
  if (test.isPending) {
    return (
      <LiveRegion>
        <StatusIndicator type="in-progress">Sending a test event</StatusIndicator>
      </LiveRegion>
    );
  }
  if (test.error) {
    return (
      <Alert type="error" header="Couldn’t send the test event" dismissible onDismiss={test.reset}>
        {errorMessage(test.error)}
      </Alert>
    );
  }
  if (test.data === undefined) return null;
  if (test.data === null) {
    return (
      <Alert type="warning" header="No result yet" dismissible onDismiss={test.reset}>
        The test event is still being sent. Its result will appear under Messages.
      </Alert>
    );
  }
  return <TestedMessage message={test.data} onDismiss={test.reset} />;
}

const HEADERS: Readonly<Record<Message['status'], string>> = {
  delivered: 'Test event delivered',
  waiting: 'The test event failed and will be retried',
  failed: 'The test event failed',
  parked: 'The test event is on hold',
  cancelled: 'The test event was canceled',
};

interface TestedMessageProps {
  readonly message: Message;
  readonly onDismiss: () => void;
}

function TestedMessage({ message, onDismiss }: TestedMessageProps) {
  const { status, attempts, answerExcerpt } = message;
  const last = attempts.at(-1);
  const result = last && attemptWords(last);
  return (
    <Alert
      type={status === 'delivered' ? 'success' : 'warning'}
      header={<LiveRegion tagName="span">{HEADERS[status]}</LiveRegion>}
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
