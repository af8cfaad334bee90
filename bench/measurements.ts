import { availableParallelism, loadavg } from 'node:os';
import { openDataDirectory } from '../local/data-directory.ts';
import { requireJava, startDynamoDbLocal } from '../local/dynamodb-local.ts';
import { openIngestFixture } from '../local/fixture/ingest-fixture.ts';
import { readRunningStack } from '../local/fixture/running-stack.ts';
import type { Closers } from '../local/lifecycle.ts';
import { writeOutputsFile } from '../local/local-account.ts';
import { startSqs } from '../local/sqs.ts';
import { synthesize } from '../local/synthesize.ts';
import { makeTables } from '../local/tables.ts';
import { TemplateReader } from '../local/template.ts';
import { countWatchReads, type WatchReads } from './alerts/count-reads.ts';
import { makeBundles } from './engines/bundles.ts';
import {
  countShelfCalls,
  countShelfUnits,
  type Engines,
  makeShelfQueue,
  makeShelfTables,
  openContenders,
  putShelfToken,
  type ShelfCalls,
} from './engines/contender-fixture.ts';
import type { Size } from './fixtures/index.ts';
import { measureThroughput, startServing, type Throughput } from './http/throughput.ts';
import { type BackgroundUse, countBackground } from './measure/background.ts';
import { type CallCount, countCalls } from './measure/calls.ts';
import { type Compressed, measureCompression } from './measure/compression.ts';
import type { Cost, StackCost } from './measure/cost.ts';
import {
  CONTENDERS,
  type CpuTimes,
  countFunctionCalls,
  measureCpu,
  profileCpu,
  type Share,
} from './measure/cpu.ts';
import { type Grown, measureGrowth, measureOwnerReads, type PageReads } from './measure/growth.ts';
import { type ImportTimes, measureImports } from './measure/import-time.ts';
import {
  type LocalStackCost,
  measureLocalStack,
  measureStart,
  type StartTimes,
} from './measure/local-stack.ts';
import { measureScoring, type ScoringTime } from './measure/scoring.ts';
import { measureSending, type SendingCost } from './measure/sending.ts';
import { countDeliveryUnits } from './measure/sources.ts';
import {
  countRejectionUnits,
  countUnits,
  measureIncompressible,
  measureLogLine,
  openUnitMeter,
  type RejectionUnits,
  type UnitCount,
} from './measure/write-units.ts';
import { countSearchReads, type SearchResults } from './search/count-reads.ts';

/** The results of one run. */
export interface Results {
  readonly measuredAt: string;
  readonly machine: string;
  readonly quick: boolean;
  readonly calls: readonly CallCount[];
  readonly shelfCalls: readonly ShelfCalls[];
  readonly units: readonly UnitCount[];
  readonly deliveryUnits: readonly UnitCount[];
  readonly shelfUnits: readonly UnitCount[];
  /** For 128 KB that do not compress. */
  readonly noiseUnits: number;
  readonly compression: readonly Compressed[];
  readonly rejectionUnits: RejectionUnits;
  readonly background: Readonly<Record<Size, BackgroundUse>>;
  readonly logLineBytes: number;
  readonly sending: readonly SendingCost[];
  readonly alerts: WatchReads;
  readonly search: readonly SearchResults[];
  readonly cpu: CpuTimes;
  readonly profile: readonly Share[];
  readonly costs: readonly Cost[];
  readonly stackCost: StackCost;
  readonly throughput: readonly Throughput[];
  readonly imports: ImportTimes;
  /** Of an accepted request. */
  readonly functionCalls: number;
  readonly scoring: readonly ScoringTime[];
  readonly growth: readonly Grown[];
  readonly ownerReads: readonly PageReads[];
  readonly starts: StartTimes;
  /** Undefined where the operating system cannot say. */
  readonly localStack: LocalStackCost | undefined;
  readonly suiteSeconds: number | undefined;
}

type Measured = Omit<Results, 'measuredAt' | 'machine' | 'quick' | 'costs' | 'stackCost' | 'suiteSeconds'>;

/** Each gives one or more of the results. Measurements that load the engines heavily come last. */
export type Measurement = () => Promise<Partial<Measured>>;

/** The number of rounds, requests and items. */
const FULL = {
  cpuRounds: 11,
  cpuRequests: 200,
  profileRequests: 2_000,
  imports: 41,
  starts: 3,
  httpRounds: 7,
  httpSeconds: 2,
  leads: 100_000,
  workspaces: 10_000,
  activeWorkspaces: 100,
  localLeads: 10_000,
  searchLeads: [100_000, 1_000_000],
};
const QUICK: typeof FULL = {
  cpuRounds: 5,
  cpuRequests: 100,
  profileRequests: 500,
  imports: 11,
  starts: 1,
  httpRounds: 1,
  httpSeconds: 2,
  leads: 5_000,
  workspaces: 1_000,
  activeWorkspaces: 10,
  localLeads: 1_000,
  searchLeads: [5_000, 20_000],
};

/** Enough that none comes near 1,000 per minute, and few enough that functions soon have all of them cached. */
const SENDERS = 6 * availableParallelism();

export async function openMeasurements(
  quick: boolean,
  closers: Closers,
): Promise<Record<string, Measurement>> {
  const amounts = quick ? QUICK : FULL;
  const bundles = await makeBundles([...Object.values(CONTENDERS), 'ingest-webhook']);
  closers.defer(() => bundles.remove());
  const engines = await startEngines(closers);
  const bench = openIngestFixture(readRunningStack(engines.data.outputsFile));
  const measureUnits = openUnitMeter(bench);
  const shelf = openContenders(engines);
  closers.defer(() => shelf.close());

  async function throughput() {
    const url = await startServing(engines, bench.stack.tables, bundles, closers);
    const tokens = { ours: [] as string[], shelf: [] as string[], floor: ['anybody'] };
    for (let sender = 0; sender < SENDERS; sender += 1) {
      tokens.ours.push((await bench.newSender()).token);
      tokens.shelf.push(await putShelfToken(engines.client));
    }
    return measureThroughput({ url, tokens, rounds: amounts.httpRounds, seconds: amounts.httpSeconds });
  }

  async function grow() {
    const sender = await bench.newSender();
    const growth = await measureGrowth(engines, bench, measureUnits, sender, amounts);
    return { growth, ownerReads: await measureOwnerReads(engines, bench, sender, amounts.leads) };
  }

  async function search() {
    const results: SearchResults[] = [];
    for (const leads of amounts.searchLeads) {
      const already = results.at(-1)?.leads ?? 0;
      results.push(await countSearchReads({ ...bench.stack, already, leads }));
    }
    return results;
  }

  return {
    scoring: async () => ({ scoring: await measureScoring() }),
    compression: async () => ({ compression: measureCompression() }),
    calls: async () => ({ calls: await countCalls(bench), shelfCalls: await countShelfCalls(shelf) }),
    'write-units': async () => ({
      units: await countUnits(measureUnits),
      deliveryUnits: await countDeliveryUnits(bench, measureUnits),
      shelfUnits: await countShelfUnits(shelf, engines.client),
      noiseUnits: (await measureIncompressible(measureUnits)).writeUnits,
      rejectionUnits: await countRejectionUnits(bench),
      background: await countBackground(bench),
      logLineBytes: await measureLogLine(bench),
    }),
    sending: async () => ({ sending: await measureSending(bench) }),
    alerts: async () => ({
      alerts: await countWatchReads({
        ...bench.stack,
        workspaces: amounts.workspaces,
        active: amounts.activeWorkspaces,
      }),
    }),
    bundles: async () => ({
      imports: measureImports(bundles, amounts.imports),
      functionCalls: await countFunctionCalls(bundles, closers),
    }),
    cpu: async () => ({
      cpu: await measureCpu(bundles, { rounds: amounts.cpuRounds, requests: amounts.cpuRequests }, closers),
      profile: await profileCpu({ requests: amounts.profileRequests }, closers),
    }),
    http: async () => ({ throughput: await throughput() }),
    start: async () => {
      const loadPerProcessor = (loadavg()[0] ?? 0) / availableParallelism();
      return { starts: await measureStart({ starts: amounts.starts, loadPerProcessor }, closers) };
    },
    'local-stack': async () => ({
      localStack: await measureLocalStack({ leads: amounts.localLeads }, closers),
    }),
    growth: grow,
    search: async () => ({ search: await search() }),
  };
}

/** Starts the engines with the tables of the stack and of the functions compared with it. */
async function startEngines(closers: Closers): Promise<Engines> {
  await requireJava();
  const data = await openDataDirectory(undefined, closers);
  const [assembly, dynamo] = await Promise.all([
    synthesize(data, closers),
    startDynamoDbLocal(data, closers),
  ]);
  const reader = new TemplateReader(assembly.template, assembly.stackName);
  const sqs = await startSqs(reader, closers);
  // The clock of the measurements stands still.
  await makeTables(dynamo.client, reader, { keepExpired: true });
  await makeShelfTables(dynamo.client);
  const engines = { dynamoDb: dynamo.endpoint, sqs: sqs.endpoint };
  await writeOutputsFile({
    file: data.outputsFile,
    stackName: assembly.stackName,
    // Outputs that need Cognito or an API are not used here.
    outputs: reader.outputs(() => undefined),
    addresses: new Map(),
    mailFolder: data.mail,
    endpoints: { ...engines, cognito: 'none', eventBridge: 'none' },
  });
  return {
    data,
    assembly,
    reader,
    client: dynamo.client,
    ...engines,
    shelfQueueUrl: await makeShelfQueue(sqs.endpoint),
  };
}
