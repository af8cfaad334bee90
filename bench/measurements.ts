import { availableParallelism, loadavg } from 'node:os';
import type { Closers } from '../local/lifecycle.ts';
import { openWorkbench, submissionId } from '../test/lambdas/ingest/workbench.ts';
import { makeBundles } from './engines/bundles.ts';
import { openShelfBench, putShelfToken } from './engines/shelf-bench.ts';
import { startEngines } from './engines/start-engines.ts';
import { BODIES } from './fixtures/index.ts';
import { startServing } from './http/start-serving.ts';
import { countBackgroundUnits } from './measure/background-units.ts';
import { countCalls } from './measure/calls.ts';
import { measureCompression } from './measure/compression.ts';
import { CONTENDERS, measureCpu } from './measure/cpu.ts';
import { profileCpu } from './measure/cpu-profile.ts';
import { measureGrowth } from './measure/growth.ts';
import { measureImports } from './measure/import-time.ts';
import { measureLocalStack } from './measure/local-stack.ts';
import { measureOwnerReads } from './measure/owner-reads.ts';
import { countRejectionUnits } from './measure/rejection-units.ts';
import { measureScoring } from './measure/scoring.ts';
import { countShelfCalls, countShelfUnits } from './measure/shelf-calls.ts';
import { measureStart } from './measure/start-time.ts';
import { measureThroughput } from './measure/throughput.ts';
import { countUnits, weighNoise } from './measure/write-units.ts';
import type { Results } from './results.ts';
import { openScale } from './units/scale.ts';

type Measured = Omit<Results, 'measuredAt' | 'machine' | 'quick' | 'costs' | 'suiteSeconds'>;

/** Each gives one or more of the results. In this order: what is heavy on the engines comes last. */
export type Measurement = () => Promise<Partial<Measured>>;

/** How much of each. */
const FULL = {
  ...{ cpuRounds: 11, cpuRequests: 200, profileRequests: 2_000, imports: 41, starts: 3 },
  ...{ httpRounds: 7, httpSeconds: 2, leads: 100_000, workspaces: 10_000 },
  localLeads: 10_000,
};
const QUICK: typeof FULL = {
  ...{ cpuRounds: 5, cpuRequests: 100, profileRequests: 500, imports: 11, starts: 1 },
  ...{ httpRounds: 1, httpSeconds: 2, leads: 5_000, workspaces: 1_000 },
  localLeads: 1_000,
};

/** So many that none comes near 1,000 in a minute, and so few that a function knows them all after a moment. */
const SENDERS = 6 * availableParallelism();

export async function openMeasurements(
  quick: boolean,
  closers: Closers,
): Promise<Record<string, Measurement>> {
  const much = quick ? QUICK : FULL;
  const bundles = await makeBundles([...Object.values(CONTENDERS), 'ingest-webhook']);
  closers.defer(() => bundles.remove());
  const engines = await startEngines(closers);
  // The tests' workbenches find the engines as the tests do.
  process.env.LEAD_INGEST_OUTPUTS = engines.data.outputsFile;
  const bench = openWorkbench();
  const weigh = openScale(bench);
  const shelf = openShelfBench(engines);
  closers.defer(() => shelf.close());

  async function throughput() {
    const url = await startServing(engines, bench.stack.tables, bundles, closers);
    const tokens = { ours: [] as string[], shelf: [] as string[], floor: ['anybody'] };
    for (let sender = 0; sender < SENDERS; sender += 1) {
      tokens.ours.push((await bench.newSender()).token);
      tokens.shelf.push(await putShelfToken(engines.client));
    }
    return measureThroughput({ url, tokens, rounds: much.httpRounds, seconds: much.httpSeconds });
  }

  async function logLineBytes(): Promise<number> {
    const environment = bench.newEnvironment();
    submissionId(await environment.server(await bench.newSender(), { body: BODIES['1 KB'] }));
    return Buffer.byteLength(environment.logLines.at(-1) ?? '');
  }

  async function grow() {
    const sender = await bench.newSender();
    const growth = await measureGrowth(engines, bench, weigh, sender, much);
    return { growth, ownerReads: await measureOwnerReads(engines, bench, sender, much.leads) };
  }

  return {
    scoring: async () => ({ scoring: await measureScoring() }),
    compression: async () => ({ compression: measureCompression() }),
    calls: async () => ({ calls: await countCalls(bench), shelfCalls: await countShelfCalls(shelf) }),
    'write-units': async () => ({
      units: await countUnits(weigh),
      shelfUnits: await countShelfUnits(shelf, engines.client),
      noiseUnits: (await weighNoise(weigh)).writeUnits,
      rejectionUnits: await countRejectionUnits(bench),
      background: await countBackgroundUnits(bench),
      logLineBytes: await logLineBytes(),
    }),
    bundles: async () => ({ imports: measureImports(bundles, much.imports) }),
    cpu: async () => ({
      cpu: await measureCpu(bundles, { rounds: much.cpuRounds, requests: much.cpuRequests }, closers),
      profile: await profileCpu({ requests: much.profileRequests }, closers),
    }),
    http: async () => ({ throughput: await throughput() }),
    start: async () => {
      const loadPerProcessor = (loadavg()[0] ?? 0) / availableParallelism();
      return { starts: await measureStart({ starts: much.starts, loadPerProcessor }, closers) };
    },
    'local-stack': async () => ({
      localStack: await measureLocalStack({ leads: much.localLeads }, closers),
    }),
    growth: grow,
  };
}
