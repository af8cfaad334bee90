import { makeLeadId } from '../model/lead-item.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import type { Destination } from './destination.ts';
import { type Message, messageId } from './message.ts';
import type { MessageReader } from './message-reader-store.ts';
import { takeTest, takeTry } from './recipient-rules.ts';
import type { SendQueue } from './send-queue-store.ts';

interface SendNowContext {
  readonly messages: Pick<MessageReader, 'waiting' | 'find'>;
  readonly queue: SendQueue;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

interface OwnDestinations {
  /** Throws unless the workspace has this destination. */
  require(destinationId: string, signal: AbortSignal): Promise<Destination>;
  revise(
    destinationId: string,
    changesTo: (seen: Destination) => Partial<Destination>,
    signal: AbortSignal,
  ): Promise<Destination>;
}

/** What is sent because somebody asks for it and waits for the result. Throws a AdministrationError. */
export function sendsNowOf(
  workspaceId: string,
  { require, revise }: OwnDestinations,
  { messages, queue, now, random }: SendNowContext,
) {
  /** Returns the id of the message that will be sent. */
  async function test(destinationId: string, signal: AbortSignal): Promise<string> {
    await revise(destinationId, (seen) => takeTest(seen, now()), signal);
    const key = { destinationId, leadId: makeLeadId(now(), random(10)), type: 'destination.test' } as const;
    const at = new Date(now()).toISOString();
    await queue.add([{ task: { task: 'send', workspaceId, ...key, at } }], signal);
    return messageId(key);
  }

  /** Sends the oldest message that waits. Returns it as it was before. */
  async function tryNow(destinationId: string, signal: AbortSignal): Promise<Message> {
    await require(destinationId, signal);
    const found = await messages.find(await messages.waiting(destinationId, signal), signal);
    const [oldest] = found
      .filter(({ status }) => status === 'waiting' || status === 'parked')
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    const changesTo = (seen: Destination) => {
      const changes = takeTry(seen, now());
      if (oldest) return changes;
      throw new AdministrationError('conflict', 'No message is waiting for this destination.');
    };
    await revise(destinationId, changesTo, signal);
    const { leadId, type, formId, createdAt: at } = oldest as Message;
    const key = { destinationId, leadId, type };
    await queue.add([{ task: { task: 'send', workspaceId, ...key, formId, at, mode: 'try' } }], signal);
    return oldest as Message;
  }

  return { test, tryNow };
}
