import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { toDocumentClient } from '#aws/document-client.ts';
import { type Carry, wiredDynamoDb, wiredSqs } from '../double/wired-client.ts';
import { PATIENCE } from './sender.ts';

/** Where the calls of a set of clients go. */
export interface Wires {
  readonly patient: Carry;
  readonly recording: Carry;
  readonly queue: Carry;
}

/** The clients of one environment. */
export interface Clients {
  readonly client: DynamoDBDocumentClient;
  readonly recordingClient: DynamoDBDocumentClient;
  readonly queueClient: SQSClient;
}

interface Slot extends Clients {
  wires: Wires | undefined;
  forget(): void;
}

const RETRY_CAPACITY = 500;

/**
 * To make a client costs more than a dozen calls, so the clients of one schedule serve the next. What a client
 * remembers, its budget of retries, is put back, so that a schedule does not depend on those before it.
 */
export class ClientSlots {
  readonly #slots: readonly Slot[];
  #used = 0;

  private constructor(slots: readonly Slot[]) {
    this.#slots = slots;
  }

  static async make(count: number): Promise<ClientSlots> {
    return new ClientSlots(await Promise.all(Array.from({ length: count }, makeSlot)));
  }

  take(wires: Wires): Clients {
    const slot = this.#slots[this.#used];
    if (!slot) throw new Error('More environments than slots');
    this.#used += 1;
    slot.wires = wires;
    return slot;
  }

  giveBack(): void {
    for (const slot of this.#slots.slice(0, this.#used)) slot.forget();
    this.#used = 0;
  }
}

async function makeSlot(): Promise<Slot> {
  const nowhere: Carry = () => new Promise(() => undefined);
  const wire =
    (which: keyof Wires): Carry =>
    (...call) =>
      (slot.wires?.[which] ?? nowhere)(...call);
  const patient = wiredDynamoDb(wire('patient'), PATIENCE.maxAttempts);
  const recording = wiredDynamoDb(wire('recording'), 1);
  const queueClient = wiredSqs(wire('queue'), PATIENCE.maxAttempts);
  const strategies = await Promise.all(
    [patient, recording, queueClient].map(({ config }) => config.retryStrategy()),
  );
  const slot: Slot = {
    wires: undefined,
    client: toDocumentClient(patient),
    recordingClient: toDocumentClient(recording),
    queueClient,
    forget() {
      slot.wires = undefined;
      for (const strategy of strategies) Object.assign(strategy, { capacity: RETRY_CAPACITY });
    },
  };
  return slot;
}
