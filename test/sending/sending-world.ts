import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeSigningSecret, SIGNING_SECRET_BYTES } from '#sending/compose-message.ts';
import type { Destination } from '#sending/destination.ts';
import { makeDestinationStore, type NewSecret } from '#sending/destinations-store.ts';
import type { Message, MessageStatus } from '#sending/message.ts';
import { makeMessageReader } from '#sending/message-reader-store.ts';
import { openContract, type Submission, submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { until } from '../until.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** The running stack and receivers for its messages. What a test makes is removed by `clear`. */
export function openSendingWorld() {
  const contract = openContract();
  const { client, tables } = contract;
  const keeper = makeDestinationStore({ client, tables });
  const reader = makeMessageReader({ client, tables, now: Date.now });
  const { signal } = new AbortController();
  const dataFolder = dirname(localStack().outputsFile);
  const mailFolder = join(dataFolder, 'mail');
  const cleanups: (() => Promise<unknown>)[] = [];

  async function newReceiver(port?: number): Promise<Receiver> {
    const receiver = await startReceiver(port);
    cleanups.push(() => receiver.close());
    return receiver;
  }

  async function newDestination(
    { workspaceId }: Pick<Tenant, 'workspaceId'>,
    given: Pick<Destination, 'kind'> & Partial<Destination>,
    secret: NewSecret = {},
  ): Promise<Destination> {
    const destination: Destination = {
      workspaceId,
      destinationId: `dest_${randomBytes(11).toString('hex')}`,
      name: 'Test',
      events: ['lead.accepted'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
      createdAt: new Date().toISOString(),
      ...given,
    };
    await keeper.create(destination, secret, signal);
    // Otherwise its retries would go on, perhaps to the receiver of another test.
    cleanups.push(() => keeper.remove(workspaceId, destination.destinationId, signal));
    return destination;
  }

  async function newWebhook(tenant: Tenant, url: string, given: Partial<Destination> = {}) {
    const signingSecret = makeSigningSecret(randomBytes(SIGNING_SECRET_BYTES));
    const destination = await newDestination(tenant, { kind: 'webhook', url, ...given }, { signingSecret });
    return { ...destination, signingSecret };
  }

  /** A workspace whose leads go to a receiver. */
  async function newWebhookTenant(given: Partial<Destination> = {}) {
    const [tenant, receiver] = await Promise.all([contract.newTenant(), newReceiver()]);
    return { tenant, receiver, webhook: await newWebhook(tenant, receiver.url, given) };
  }

  /** A cold function on a busy machine may pass its deadline. With one key, a retry makes no second lead. */
  async function sendLead(tenant: Tenant, submission: Submission = {}): Promise<string> {
    const headers = { 'X-SVC-Idempotency-Key': randomUUID(), ...submission.headers };
    const response = await until(
      () => submit('1a', tenant, { ...submission, headers }),
      ({ status }) => status === 202,
    );
    return submissionId(response);
  }

  async function messagesOf({ destinationId }: Pick<Destination, 'destinationId'>): Promise<Message[]> {
    return (await reader.list(destinationId, { limit: 100 }, signal)).messages;
  }

  /** The destination's only message, once it has one of these states. */
  async function messageOf(
    destination: Pick<Destination, 'destinationId'>,
    ...statuses: MessageStatus[]
  ): Promise<Message | undefined> {
    const isThere = ([message]: Message[]) => message !== undefined && statuses.includes(message.status);
    return (await until(() => messagesOf(destination), isThere))[0];
  }

  /** The mails that contain a text, oldest first. */
  function mailsWith(text: string): string[] {
    return readdirSync(mailFolder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(mailFolder, name), 'utf8'))
      .filter((mail) => mail.includes(text));
  }

  return {
    ...contract,
    mailsWith,
    /** The first mail that contains a text, once it has been written. */
    mailWith: async (text: string) =>
      (
        await until(
          async () => mailsWith(text),
          (mails) => mails.length > 0,
        )
      )[0] ?? '',
    keeper,
    signal,
    eventBusFile: join(dataFolder, 'events.jsonl'),
    newReceiver,
    newDestination,
    newWebhook,
    newWebhookTenant,
    messagesOf,
    messageOf,
    destinationOf: ({ workspaceId, destinationId }: Destination) =>
      keeper.find(workspaceId, destinationId, signal),
    sendLead,
    /** The requests that a receiver has got, once there are so many. */
    async requestsTo({ received }: Receiver, atLeast = 1) {
      return until(
        async () => [...received],
        (requests) => requests.length >= atLeast,
      );
    },
    async clear(): Promise<void> {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}
