import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

export interface DeadLetter {
  readonly messageId: string;
  /** Undefined if the message is not one of ours. */
  readonly submissionId: string | undefined;
  /** Of sending: what was to be done, or the event that was to be dispatched or indexed. */
  readonly task?: string | undefined;
  readonly destinationId?: string | undefined;
  readonly receiveCount: number;
  readonly sentAt: string;
}

export interface Move {
  readonly status: string;
  readonly moved: number;
  readonly toMove: number;
  readonly failureReason?: string;
}

export interface DeadLetters {
  /** Approximate count, including messages that are being read. */
  count(): Promise<number>;
  /** Looks without taking anything away. */
  list(limit: number, signal: AbortSignal): Promise<DeadLetter[]>;
  /** Sends all messages back to their source queues; yields the progress until it is done. */
  redrive(signal: AbortSignal): AsyncGenerator<Move>;
}

/** As many as SQS gives at once. */
const BATCH = 10;
/** Hides messages already seen from the next receive. They reappear on their own if we end before returning them. */
const HIDDEN_SECONDS = 20;
const LOOK_AGAIN_MS = 1_000;

export interface DeadLetterQueues {
  readonly deadLetterQueueUrl: string;
  /** Undefined if several queues share the dead letters: each message then returns to the queue it came from. */
  readonly sourceQueueUrl: string | undefined;
}

export function makeDeadLetters(
  client: SQSClient,
  { deadLetterQueueUrl, sourceQueueUrl }: DeadLetterQueues,
): DeadLetters {
  async function attributesOf(QueueUrl: string) {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    return Attributes;
  }

  async function receive(signal: AbortSignal): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: deadLetterQueueUrl,
      MaxNumberOfMessages: BATCH,
      VisibilityTimeout: HIDDEN_SECONDS,
      // A long poll asks all of SQS's servers, a short one a sample of them.
      WaitTimeSeconds: 1,
      // By its older name, which SQS still takes, and the local one takes alone.
      AttributeNames: ['All'],
    });
    return (await client.send(command, { abortSignal: signal })).Messages ?? [];
  }

  async function returnMessages(messages: readonly Message[]): Promise<void> {
    for (let from = 0; from < messages.length; from += BATCH) {
      const Entries = messages.slice(from, from + BATCH).map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
        VisibilityTimeout: 0,
      }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: deadLetterQueueUrl, Entries }));
    }
  }

  async function list(limit: number, signal: AbortSignal): Promise<DeadLetter[]> {
    const seen = new Map<string, Message>();
    try {
      while (seen.size < limit) {
        const messages = await receive(signal);
        const fresh = messages.filter(({ MessageId }) => !seen.has(String(MessageId)));
        for (const message of messages) seen.set(String(message.MessageId), message);
        if (fresh.length === 0) break;
      }
    } finally {
      await returnMessages([...seen.values()]);
    }
    return [...seen.values()].slice(0, limit).map(toDeadLetter);
  }

  async function* redrive(signal: AbortSignal): AsyncGenerator<Move> {
    const from = await attributesOf(deadLetterQueueUrl);
    // Named if possible: SQS knows no source for a message that was put here by hand, and fails at it.
    const to = sourceQueueUrl === undefined ? undefined : await attributesOf(sourceQueueUrl);
    const arns = { SourceArn: from.QueueArn, ...(to && { DestinationArn: to.QueueArn }) };
    await client.send(new StartMessageMoveTaskCommand(arns));
    for (;;) {
      const { Results = [] } = await client.send(
        new ListMessageMoveTasksCommand({ SourceArn: from.QueueArn, MaxResults: 1 }),
      );
      const task = Results[0];
      yield {
        status: task?.Status ?? 'COMPLETED',
        moved: Number(task?.ApproximateNumberOfMessagesMoved ?? 0),
        toMove: Number(task?.ApproximateNumberOfMessagesToMove ?? 0),
        ...(task?.FailureReason && { failureReason: task.FailureReason }),
      };
      if (task?.Status !== 'RUNNING') return;
      await sleep(LOOK_AGAIN_MS, undefined, { signal });
    }
  }

  return {
    async count() {
      const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } =
        await attributesOf(deadLetterQueueUrl);
      return Number(ApproximateNumberOfMessages ?? 0) + Number(ApproximateNumberOfMessagesNotVisible ?? 0);
    },
    list,
    redrive,
  };
}

type Letter = Readonly<Record<string, unknown>>;

function toDeadLetter({ MessageId, Body, Attributes = {} }: Message): DeadLetter {
  return {
    messageId: String(MessageId),
    ...parseBody(Body ?? ''),
    receiveCount: Number(Attributes.ApproximateReceiveCount ?? 0),
    sentAt: new Date(Number(Attributes.SentTimestamp ?? 0)).toISOString(),
  };
}

/**
 * An enrichment has a lead alone; a lead event also has a type; a task of sending has both or one, and a destination.
 * What is meant for the search index has a workspace, too, and no form.
 */
function parseBody(body: string): Pick<DeadLetter, 'submissionId' | 'task' | 'destinationId'> {
  try {
    const { leadId, task, type, destinationId, workspaceId, formId } = JSON.parse(body) as Letter;
    const isForIndex = task === undefined && workspaceId !== undefined && formId === undefined;
    const what = [isForIndex ? 'index' : task, type].filter((each) => typeof each === 'string').join(' ');
    return {
      submissionId: typeof leadId === 'string' ? leadId : undefined,
      ...(what !== '' && { task: what }),
      ...(typeof destinationId === 'string' && { destinationId }),
    };
  } catch {
    return { submissionId: undefined };
  }
}
