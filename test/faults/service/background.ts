import type { DynamoDBRecord, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { makeOutbox } from '#aws/queues.ts';
import { makeEnrich } from '#enrichment/enrich/handler.ts';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { ExternalFailure } from '#enrichment/external-failures.ts';
import { makeRelay } from '#enrichment/relay/handler.ts';
import { indexStores, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import type { QueueDouble } from '../double/queue-double.ts';
import type { StreamShard } from '../double/table.ts';
import { type Surroundings, TABLES } from './functions.ts';
import { startStats } from './recorders.ts';
import type { World } from './world.ts';

const QUIET = { write: () => undefined };
export const POLL_MS = 1_000;
export const INDEX_URL = 'http://double/index';

/** How far the relay has got on each shard, and whether everything is relayed and worked on. */
export interface Background {
  readonly relayed: ReadonlyMap<string, number>;
  isDone(): boolean;
}

/**
 * Relays, enriches and counts leads from the stream, and indexes them if asked to. Ends when nothing is left to do. Two
 * functions work on each queue: one may still work on a lead when the other learns that it was erased.
 */
export function startBackground(
  world: World,
  leadsAreIn: () => boolean,
  { indexes = false, pollMs = POLL_MS } = {},
): Background {
  const { shards } = world.streams.leads;
  const positions = new Map(shards.map(({ shardId }) => [shardId, 0]));
  const relayed = new Map(positions);
  let done = false;
  // All of them end at the same moment, whatever is written after it.
  const isDone = () => {
    done ||=
      leadsAreIn() &&
      shards.every(({ shardId, records }) => (positions.get(shardId) ?? 0) >= records.length) &&
      world.queue.isEmpty &&
      world.indexQueue.isEmpty;
    return done;
  };

  for (const shard of shards) {
    const note = (position: number) => {
      positions.set(shard.shardId, position);
      relayed.set(shard.shardId, Math.max(relayed.get(shard.shardId) ?? 0, position));
    };
    world.program(() =>
      follow(world, shard, { isDone, pollMs, note, deliver: relayBatches(world, indexes) }),
    );
  }
  startStats(world, leadsAreIn);
  for (const name of ['enrich', 'enrich-2'])
    world.program(() => enrichLeads(world, name, { isDone, pollMs }));
  if (indexes)
    for (const name of ['index', 'index-2']) world.program(() => indexLeads(world, name, { isDone, pollMs }));
  return { relayed, isDone };
}

const MAX_QUICK_POLLS = 50;

/** Waits until the next poll: quickly at first, but not while a message is hidden for minutes. */
function pauses({ time }: World, pollMs: number): () => Promise<void> {
  let polls = 0;
  return () => {
    polls += 1;
    return time.sleep(polls > MAX_QUICK_POLLS ? POLL_MS : pollMs);
  };
}

interface Waiting {
  readonly pollMs: number;
  isDone(): boolean;
}

interface Following extends Waiting {
  /** Told of each new position. */
  note(position: number): void;
  /** Returns how many records of the batch were processed. */
  deliver(records: DynamoDBRecord[]): Promise<number>;
}

/**
 * Follows the stream of leads like Lambda: in order, in batches of any size, again from the first failed record, and
 * sometimes with a batch that was already processed.
 */
async function follow(
  world: World,
  { shardId, records }: StreamShard,
  { isDone, pollMs, note, deliver }: Following,
): Promise<void> {
  const pause = pauses(world, pollMs);
  let position = 0;
  let again = world.faultProfile.mostFaults > 0 ? 1 : 0;
  while (!isDone()) {
    if (position >= records.length || world.held.has('relay')) {
      await pause();
      continue;
    }
    await world.turn('relay', 'gets records');
    const batch = records.slice(position, position + 1 + world.random.below(4));
    position += await deliver(batch);
    note(position);
    if (again > 0 && world.random.chance(0.2)) {
      again -= 1;
      position = world.random.below(position + 1);
      note(position);
    }
  }
  world.followed.set(`relay ${shardId}`, records.slice(0, position));
}

/** Invokes in the same environment until it dies, then in a new one. */
export function invoker<Function>(
  world: World,
  name: string,
  make: (surroundings: Surroundings) => Function,
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

const MAX_TRIES = 12;

/** Tries again and again until it succeeds: after an error, and in a new environment after a death. */
export async function insistOn<Made, Result>(
  world: World,
  name: string,
  make: (surroundings: Surroundings) => Made,
  work: (made: Made) => Promise<Result>,
): Promise<Result> {
  const invoke = invoker(world, name, make);
  for (let tries = 1; ; tries += 1) {
    await world.turn(name, 'begins');
    const result = await invoke(work);
    if (result !== 'died' && !(result instanceof Error)) return result;
    if (tries >= MAX_TRIES) throw new Error(`${name} never succeeded`, { cause: result });
    await world.time.sleep(1_000);
  }
}

/** Each shard has its own environment, which works on one batch at a time. */
function relayBatches(world: World, indexes: boolean): Following['deliver'] {
  const nowhere = { send: async () => new Set<never>() };
  const relay = invoker(world, 'relay', ({ clients }) =>
    makeRelay({
      enrichment: makeOutbox(clients.queueClient, 'http://double/queue'),
      dispatch: nowhere,
      index: indexes ? makeOutbox(clients.queueClient, INDEX_URL) : nowhere,
      learning: nowhere,
      log: QUIET,
    }),
  );
  return async (batch) => {
    // The filter of the event source mapping leaves out deletions, which the relay drops as well.
    const Records = batch.filter(({ eventName }) => eventName !== 'REMOVE');
    if (Records.length === 0) return batch.length;
    const result = await relay((run) => run({ Records }));
    if (result === 'died' || result instanceof Error) return 0;
    const refused = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    const first = batch.findIndex(({ dynamodb }) => refused.includes(dynamodb?.SequenceNumber ?? ''));
    return first < 0 ? batch.length : first;
  };
}

async function enrichLeads(world: World, name: string, waiting: Waiting): Promise<void> {
  let outages = world.faultProfile.mostFaults > 0 ? 1 : 0;
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
  await poll(world, name, { ...waiting, queue: world.queue, invoke: (event) => enrich((run) => run(event)) });
}

async function indexLeads(world: World, name: string, waiting: Waiting): Promise<void> {
  const index = invoker(world, name, ({ clients: { client }, now }) =>
    makeIndexLeads({ ...indexStores({ client, tables: TABLES, now }), log: QUIET }),
  );
  await poll(world, name, {
    ...waiting,
    queue: world.indexQueue,
    invoke: (event) => index((run) => run(event)),
  });
}

interface Polling extends Waiting {
  readonly queue: QueueDouble;
  invoke(event: { Records: SQSRecord[] }): Promise<SQSBatchResponse | 'died' | Error>;
}

/** Invokes a function with a few messages at a time, like Lambda. A message that was worked on may stay by mistake. */
async function poll(world: World, name: string, { queue, isDone, pollMs, invoke }: Polling): Promise<void> {
  const pause = pauses(world, pollMs);
  let deletionsToLose = world.faultProfile.mostFaults > 0 ? 1 : 0;
  while (!isDone()) {
    const messages = world.held.has(name) ? [] : queue.receive(1 + world.random.below(3));
    if (messages.length === 0) {
      await pause();
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
    const result = await invoke({ Records });
    if (result === 'died' || result instanceof Error) continue;
    const failed = result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    for (const { messageId } of messages) {
      const staysByMistake = deletionsToLose > 0 && world.random.chance(0.1);
      if (staysByMistake) deletionsToLose -= 1;
      else if (!failed.includes(messageId)) queue.delete(messageId);
    }
  }
}
