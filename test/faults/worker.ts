import { enableCompileCache, registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Planted } from './compile-planted.ts';
import type { Keep, ScheduleResult } from './run-schedule.ts';

/** One thread's share of the schedules. */
export interface Order {
  readonly scenarios: readonly string[];
  readonly firstSeed: number;
  readonly lastSeed: number;
  /** The step between seeds, so that threads share the work. */
  readonly stride: number;
  readonly stopAtFailure: boolean;
  readonly keep: Keep;
  readonly planted?: Planted | undefined;
}

export interface Share {
  readonly schedules: number;
  readonly fingerprints: readonly string[];
  readonly failures: readonly ScheduleResult[];
  readonly results: readonly ScheduleResult[];
}

const MAX_FAILURES = 5;
const order = workerData as Order;

// A thread does not inherit it. Loading the service and the SDK takes half the time with it.
enableCompileCache();

// The load hook replaces the source, so everything under test must be imported after it.
const { planted } = order;
if (planted) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      return url.endsWith(planted.file) ? { ...loaded, source: planted.source } : loaded;
    },
  });
}

const { makeKit } = await import('./service/sender.ts');

const { runSchedule, SCENARIOS } = await import('./run-schedule.ts');

async function runShare(): Promise<Share> {
  const kit = await makeKit();
  const scenarios = SCENARIOS.filter(({ name }) => order.scenarios.includes(name));
  if (scenarios.length < order.scenarios.length) throw new Error(`Unknown scenario in ${order.scenarios}`);
  const fingerprints = new Set<string>();
  const failures: ScheduleResult[] = [];
  const results: ScheduleResult[] = [];
  let schedules = 0;
  for (let seed = order.firstSeed; seed <= order.lastSeed; seed += order.stride) {
    for (const scenario of scenarios) {
      const result = await runSchedule(kit, scenario, seed, order.keep);
      schedules += 1;
      fingerprints.add(`${scenario.name} ${result.fingerprint}`);
      if (order.keep.timeline || order.keep.calls) results.push(result);
      if (result.violations.length === 0) continue;
      failures.push(await runSchedule(kit, scenario, seed, { timeline: true }));
      if (order.stopAtFailure || failures.length >= MAX_FAILURES) {
        return { schedules, fingerprints: [...fingerprints], failures, results };
      }
    }
  }
  return { schedules, fingerprints: [...fingerprints], failures, results };
}

parentPort?.postMessage(await runShare());
