import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { makeOutbox } from '#aws/queues.ts';
import { makeEnrich } from '#enrichment/enrich/handler.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { ExternalFailure } from '#enrichment/external-failures.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { readNewLead } from '#model/lead-item.ts';
import type { AnySurface } from '#model/limits.ts';
import type { StreamShard } from '../double/table.ts';
import type { Activity } from '../machine/environment.ts';
import { TABLES } from './functions.ts';
import { startStats } from './recorders.ts';
import type { Sender } from './sender.ts';
import type { World } from './world.ts';

const QUIET = { write: () => undefined };
const POLL_MS = 1_000;

/** Returns how many records of the batch were processed. */
type Delivered = (records: DynamoDBRecord[]) => Promise<number>;

/**
 * Follows the stream of leads like Lambda: in order, in batches of any size, again from the first failed record, and
 * sometimes with a batch that was already processed.
 */
export async function follow(
  world: World,
  { shardId, records }: StreamShard,
  isOver: () => boolean,
  deliver: Delivered,
): Promise<void> {
  let position = 0;
  let again = world.faultProfile.mostFaults > 0 ? 1 : 0;
  for (;;) {
    if (position >= records.length && isOver()) {
      world.followed.set(`relay ${shardId}`, records.slice(0, position));
      return;
    }
    if (position >= records.length) {
      await world.time.sleep(POLL_MS);
      continue;
    }
    await world.turn('relay', 'gets records');
    const batch = records.slice(position, position + 1 + world.random.below(4));
    position += await deliver(batch);
    if (again > 0 && world.random.chance(0.2)) {
      again -= 1;
      position = world.random.below(position + 1);
    }
  }
}

/** Invokes in the same environment until it dies, then in a new one. */
export function invoker<Function>(
  world: World,
  name: string,
  make: (surroundings: ReturnType<World['newEnvironment']>['surroundings']) => Function,
) {
  let current: { environment: ReturnType<World['newEnvironment']>['environment']; run: Function } | undefined;
  return async <Result>(work: (run: Function) => Promise<Result>): Promise<Result | 'died' | Error> => {
    if (!current || current.environment.dead) {
      const { environment, surroundings } = world.newEnvironment(name);
      current = { environment, run: make(surroundings) };
    }
    const { environment, run } = current;
    return environment.invoke(world.newActivity(name), () => work(run)).catch((error: Error) => error);
  };
}

/** Each shard has its own environment, which works on one batch at a time. */
function relayBatches(world: World): Delivered {
  const relay = invoker(world, 'relay', ({ clients }) =>
    makeRelay({
      enrichment: makeOutbox(clients.queueClient, 'http://double/queue'),
      dispatch: { send: async () => new Set() },
      index: { send: async () => new Set() },
      log: QUIET,
    }),
  );
  return async (batch) => {
    // Like the filter of the event source mapping.
    const Records = batch.filter(
      (record) =>
        readNewLead(record)?.clean ||
        (record.eventName === 'INSERT' && record.dynamodb?.NewImage?.part?.S === 'erased'),
    );
    if (Records.length === 0) return batch.length;
    const result = await relay((run) => run({ Records }));
    if (result === 'died' || result instanceof Error) return 0;
    const refused = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    const first = batch.findIndex(({ dynamodb }) => refused.includes(dynamodb?.SequenceNumber ?? ''));
    return first < 0 ? batch.length : first;
  };
}

/** Relays, enriches and counts leads from the stream. Ends when nothing is left to do. */
export function startBackground(world: World, leadsAreIn: () => boolean): void {
  let unread = world.streams.leads.shards.length;

  for (const shard of world.streams.leads.shards) {
    world.program(async () => {
      await follow(world, shard, leadsAreIn, relayBatches(world));
      unread -= 1;
    });
  }
  startStats(world, leadsAreIn);
  // Two at a time: one may still work on a lead when the other learns that it was erased.
  for (const name of ['enrich', 'enrich-2']) {
    world.program(() => enrichUntil(world, name, () => unread === 0 && world.queue.isEmpty));
  }
}

async function enrichUntil(world: World, name: string, isOver: () => boolean): Promise<void> {
  let outages = world.faultProfile.mostFaults > 0 ? 1 : 0;
  let deletionsToLose = outages;
  const mailExchanges = {
    async hostsOf() {
      await world.time.sleep(world.random.pick([0, 0, 500, 3_000]));
      if (outages > 0 && world.random.chance(0.3)) {
        outages -= 1;
        throw new ExternalFailure('dns', true, 'ETIMEOUT');
      }
      return ['mx.example'];
    },
  };
  const enrich = invoker(world, name, ({ clients, now, random }) =>
    makeEnrich({
      enrichments: makeEnrichments({ client: clients.client, tables: TABLES }),
      mailExchanges,
      now,
      visibility: { comeBackIn: async (seconds, handle) => world.queue.comeBackIn(seconds, handle) },
      telemetry: { message: () => undefined },
      random: () => random.next(),
    }),
  );
  while (!isOver()) {
    const messages = world.queue.receive(1 + world.random.below(3));
    if (messages.length === 0) {
      await world.time.sleep(POLL_MS);
      continue;
    }
    await world.turn(name, 'gets messages');
    const Records = messages.map(
      ({ messageId, body, receiveCount }) =>
        ({
          messageId,
          body,
          receiptHandle: messageId,
          attributes: { ApproximateReceiveCount: String(receiveCount) },
        }) as unknown as SQSRecord,
    );
    const result = await enrich((run) => run({ Records }));
    if (result === 'died' || result instanceof Error) continue;
    const failed = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    for (const { messageId } of messages) {
      const staysByMistake = deletionsToLose > 0 && world.random.chance(0.1);
      if (staysByMistake) deletionsToLose -= 1;
      else if (!failed.includes(messageId)) world.queue.delete(messageId);
    }
  }
}

export interface GivenResponse {
  readonly statusCode: number;
  readonly body: string;
  readonly headers: unknown;
}

/** A position in the order of all events, and its time. */
export interface Moment {
  readonly index: number;
  readonly at: number;
}

/** Everything observed about one submission. */
export interface SubmissionRecord extends Activity {
  readonly surface: AnySurface;
  readonly key: string | undefined;
  readonly body: string;
  readonly sender: Sender;
  readonly flawed: boolean;
  readonly started: Moment;
  /** Set when the function has responded, even if the sender never got the response. */
  responded?: Moment;
  response?: GivenResponse;
  /** The rejection reason that the owner sees. */
  reason?: string;
  /** An unexpected error in the function. */
  defect?: unknown;
}

export type ChangeKind =
  | 'suspend'
  | 'resume'
  | 'revoke'
  | 'deactivate'
  | 'activate'
  | 'rotate'
  | 'rotate with grace';

/** A change by the owner, from the first attempt to the acknowledgement. */
export interface ChangeRecord {
  readonly kind: ChangeKind;
  readonly started: Moment;
  tries: number;
  responded?: Moment;
}
