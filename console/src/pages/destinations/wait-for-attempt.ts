import type { Client } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { Message } from '../../api/types.ts';
import { messagePath } from './destinations.ts';

interface Waiting {
  readonly intervalMilliseconds: number;
  readonly mostMilliseconds: number;
}

const USUAL: Waiting = { intervalMilliseconds: 700, mostMilliseconds: 15_000 };

/** What the API says about a message that will be sent. */
export interface QueuedMessage {
  readonly messageId: string;
  /** Of a message that was attempted before. */
  readonly lastAttemptAt?: string;
}

/**
 * The message once its next attempt is recorded; undefined if that takes too long. Before its first attempt, the API
 * knows no such message.
 */
export async function waitForAttempt(
  client: Pick<Client, 'get'>,
  { messageId, lastAttemptAt }: QueuedMessage,
  signal: AbortSignal,
  { intervalMilliseconds, mostMilliseconds }: Waiting = USUAL,
): Promise<Message | undefined> {
  const end = Date.now() + mostMilliseconds;
  while (Date.now() < end) {
    signal.throwIfAborted();
    const message = await client.get<Message>(messagePath(messageId), {}, signal).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    });
    const isOver = message && !['waiting', 'parked'].includes(message.status);
    if (message && (isOver || message.attempts.at(-1)?.at !== lastAttemptAt)) return message;
    await new Promise((resolve) => setTimeout(resolve, intervalMilliseconds));
  }
  return undefined;
}
