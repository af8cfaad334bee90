import { makeLeadId } from '../model/lead-item.ts';
import { AdministrationError } from '../owner-api/errors.ts';
import type { DestinationStore } from './destinations-store.ts';
import { type Message, parseMessageId } from './message.ts';
import type { MessageReader } from './message-reader-store.ts';
import type { SendQueue } from './send-queue-store.ts';

interface ReplayContext {
  readonly store: Pick<DestinationStore, 'find'>;
  readonly messages: Pick<MessageReader, 'find'>;
  readonly queue: SendQueue;
}

/** The messages of one workspace. Throws a AdministrationError. */
export function replaysOf(workspaceId: string, { store, messages, queue }: ReplayContext) {
  async function requireMessage(id: string, signal: AbortSignal): Promise<Message> {
    const missing = new AdministrationError('not_found', `There is no message ${id}.`);
    const key = parseMessageId(id);
    if (!key || !(await store.find(workspaceId, key.destinationId, signal))) throw missing;
    const [message] = await messages.find([key], signal);
    if (!message) throw missing;
    return message;
  }

  /** Sends a message again, also one that was delivered. */
  async function replay(id: string, signal: AbortSignal): Promise<void> {
    const { destinationId, leadId, type, formId, createdAt } = await requireMessage(id, signal);
    const key = { destinationId, leadId, type };
    const task = { task: 'send', workspaceId, ...key, formId, at: createdAt, mode: 'replay' } as const;
    await queue.add([{ task }], signal);
  }

  /** Sends again everything that failed or waits of leads that were received since then. */
  async function replaySince(destinationId: string, sinceMilliseconds: number, signal: AbortSignal) {
    if (!(await store.find(workspaceId, destinationId, signal))) {
      throw new AdministrationError('not_found', `There is no destination ${destinationId}.`);
    }
    const from = makeLeadId(sinceMilliseconds, new Uint8Array(10));
    await queue.add([{ task: { task: 'replay', workspaceId, destinationId, from } }], signal);
  }

  return { requireMessage, replay, replaySince };
}
