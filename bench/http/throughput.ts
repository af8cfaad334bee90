import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { TableNames } from '../../lambdas/aws/dynamodb.ts';
import { TABLE_VARIABLES, type TableKey } from '../../lambdas/contract.ts';
import type { Closers } from '../../local/lifecycle.ts';
import type { Bundles } from '../engines/bundles.ts';
import type { Engines } from '../engines/contender-fixture.ts';
import { FLOOR_TABLE, FLOOR_VARIABLES, SHELF_TABLES, SHELF_VARIABLES } from '../engines/contender-names.ts';
import { BODIES } from '../fixtures/index.ts';
import { CONTENDERS, type Contender, median } from '../measure/cpu.ts';
import type { ServeSettings } from './serve.ts';

export const CONNECTIONS = [1, 16, 64] as const;

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Per number of connections. */
export interface Throughput {
  readonly connections: number;
  readonly loads: Readonly<Record<Contender, Load>>;
  /** Requests per second relative to the off-the-shelf function's, from consecutive rounds. */
  readonly toShelf: number;
}

export interface ThroughputSettings {
  readonly url: string;
  /** Enough senders that none comes near a limit. */
  readonly tokens: Readonly<Record<Contender, readonly string[]>>;
  readonly rounds: number;
  readonly seconds: number;
}

const NAMES = Object.keys(CONTENDERS) as Contender[];

export async function measureThroughput(settings: ThroughputSettings): Promise<Throughput[]> {
  // Until every environment of the pool has every sender's configuration.
  for (const name of NAMES) await load(settings, name, 16, { amount: 30 * settings.tokens[name].length });
  const measured: Throughput[] = [];
  for (const connections of CONNECTIONS) {
    const rounds: Record<Contender, Load>[] = [];
    for (let round = 0; round < settings.rounds; round += 1) {
      const loads = {} as Record<Contender, Load>;
      for (const name of NAMES) {
        loads[name] = await load(settings, name, connections, { duration: settings.seconds });
      }
      rounds.push(loads);
    }
    measured.push({
      connections,
      loads: Object.fromEntries(
        NAMES.map((name) => [name, middle(rounds.map((each) => each[name]))]),
      ) as Record<Contender, Load>,
      toShelf: median(rounds.map(({ ours, shelf }) => ours.requestsPerSecond / shelf.requestsPerSecond)),
    });
  }
  return measured;
}

function middle(loads: readonly Load[]): Load {
  return {
    requestsPerSecond: median(loads.map((each) => each.requestsPerSecond)),
    p50: median(loads.map((each) => each.p50)),
    p99: median(loads.map((each) => each.p99)),
  };
}

async function load(
  { url, tokens }: ThroughputSettings,
  name: Contender,
  connections: number,
  length: { duration: number } | { amount: number },
): Promise<Load> {
  const result = await autocannon({
    url: `${url}/${name}`,
    connections,
    ...length,
    requests: tokens[name].map((token) => ({
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: BODIES['1 KB'],
    })),
  });
  const { statusCodeStats } = result as unknown as { statusCodeStats: Record<string, { count: number }> };
  const others = Object.keys(statusCodeStats).filter((status) => status !== '202');
  if (others.length > 0 || result.errors > 0 || result.requests.total === 0) {
    throw new Error(
      `${name} did not accept everything: ${JSON.stringify(statusCodeStats)}, ${result.errors} errors`,
    );
  }
  // Computed from the counts, because autocannon's averages leave out the beginning.
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Serves the three functions at `/ours`, `/shelf` and `/floor`. Returns the gateway's address. */
export async function startServing(
  engines: Engines,
  tables: TableNames,
  bundles: Bundles,
  closers: Closers,
): Promise<string> {
  const variables = {
    ours: Object.fromEntries(
      Object.entries(tables).map(([tableKey, table]) => [TABLE_VARIABLES[tableKey as TableKey], table]),
    ),
    shelf: {
      [SHELF_VARIABLES.tokens]: SHELF_TABLES.tokens,
      [SHELF_VARIABLES.limits]: SHELF_TABLES.limits,
      [SHELF_VARIABLES.idempotency]: SHELF_TABLES.idempotency,
      [SHELF_VARIABLES.leads]: SHELF_TABLES.leads,
      [SHELF_VARIABLES.queueUrl]: engines.shelfQueueUrl,
    },
    floor: { [FLOOR_VARIABLES.leads]: FLOOR_TABLE },
  };
  const settings: ServeSettings = {
    functions: (['ours', 'shelf', 'floor'] as const).map((name) => ({
      name,
      codeFolder: bundles.folderOf(CONTENDERS[name]),
      variables: variables[name],
    })),
    endpoints: {
      dynamoDb: engines.dynamoDb,
      sqs: engines.sqs,
      ses: 'none',
      eventBridge: 'none',
      cognito: 'none',
      lambda: 'none',
      dns: '127.0.0.1:53',
    },
    logFolder: engines.data.logs,
  };
  const child = fork(fileURLToPath(new URL('serve.ts', import.meta.url)), {
    env: { ...process.env, BENCH_SERVE: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  closers.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  });
  const [url] = await once(child, 'message');
  return url as string;
}
