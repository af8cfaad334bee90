/** A separate process that invokes one function repeatedly, as Lambda would, and reports the processor time. */

import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { BODIES, gatewayEvent, LAMBDA_CONTEXT } from '../fixtures/index.ts';
import { CANNED_TOKEN } from './canned-store.ts';

export interface Order {
  readonly count: number;
  readonly keyed: boolean;
  /** The file for a profile. */
  readonly profile?: string;
  /** Whether to count calls of functions instead of time. */
  readonly counting?: boolean;
}

type Handler = (event: unknown, context: unknown) => Promise<{ statusCode: number }>;

const source = process.argv[2] as string;
const { handler } = (
  source.endsWith('.ts') ? await import(source) : createRequire(import.meta.url)(source)
) as { handler: Handler };

let keys = 0;

async function invoke(keyed: boolean): Promise<void> {
  keys += 1;
  // Lambda passes the event as text.
  const event = JSON.stringify(gatewayEvent(CANNED_TOKEN, BODIES['1 KB'], keyed ? `key-${keys}` : undefined));
  const { statusCode } = await handler(JSON.parse(event), LAMBDA_CONTEXT);
  if (statusCode !== 202) throw new Error(`not accepted: ${statusCode}`);
}

/** Like `--cpu-prof`, but for these requests only. */
async function profiled(file: string, run: () => Promise<number>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  const result = await run();
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(file, JSON.stringify(profile));
  session.disconnect();
  return result;
}

const WARM_UP = 20;

/** Calls of functions per request, without Node's own: the same on every machine. */
async function countCalls({ count, keyed }: Order): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  for (let done = 0; done < WARM_UP; done += 1) await invoke(keyed);
  await session.post('Profiler.takePreciseCoverage');
  for (let done = 0; done < count; done += 1) await invoke(keyed);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const calls = result
    .filter(({ url }) => url.endsWith(source))
    .flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
  return calls.reduce((sum, each) => sum + each, 0) / count;
}

/** Microseconds of processor time per request. */
async function work({ count, keyed }: Order): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < count; done += 1) await invoke(keyed);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

process.on('message', (order: Order) => {
  const run = () => (order.counting ? countCalls(order) : work(order));
  const done = order.profile === undefined ? run() : profiled(order.profile, run);
  done.then(
    (perRequest) => process.send?.({ perRequest }),
    (error: Error) => process.send?.({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
