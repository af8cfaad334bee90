import { createHash } from 'node:crypto';
import type { Input, Reply } from './dynamodb-double.ts';
import { requireMembers, Unsupported } from './wire-format.ts';

interface Message {
  readonly messageId: string;
  readonly body: string;
  receiveCount: number;
  visibleAt: number;
  readonly sentAt: number;
}

interface QueueSettings {
  readonly visibilityMs: number;
  readonly receives: number;
}

/** The default settings. */
export const QUEUES = {
  enrichment: { visibilityMs: 180_000, receives: 5 },
  index: { visibilityMs: 90_000, receives: 20 },
} as const;

/** A queue that delivers at least once, in any order, and gives up on a message after a number of receives. */
export class QueueDouble {
  readonly #now: () => number;
  readonly #settings: QueueSettings;
  #messages: Message[] = [];
  readonly deadLetters: Message[] = [];
  #serial = 0;

  constructor(now: () => number, settings: QueueSettings) {
    this.#now = now;
    this.#settings = settings;
  }

  /** The operations that the relay uses. */
  execute(operation: string, input: Input): Reply {
    if (operation !== 'SendMessageBatch') throw new Unsupported(`the operation ${operation}`);
    requireMembers(input, ['QueueUrl', 'Entries']);
    const entries = input.Entries as { Id: string; MessageBody: string }[];
    const Successful = entries.map(({ Id, MessageBody }) => {
      const messageId = this.#send(MessageBody);
      return { Id, MessageId: messageId, MD5OfMessageBody: md5(MessageBody) };
    });
    return { statusCode: 200, body: { Successful, Failed: [] } };
  }

  #send(body: string): string {
    this.#serial += 1;
    const messageId = `message-${this.#serial}`;
    const now = this.#now();
    this.#messages.push({ messageId, body, receiveCount: 0, visibleAt: now, sentAt: now });
    return messageId;
  }

  /** Like Lambda's poller: takes visible messages, and hides them until they are deleted or their timeout ends. */
  receive(most: number): readonly Readonly<Message>[] {
    const visible = this.#messages.filter(({ visibleAt }) => visibleAt <= this.#now());
    const spent = visible.filter(({ receiveCount }) => receiveCount >= this.#settings.receives);
    this.deadLetters.push(...spent);
    this.#messages = this.#messages.filter((message) => !spent.includes(message));
    const received = visible.filter((message) => !spent.includes(message)).slice(0, most);
    for (const message of received) {
      message.receiveCount += 1;
      message.visibleAt = this.#now() + this.#settings.visibilityMs;
    }
    return received;
  }

  comeBackIn(seconds: number, messageId: string): void {
    const message = this.#messages.find((each) => each.messageId === messageId);
    if (message) message.visibleAt = this.#now() + seconds * 1_000;
  }

  delete(messageId: string): void {
    this.#messages = this.#messages.filter((message) => message.messageId !== messageId);
  }

  /** Whether a message that was sent up to a time is still here. */
  hasOlderThan(at: number): boolean {
    return this.#messages.some(({ sentAt }) => sentAt <= at);
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
