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
import { countWatchReads } from './alerts/count-reads.ts';
import { makeBundles } from './engines/bundles.ts';
import {
  countShelfCalls,
  countShelfUnits,
  type Engines,
  makeShelfQueue,
  makeShelfTables,
  openContenders,
  putShelfToken,
} from './engines/contender-fixture.ts';
import { countFunctions } from './functions/count.ts';
import { bundleBytes, templateFunctions } from './functions/kit.ts';
import { measureThroughput, startServing } from './http/throughput.ts';
import { countBackground } from './measure/background.ts';
import { countCalls } from './measure/calls.ts';
import { measureCompression } from './measure/compression.ts';
import { CONTENDERS, countFunctionCalls, measureCpu, profileCpu } from './measure/cpu.ts';
import { measureGrowth, measureOwnerReads } from './measure/growth.ts';
import { measureImports } from './measure/import-time.ts';
import { measureLocalStack, measureStart } from './measure/local-stack.ts';
import { measureScoring } from './measure/scoring.ts';
import { measureSending } from './measure/sending.ts';
import { countDeliveryUnits, countSourceCalls } from './measure/sources.ts';
import {
  countRejectionUnits,
  countUnits,
  measureIncompressible,
  measureLogLine,
  openUnitMeter,
} from './measure/write-units.ts';
import type { Measured } from './measured.ts';
import { countSearchReads, type SearchResults } from './search/count-reads.ts';

/** Each gives one or more of the results. Measurements that load the engines heavily come last. */
export type Measurement = () => Promise<Partial<Measured>>;

/** The number of rounds, requests and items. */
const FULL = {
  cpuRounds: 11,
  cpuRequests: 200,
  profileRequests: 2_000,
  imports: 41,
  starts: 3,
  httpRounds: 5,
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
  const template = templateFunctions();
  const folders = new Set([...Object.values(CONTENDERS), ...template.functions.map(({ folder }) => folder)]);
  const bundles = makeBundles([...folders]);
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
    calls: async () => ({
      calls: [...(await countCalls(bench)), ...(await countSourceCalls(bench))],
      shelfCalls: await countShelfCalls(shelf),
    }),
    'write-units': async () => ({
      units: await countUnits(measureUnits),
      deliveryUnits: await countDeliveryUnits(bench, measureUnits),
      shelfUnits: await countShelfUnits(shelf, engines.client),
      noiseUnits: (await measureIncompressible(measureUnits)).writeUnits,
      rejectionUnits: await countRejectionUnits(bench),
      background: await countBackground(bench),
      logLineBytes: await measureLogLine(bench),
    }),
    functions: async () => ({ functions: await countFunctions(bench.stack, bundles, template) }),
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
      bundles: bundleBytes(bundles, template.functions),
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
export async function startEngines(closers: Closers): Promise<Engines> {
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
