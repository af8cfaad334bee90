import type { DynamoDBRecord } from 'aws-lambda';
import type { ShardEvent } from '#model/stream-record.ts';
import { makeRecorder, recorderStores } from '#rejections/recorder/handler.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import type { StreamShard } from '../double/table.ts';
import type { Environment } from '../machine/environment.ts';
import { type Surroundings, TABLES } from './functions.ts';
import type { World } from './world.ts';

const QUIET = { write: () => undefined };

export const RECORDERS = {
  rejections: 'recorder',
  unauthenticatedRejections: 'recorder-unauthenticated',
} as const;

/** A function that is told which shard its records are of. */
type ShardFunction = (event: ShardEvent) => Promise<unknown>;
/** Faults of a delivery, in addition to those of its calls. */
const DELIVERY_FAULTS = ['unacknowledged', 'timed out', 'rewound', 'old invocation'] as const;
const MAX_DELIVERY_FAULTS = 4;
/** One by one, a few at a time, or all. */
const BATCH_SIZES = [1, 2, 3, 5, 1_000];

/** Runs both recorders, each shard separately, until everything is counted. */
export function startRecorders(world: World, rejectionsAreIn: () => boolean): void {
  const budget = newBudget(world);
  for (const table of ['rejections', 'unauthenticatedRejections'] as const) {
    const make = ({ clients: { client }, now }: Surroundings) =>
      makeRecorder({ ...recorderStores({ client, tables: TABLES }), log: QUIET, now });
    followShards(world, { name: RECORDERS[table], table, make, budget, isOver: rejectionsAreIn });
  }
}

/** Counts leads from the stream, each shard separately, until all are counted. */
export function startStats(world: World, leadsAreIn: () => boolean): void {
  const make = ({ clients: { client }, now }: Surroundings) =>
    makeStats({ ...statsStores({ client, tables: TABLES }), log: QUIET, now });
  followShards(world, {
    name: 'stats',
    table: 'leads',
    make,
    budget: newBudget(world),
    isOver: leadsAreIn,
  });
}

const newBudget = ({ faultProfile }: World) => ({
  deliveryFaults: faultProfile.mostFaults > 0 ? MAX_DELIVERY_FAULTS : 0,
});

interface Follower {
  readonly name: string;
  readonly table: keyof World['streams'];
  readonly make: (surroundings: Surroundings) => ShardFunction;
  readonly budget: { deliveryFaults: number };
  isOver(): boolean;
}

function followShards(world: World, { name, table, make, budget, isOver }: Follower): void {
  const invoke = invokerOf(world, name, make);
  for (const shard of world.streams[table].shards) {
    const actor = `${name} ${shard.shardId}`;
    world.program(async () => {
      await followShard(world, actor, { name, shard, invoke, budget, isOver });
      world.followed.set(actor, [...shard.records]);
    });
  }
}

/** Invokes in any idle environment, like Lambda: it may have cached a watermark that others have moved. */
function invokerOf(world: World, name: string, make: Follower['make']) {
  const environments: { environment: Environment; run: ShardFunction }[] = [];
  const makeOne = () => {
    const { environment, surroundings } = world.newEnvironment(`${name}-${environments.length + 1}`);
    const made = { environment, run: make(surroundings) };
    environments.push(made);
    return made;
  };
  return async (shard: StreamShard, Records: readonly DynamoDBRecord[]): Promise<boolean> => {
    const idle = environments.filter(({ environment }) => environment.isIdle);
    const { environment, run } = idle.length > 0 ? world.random.pick(idle) : makeOne();
    const event = { Records, shardId: shard.shardId, eventSourceARN: shard.streamArn };
    const result = await environment
      .invoke(world.newActivity(name), () => run(event))
      .catch((error: Error) => error);
    return result !== 'died' && !(result instanceof Error);
  };
}

interface Following {
  readonly name: string;
  readonly shard: StreamShard;
  readonly invoke: ReturnType<typeof invokerOf>;
  readonly budget: { deliveryFaults: number };
  isOver(): boolean;
}

/**
 * Follows a shard like Lambda. A record is delivered only after all earlier ones were processed. But a batch that failed,
 * timed out or was not acknowledged is delivered again, split differently, while the abandoned invocation may still run;
 * so may one with much older records.
 */
async function followShard(world: World, actor: string, following: Following): Promise<void> {
  const { name, shard, invoke, budget, isOver } = following;
  const { random, time } = world;
  const { records } = shard;
  let position = 0;
  const abandoned = (batch: readonly DynamoDBRecord[]) =>
    world.program(async () => void (await invoke(shard, batch)));

  while (position < records.length || !isOver()) {
    if (position >= records.length || world.held.has(name)) {
      await time.sleep(random.pick([10, 100, 1_000]));
      continue;
    }
    const deliveryFault =
      budget.deliveryFaults > 0 && random.chance(0.4) ? random.pick(DELIVERY_FAULTS) : undefined;
    if (deliveryFault) budget.deliveryFaults -= 1;
    await world.turn(actor, `gets records${deliveryFault ? `, ${deliveryFault}` : ''}`);
    const batch = records.slice(position, position + random.pick(BATCH_SIZES));
    if (deliveryFault === 'timed out') {
      abandoned(batch);
      if (random.chance(0.5)) await time.sleep(random.below(50));
      continue;
    }
    if (deliveryFault === 'old invocation')
      abandoned(records.slice(random.below(position + 1), position + 1));
    const taken = await invoke(shard, batch);
    if (!taken) await time.sleep(random.below(200));
    if (taken && deliveryFault !== 'unacknowledged') position += batch.length;
    if (deliveryFault === 'rewound') position = random.below(position + 1);
  }
}
