import type { Client } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';
import type { Message } from '../../api/types.ts';
import { messagePath } from './destinations.ts';

interface Waiting {
  readonly intervalMilliseconds: number;
  readonly mostMilliseconds: number;
}

const USUAL: Waiting = { intervalMilliseconds: 700, mostMilliseconds: 15_000 };

/**
 * The message once its first attempt is recorded; undefined if that takes too long. Until then the API knows no such
 * message.
 */
export async function waitForMessage(
  client: Pick<Client, 'get'>,
  messageId: string,
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
    if (message) return message;
    await new Promise((resolve) => setTimeout(resolve, intervalMilliseconds));
  }
  return undefined;
}
