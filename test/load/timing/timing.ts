import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BROWSER_VARIABLES, TABLE_VARIABLES, type TableKey } from '#contract';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '#local/local-account.ts';
import { type Finding, judged, logProgress } from '../findings.ts';
import type { LoadOptions } from '../run.ts';
import { PAIRS, type Pair } from './pairs.ts';
import { BROWSER_KEYS, TABLE_NAMES } from './records.ts';
import { describeSamples } from './statistics.ts';
import type { Order, Samples } from './timed-function.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Runs store and function in separate processes, so that neither waits for the other's event loop. */
async function timeInProcesses(slowness: number, order: Order): Promise<[Samples, Samples]> {
  const store = fork(path('slow-store.ts'), [String(slowness)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const port = (await messageOf(store)) as number;
    const timed = fork(path('timed-function.ts'), {
      env: { PATH: process.env.PATH ?? '', ...variables(`http://127.0.0.1:${port}`) },
      // Telemetry is written, but discarded.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    timed.send(order);
    const taken = (await messageOf(timed)) as [Samples, Samples];
    timed.disconnect();
    return taken;
  } finally {
    store.disconnect();
  }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), exited]);
  exited.catch(() => undefined);
  return message;
}

function variables(store: string): Record<string, string> {
  const tables = Object.entries(TABLE_NAMES).map(([tableKey, name]) => [TABLE_VARIABLES[tableKey as TableKey], name]);
  return {
    ...Object.fromEntries(tables),
    AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
    AWS_REGION: LOCAL_REGION,
    AWS_ENDPOINT_URL_DYNAMODB: store,
    [BROWSER_VARIABLES.localKeys]: BROWSER_KEYS,
    AWS_LAMBDA_FUNCTION_NAME: 'timing',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  };
}

/** Fewer would not show the slowest percent. */
const MIN_SAMPLES = 200;
/** For the work alone, over a store that responds at once: little noise and no wait. */
const WORK_SAMPLES = 4_000;

/**
 * Times each pair with the real function, the real SDK and a store with DynamoDB's latency, and really waits for the
 * tick: 20,000 samples of both requests of a pair take about half an hour. Pairs that only differ in the cause of the
 * rejection get a tenth of the samples.
 */
export async function runTiming(options: LoadOptions): Promise<Finding[]> {
  const pairs = PAIRS.filter(({ name }) => name.includes(options.pairs));
  const waiting = [...pairs];
  const findings = new Map<Pair, Finding>();

  async function timeWaitingPairs(): Promise<void> {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const finding = await judge(pair, options);
      logProgress(`${pair.name}: ${finding.figures}`);
      findings.set(pair, finding);
    }
  }

  await Promise.all(Array.from({ length: options.environments }, timeWaitingPairs));
  return pairs.map((pair) => findings.get(pair) as Finding);
}

async function judge(pair: Pair, { samples, seed }: LoadOptions): Promise<Finding> {
  const count = Math.max(MIN_SAMPLES, Math.round(samples * pair.share));
  const order = { pair: pair.name, seed };
  const work = await timeInProcesses(0, { ...order, samples: WORK_SAMPLES, waits: false });
  const responses = await timeInProcesses(pair.slowness, { ...order, samples: count, waits: true });
  const { held, figures } = describeSamples(work, responses, { mayPassTick: pair.slowness > 1 });
  return judged(pair.name, held, `n = ${count.toLocaleString('en')} each; ${figures}`);
}
