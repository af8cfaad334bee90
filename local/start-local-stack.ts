import { consoleOnAws, readDistribution } from './console/distribution.ts';
import { openDistribution, openOnNextPort } from './console/serve-console.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { type CheckedDemo, seedDemo } from './demo-workspace.ts';
import { startDns } from './dns.ts';
import { requireJava, startDynamoDbLocal } from './dynamodb-local.ts';
import { openCheckpoints } from './event-source/checkpoints.ts';
import { deliverEvents, readEventRules, readSchedules, startSchedules } from './event-source/event-rules.ts';
import { makePace } from './event-source/event-source.ts';
import { openAccess, readMappings } from './event-source/mapping.ts';
import { startEventSources } from './event-source/start-event-sources.ts';
import { makeTurns } from './event-source/turns.ts';
import type { Print } from './function-log.ts';
import { makeFunctionPools } from './function-pool.ts';
import type { CodeFolders } from './functions.ts';
import { httpApiOnAws, makeHttpApi } from './gateway/http-api.ts';
import { makeRestApi, openRestApi, REST_APIS, restApiOnAws } from './gateway/rest-api.ts';
import type { Route } from './gateway/routes.ts';
import { type Gateway, openGateway } from './gateway/server.ts';
import { enforceIam } from './iam/enforce-iam.ts';
import { startLambdaApi } from './lambda-api.ts';
import { type Closers, makeClosers } from './lifecycle.ts';
import { type Addresses, cognitoOnAws, type Endpoints, writeOutputsFile } from './local-account.ts';
import { startEventBus, startSes } from './sending-services.ts';
import { startSqs } from './sqs.ts';
import { synthesize } from './synthesize.ts';
import { findStreams, makeTables } from './tables.ts';
import { TemplateReader } from './template.ts';

/** Shows the current step, and how long each step took. */
export interface Progress {
  step<Result>(doing: string, done: string, work: Promise<Result>): Promise<Result>;
  /** Erases the line of unfinished steps, so that other lines can follow. */
  clear(): void;
}

export interface StartSettings {
  /** 0 means any free port. */
  readonly port: number;
  /** Undefined: in memory, with a temporary folder. */
  readonly dataDirectory: string | undefined;
  /** Whether functions may do only what their roles in the template allow. */
  readonly enforceIam: boolean;
  /** Whether owners may name `http://127.0.0.1` as a destination. */
  readonly allowLoopbackDestinations: boolean;
  /** Whether items stay after their time to live. */
  readonly keepExpired?: boolean;
  /** By how much the time of scheduled events is ahead of the clock. */
  readonly scheduleAheadMilliseconds?: number;
  /** Whether functions work in turn, as with the setting of that name. */
  readonly smallAccount?: boolean;
  /** Code to run instead of this version's: that of the last release, in its tests. */
  readonly codeFolders?: CodeFolders;
  readonly progress: Progress;
  /** Prints the functions' warnings and errors. */
  readonly print: Print;
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal;
}

/** The stack, ready on this machine. */
export interface LocalStack {
  /** `{base_url}`, without a trailing slash. */
  readonly ingestUrl: string;
  /** Surface 1c, without a trailing slash. All its paths begin with `/sources`. */
  readonly sourcesUrl: string;
  /** The settings API, without a trailing slash. All its paths begin with `/settings`. */
  readonly settingsUrl: string;
  /** The owners' console, without a trailing slash. */
  readonly consoleUrl: string;
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly cognitoEndpoint: string;
  readonly outputsFile: string;
  /** The stack's outputs by name, with their addresses on AWS. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly logFolder: string;
  /** Where mail to destinations, owners and viewers is written. */
  readonly mailFolder: string;
  /** Where events for the event bus are written. */
  readonly eventBusFile: string;
  /** What of the demo workspace works. */
  readonly demo: CheckedDemo['demo'];
  readonly demoRejected: CheckedDemo['rejected'];
  readonly routes: readonly Route[];
  /** Rejects when DynamoDB Local ends unexpectedly. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

/** Synthesizes the stack and serves its template. If that fails, everything that was started is stopped. */
export async function startLocalStack(settings: StartSettings): Promise<LocalStack> {
  const closers = makeClosers();
  const aborted = Promise.withResolvers<never>();
  settings.signal?.addEventListener('abort', () => aborted.reject(settings.signal?.reason), { once: true });
  try {
    return await Promise.race([start(settings, closers), aborted.promise]);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

async function start(settings: StartSettings, closers: Closers): Promise<LocalStack> {
  const { progress, print } = settings;
  // First what fails fast: a folder in use (checked before the port, since it explains it), a port in use, no Java.
  const data = await openDataDirectory(settings.dataDirectory, closers);
  const gateways = await openGateways(settings.port, closers);
  await requireJava();
  settings.signal?.throwIfAborted();

  const { assembly, reader, dynamo, sqs, endpoints, eventBus, lambdaApi, databaseIsNew } = await startEngines(
    { ...settings, consoleUrl: gateways.console.url },
    data,
    closers,
  );
  const addresses: Addresses = new Map([
    [restApiOnAws(REST_APIS.ingest, reader), gateways.ingest.url],
    [restApiOnAws(REST_APIS.sources, reader), gateways.sources.url],
    [httpApiOnAws(reader), gateways.settings.url],
    [consoleOnAws(reader), gateways.console.url],
    [cognitoOnAws(reader), endpoints.cognito],
  ]);
  const access = settings.enforceIam
    ? await enforceIam({ reader, endpoints, logFolder: data.logs, print }, closers)
    : openAccess(endpoints);
  const pace = makePace();
  const pools = makeFunctionPools(
    {
      assembly,
      reader,
      endpoints,
      access,
      addresses,
      codeFolders: settings.codeFolders,
      allowLoopbackDestinations: settings.allowLoopbackDestinations,
      logFolder: data.logs,
      print,
      onInvoked: pace.speedUp,
    },
    closers,
  );
  lambdaApi.serve(pools);
  const turns = makeTurns(pools);
  const restApi = makeRestApi(REST_APIS.ingest, reader, turns.responding);
  const sourcesApi = makeRestApi(REST_APIS.sources, reader, turns.responding);
  const httpApi = makeHttpApi(reader, turns.responding);
  const apis = new Map([[httpApiOnAws(reader), httpApi]]);
  const site = openDistribution(readDistribution({ reader, assembly, addresses, apis }));
  const mappings = readMappings(reader);
  const schedules = readSchedules(reader);
  const outputs = reader.outputs((name, error) => print(`Skipped the output ${name}: ${error.message}`));
  const { client } = dynamo;
  const { demoFile, outputsFile } = data;
  const { demo, rejected: demoRejected } = await progress.step(
    'creating the demo workspace',
    'Demo workspace ready',
    seedDemo({ client, outputs, demoFile, databaseIsNew, cognitoEndpoint: endpoints.cognito }),
  );
  const { stackName } = assembly;
  const mailFolder = data.mail;
  await writeOutputsFile({ file: outputsFile, stackName, outputs, addresses, endpoints, mailFolder });
  gateways.ingest.serve(openRestApi(restApi));
  gateways.sources.serve(openRestApi(sourcesApi));
  gateways.settings.serve(httpApi);
  gateways.console.serve(site);
  // Closed again here, before the functions and the database, so that running requests can finish.
  closers.defer(gateways.close);
  // Last, and therefore the first to stop: unfinished work waits in the streams.
  const checkpoints = data.kept
    ? openCheckpoints({ file: data.checkpointsFile, isIdle: sqs.isEmpty }, closers)
    : undefined;
  await startEventSources({ mappings, pools, access, pace, turns, print, checkpoints }, closers);
  const { scheduleAheadMilliseconds: aheadMilliseconds } = settings;
  startSchedules({ schedules, pools, access, print, aheadMilliseconds }, closers);
  deliverEvents({ rules: readEventRules(reader), eventBus, pools, access, print });
  return {
    ingestUrl: gateways.ingest.url,
    sourcesUrl: gateways.sources.url,
    settingsUrl: gateways.settings.url,
    consoleUrl: gateways.console.url,
    dynamodbEndpoint: dynamo.endpoint,
    sqsEndpoint: endpoints.sqs,
    cognitoEndpoint: endpoints.cognito,
    outputsFile,
    outputs,
    logFolder: data.logs,
    mailFolder,
    eventBusFile: data.eventBusFile,
    demo,
    demoRejected,
    routes: restApi.routes,
    lost: dynamo.lost,
    stop: () => closers.close(),
  };
}

/** One gateway per API and one for the console. The ports are taken at once. */
async function openGateways(port: number, closers: Closers) {
  const open = async (opening: Promise<Gateway>) => {
    const gateway = await opening;
    closers.defer(() => gateway.close());
    return gateway;
  };
  const ingest = await open(openGateway(port));
  const settings = await open(openGateway(0));
  const site = await open(openOnNextPort(port));
  const sources = await open(openOnNextPort(port === 0 ? 0 : port + 1));
  const close = async () => {
    await Promise.all([ingest, sources, settings, site].map((gateway) => gateway.close()));
  };
  return { ingest, sources, settings, console: site, close };
}

/** Synthesizes the template and starts what the functions talk to. Afterwards the reader knows every address. */
async function startEngines(
  settings: StartSettings & { readonly consoleUrl: string },
  data: DataDirectory,
  closers: Closers,
) {
  const { progress, print, consoleUrl, keepExpired = false, smallAccount = false } = settings;
  const synthesized = synthesize(data, closers, { smallAccount });
  const [assembly, dynamo, { startCognito }] = await Promise.all([
    progress.step('synthesizing the stack', 'Stack synthesized', synthesized),
    progress.step('starting DynamoDB Local', 'DynamoDB Local started', startDynamoDbLocal(data, closers)),
    // Slow to load, and this process is idle meanwhile.
    import('./cognito/start-cognito.ts'),
  ]);
  const reader = new TemplateReader(assembly.template, assembly.stackName);
  const [sqs, ses, eventBus, lambdaApi, cognito, dns, databaseIsNew] = await Promise.all([
    startSqs(reader, closers),
    startSes(data.mail, closers),
    startEventBus(data.eventBusFile, closers),
    startLambdaApi(closers),
    startCognito(reader, { directory: data.cognito, mailFolder: data.mail, consoleUrl, print }, closers),
    startDns({ print }, closers),
    progress.step('creating tables', 'Tables ready', makeTables(dynamo.client, reader, { keepExpired })),
  ]);
  await findStreams(dynamo.client, reader);
  const endpoints: Endpoints = {
    dynamoDb: dynamo.endpoint,
    sqs: sqs.endpoint,
    ses: ses.endpoint,
    eventBridge: eventBus.endpoint,
    cognito: cognito.endpoint,
    lambda: lambdaApi.endpoint,
    dns: dns.address,
  };
  return { assembly, reader, dynamo, sqs, endpoints, eventBus, lambdaApi, databaseIsNew };
}
