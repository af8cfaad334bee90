import { type Addresses, cognitoOnAws, writeOutputsFile } from './addresses.ts';
import type { Progress } from './command-line.ts';
import { consoleOnAws, readDistribution } from './console/distribution.ts';
import { openDistribution, openOnNextPort } from './console/serve-console.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { type Demo, seedDemo } from './demo-workspace.ts';
import { startDns } from './dns.ts';
import { requireJava, startDynamoDbLocal } from './dynamodb-local.ts';
import { makePace } from './event-source/event-source.ts';
import { readMappings } from './event-source/mapping.ts';
import { startEventSources } from './event-source/start-event-sources.ts';
import type { Print } from './function-log.ts';
import { makeFunctionPools } from './function-pool.ts';
import { httpApiOnAws, makeHttpApi } from './gateway/http-api.ts';
import { makeRestApi, openRestApi, restApiOnAws } from './gateway/rest-api.ts';
import type { Route } from './gateway/routes.ts';
import { type Gateway, openGateway } from './gateway/server.ts';
import { enforceIam } from './iam/enforce-iam.ts';
import { type Closers, makeClosers } from './lifecycle.ts';
import { type Endpoints, openAccess } from './local-account.ts';
import { startSqs } from './sqs.ts';
import { synthesise } from './synthesise.ts';
import { findStreams, makeTables } from './tables.ts';
import { TemplateReader } from './template.ts';

export interface StartSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** Undefined: everything in memory, in a temporary folder. */
  readonly dataDirectory: string | undefined;
  /** Whether functions may do only what their roles in the template allow. */
  readonly enforceIam: boolean;
  readonly progress: Progress;
  /** Takes the warnings and errors of the functions. */
  readonly print: Print;
  /** Ends a start that is still under way. */
  readonly signal?: AbortSignal;
}

/** The stack, ready on this machine. */
export interface LocalStack {
  /** `{base_url}`, without a slash at its end. */
  readonly ingestUrl: string;
  /** Of the owner's API, without a slash at its end; its paths all begin with `/settings`. */
  readonly settingsUrl: string;
  /** Of the owners' console, without a slash at its end. */
  readonly consoleUrl: string;
  readonly dynamodbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly cognitoEndpoint: string;
  readonly outputsFile: string;
  /** The stack's outputs by name, with the addresses that they have on AWS. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly logFolder: string;
  readonly demo: Demo;
  readonly routes: readonly Route[];
  /** Rejects when something ends that must not. */
  readonly lost: Promise<never>;
  stop(): Promise<void>;
}

/** Synthesises the stack and serves what its template says. Whatever goes wrong, nothing is left running. */
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
  // First what fails fast: a folder in use (which explains the port, so it goes first), a taken port, no Java.
  const data = await openDataDirectory(settings.dataDirectory, closers);
  const gateways = await openGateways(settings.port, closers);
  await requireJava();
  settings.signal?.throwIfAborted();

  const { assembly, reader, dynamo, endpoints, databaseIsNew } = await startEngines(
    { ...settings, consoleUrl: gateways.console.url },
    data,
    closers,
  );
  const addresses: Addresses = new Map([
    [restApiOnAws(reader), gateways.ingest.url],
    [httpApiOnAws(reader), gateways.settings.url],
    [consoleOnAws(reader), gateways.console.url],
    [cognitoOnAws(reader), endpoints.cognito],
  ]);
  const access = settings.enforceIam
    ? await enforceIam({ reader, endpoints, logFolder: data.logs, print }, closers)
    : openAccess(endpoints);
  const pace = makePace();
  const pools = makeFunctionPools(
    { assembly, reader, endpoints, access, addresses, logFolder: data.logs, print, onInvoked: pace.speedUp },
    closers,
  );
  const restApi = makeRestApi(reader, pools);
  const httpApi = makeHttpApi(reader, pools);
  const apis = new Map([[httpApiOnAws(reader), httpApi]]);
  const site = openDistribution(readDistribution({ reader, assembly, addresses, apis }));
  const mappings = readMappings(reader);
  const outputs = reader.outputs((name, error) => print(`Output ${name} is left out: ${error.message}`));
  const { client } = dynamo;
  const { demoFile, outputsFile } = data;
  const demo = await progress.step(
    'making the demo workspace',
    'Demo workspace ready',
    seedDemo({ client, outputs, demoFile, databaseIsNew, cognitoEndpoint: endpoints.cognito }),
  );
  await writeOutputsFile({ file: outputsFile, stackName: assembly.stackName, outputs, addresses, endpoints });
  gateways.ingest.serve(openRestApi(restApi));
  gateways.settings.serve(httpApi);
  gateways.console.serve(site);
  // Again, and so before the functions and the database: requests under way come to their end.
  closers.defer(gateways.close);
  // Last, and so the first to stop: what they have not done yet waits in the streams.
  await startEventSources({ mappings, pools, access, pace, print }, closers);
  return {
    ingestUrl: gateways.ingest.url,
    settingsUrl: gateways.settings.url,
    consoleUrl: gateways.console.url,
    dynamodbEndpoint: dynamo.endpoint,
    sqsEndpoint: endpoints.sqs,
    cognitoEndpoint: endpoints.cognito,
    outputsFile,
    outputs,
    logFolder: data.logs,
    demo,
    routes: restApi.routes,
    lost: dynamo.lost,
    stop: () => closers.close(),
  };
}

/** One for each API and one for the console, on ports that are taken at once. */
async function openGateways(port: number, closers: Closers) {
  const open = async (opening: Promise<Gateway>) => {
    const gateway = await opening;
    closers.defer(() => gateway.close());
    return gateway;
  };
  const ingest = await open(openGateway(port));
  const settings = await open(openGateway(0));
  const site = await open(openOnNextPort(port));
  const close = async () => {
    await Promise.all([ingest.close(), settings.close(), site.close()]);
  };
  return { ingest, settings, console: site, close };
}

/** The stack's template, and all that its functions talk to: after this, the reader knows every address. */
async function startEngines(
  { progress, print, consoleUrl }: StartSettings & { readonly consoleUrl: string },
  data: DataDirectory,
  closers: Closers,
) {
  const [assembly, dynamo, { startCognito }] = await Promise.all([
    progress.step('synthesising the stack', 'Stack synthesised', synthesise(data.assembly, closers)),
    progress.step('starting DynamoDB Local', 'DynamoDB Local started', startDynamoDbLocal(data, closers)),
    // Slow to load: here this process has nothing else to do.
    import('./cognito/start-cognito.ts'),
  ]);
  const reader = new TemplateReader(assembly.template, assembly.stackName);
  const [sqs, cognito, dns, databaseIsNew] = await Promise.all([
    startSqs(reader, closers),
    startCognito(reader, { directory: data.cognito, consoleUrl, print }, closers),
    startDns({ print }, closers),
    progress.step('making tables', 'Tables ready', makeTables(dynamo.client, reader)),
  ]);
  await findStreams(dynamo.client, reader);
  const endpoints: Endpoints = {
    dynamoDb: dynamo.endpoint,
    sqs: sqs.endpoint,
    cognito: cognito.endpoint,
    dns: dns.address,
  };
  return { assembly, reader, dynamo, endpoints, databaseIsNew };
}
