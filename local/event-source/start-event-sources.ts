import type { Print } from '../function-log.ts';
import type { FunctionPool, MappedPools } from '../function-pool.ts';
import type { Closers } from '../lifecycle.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type EventSource, type EventSourceSettings, type Pace, pause } from './event-source.ts';
import type { Access, Mapping, StreamMapping } from './mapping.ts';
import { startQueueSource } from './queue-source.ts';
import { makeServiceClient, SQS, STREAMS } from './service-client.ts';
import { followShard, makeShardReader, makeStreamsApi, type Shard, type StreamsApi } from './shard-reader.ts';
import { makeStreamDelivery } from './stream-delivery.ts';
import type { Turns } from './turns.ts';

export interface EventSourcesSettings {
  readonly mappings: readonly Mapping[];
  readonly pools: MappedPools;
  readonly access: Access;
  readonly pace: Pace;
  readonly turns: Turns;
  readonly print: Print;
  /** Undefined: streams are read as the mappings say. */
  readonly checkpoints: Checkpoints | undefined;
}

/** How long running invocations may take when the stack stops. Interrupted ones run again at the next start. */
const GRACE_MILLISECONDS = 2_000;

/** Starts the event source mappings of the template. */
export async function startEventSources(settings: EventSourcesSettings, closers: Closers): Promise<void> {
  const { mappings, pools, access, pace, turns, print, checkpoints } = settings;
  const clients: { destroy(): void }[] = [];
  closers.defer(() => clients.forEach((client) => void client.destroy()));
  // Before the sources, so that they close after them.
  const invokers = mappings.map(({ functionArn, ...mapping }): FunctionPool['invoke'] => {
    if (mapping.kind === 'queue') return pools.openMapped(functionArn, mapping.maximumConcurrency).invoke;
    pools.open(functionArn, 'background');
    return (event) => pools.invoke(functionArn, event);
  });
  const sources: EventSource[] = [];
  closers.defer(() => stopAll(sources));
  for (const [index, mapping] of mappings.entries()) {
    access.checkMapping(mapping);
    // A mapping reads with the role of its function.
    const { accessKeyId } = access.credentialsOf(mapping.functionArn);
    const invoke = (event: string) => turns.take(() => (invokers[index] as FunctionPool['invoke'])(event));
    if (mapping.kind === 'stream') {
      const client = makeServiceClient(STREAMS, access.dynamoDb, accessKeyId);
      clients.push(client);
      const streams = makeStreamsApi(client);
      sources.push(await startStreamSource(mapping, { streams, invoke, pace, print, checkpoints }));
    } else {
      const client = makeServiceClient(SQS, access.sqs, accessKeyId);
      clients.push(client);
      sources.push(startQueueSource(mapping, { client, invoke, print }));
    }
  }
}

async function stopAll(sources: readonly EventSource[]): Promise<void> {
  const stopped = new AbortController();
  await Promise.race([
    Promise.all(sources.map((source) => source.stop())),
    pause(GRACE_MILLISECONDS, stopped.signal),
  ]);
  stopped.abort();
}

export interface StreamSourceSettings extends EventSourceSettings {
  readonly streams: StreamsApi;
  readonly checkpoints?: Checkpoints | undefined;
}

/** New shards follow one that ends, which is noticed at once. This is for one whose end could not be read. */
const DISCOVERY_MILLISECONDS = 30_000;

/** Reads all shards of a table's stream, each in order and children after their parents. */
export async function startStreamSource(
  mapping: StreamMapping,
  settings: StreamSourceSettings,
): Promise<EventSource> {
  const { streams, pace, checkpoints } = settings;
  const { streamArn } = mapping;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deliver = makeStreamDelivery(mapping, settings, signal);
  const followed = new Map<string, Promise<void>>();
  const finished = new Set<string>();
  let shardEnded = Promise.withResolvers<void>();

  async function follow(shardId: string, from: StreamMapping['startingPosition']): Promise<void> {
    const after = checkpoints?.find(mapping, shardId);
    const reader = makeShardReader({ streams, streamArn, shardId, from, after, signal });
    await reader.open();
    const onDelivered = (last: string) => checkpoints?.note(mapping, shardId, last);
    const following = followShard({ mapping, shardId, reader, deliver, onDelivered, pace, signal }).then(
      () => {
        finished.add(shardId);
        shardEnded.resolve();
      },
    );
    followed.set(shardId, following);
  }

  /** Starts reading new shards whose parents have been read to the end. */
  async function discover(from: StreamMapping['startingPosition']): Promise<void> {
    const shards = await listShards(streams, streamArn, signal);
    const listed = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId: id, ParentShardId: parent } of shards) {
      const parentDone = parent === undefined || !listed.has(parent) || finished.has(parent);
      if (id !== undefined && !followed.has(id) && parentDone) await follow(id, from);
    }
  }

  async function keepDiscovering(): Promise<void> {
    while (!signal.aborted) {
      await Promise.race([shardEnded.promise, pause(DISCOVERY_MILLISECONDS, signal)]);
      shardEnded = Promise.withResolvers();
      // Later shards are read from the beginning, whatever the starting position. Failures are retried.
      await discover('TRIM_HORIZON').catch(() => undefined);
    }
  }

  await discover(mapping.startingPosition);
  const discovering = keepDiscovering();
  return {
    async stop() {
      stopping.abort();
      await discovering;
      await Promise.all(followed.values());
    },
  };
}

async function listShards(streams: StreamsApi, streamArn: string, signal: AbortSignal): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const page = await streams.describe(streamArn, after, signal);
    shards.push(...(page.Shards ?? []));
    after = page.LastEvaluatedShardId;
  } while (after !== undefined);
  return shards;
}
