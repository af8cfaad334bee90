import { makeClosers } from './closers.ts';
import { openDataDirectory } from './data-directory.ts';
import { startDynamoDbLocal } from './dynamodb-local.ts';
import type { Print } from './function-log.ts';
import type { Route } from './gateway/routes.ts';
import { openGateway } from './gateway/server.ts';
import { requireJava } from './java.ts';
import { writeOutputsFile } from './outputs-file.ts';
import type { Progress } from './progress.ts';
import { makeRestApi } from './rest-api.ts';
import { type Demo, seedDemo } from './seed.ts';
import { synthesise } from './synthesise.ts';
import { makeTables } from './tables.ts';
import { TemplateReader } from './template.ts';

export interface StartSettings {
  /** 0 takes any free port. */
  readonly port: number;
  /** Undefined: everything in memory, in a temporary folder. */
  readonly dataDirectory: string | undefined;
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
  readonly dynamodbEndpoint: string;
  readonly outputsFile: string;
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

async function start(settings: StartSettings, closers: ReturnType<typeof makeClosers>): Promise<LocalStack> {
  const { progress, print } = settings;
  // First what fails fast: a folder in use (which explains the port, so it goes first), a taken port, no Java.
  const data = await openDataDirectory(settings.dataDirectory, closers);
  const gateway = await openGateway(settings.port);
  closers.defer(() => gateway.close());
  await requireJava();
  settings.signal?.throwIfAborted();

  const [assembly, dynamo] = await Promise.all([
    progress.step('synthesising the stack', 'Stack synthesised', synthesise(data.assembly, closers)),
    progress.step('starting DynamoDB Local', 'DynamoDB Local started', startDynamoDbLocal(data, closers)),
  ]);
  const reader = new TemplateReader(assembly.template, assembly.stackName);
  const outputs = reader.outputs((name, error) => print(`Output ${name} is left out: ${error.message}`));
  const databaseIsNew = await progress.step(
    'making tables',
    'Tables ready',
    makeTables(dynamo.client, reader),
  );
  const api = makeRestApi(
    { assembly, reader, dynamoDbEndpoint: dynamo.endpoint, logFolder: data.logs, print },
    closers,
  );
  const demo = await progress.step(
    'making the demo workspace',
    'Demo workspace ready',
    seedDemo({ client: dynamo.client, outputs, demoFile: data.demoFile, databaseIsNew }),
  );
  await writeOutputsFile({
    file: data.outputsFile,
    stackName: assembly.stackName,
    outputs,
    addresses: new Map([[api.addressOnAws, gateway.url]]),
    dynamoDbEndpoint: dynamo.endpoint,
  });
  gateway.serve(api);
  // Again, and so before the functions and the database: requests under way come to their end.
  closers.defer(() => gateway.close());
  return {
    ingestUrl: gateway.url,
    dynamodbEndpoint: dynamo.endpoint,
    outputsFile: data.outputsFile,
    logFolder: data.logs,
    demo,
    routes: api.routes,
    lost: dynamo.lost,
    stop: () => closers.close(),
  };
}
