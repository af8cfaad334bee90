import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { Stack } from 'aws-cdk-lib';
import type { TableNames } from '../../lambdas/aws/dynamodb.ts';
import { BROWSER_VARIABLES, OUTPUTS, TABLE_VARIABLES, type TableKey } from '../../lambdas/contract.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { ServiceFunction } from '../../lib/service-function.ts';
import { Environment } from '../../local/environment.ts';
import { openAccess } from '../../local/event-source/mapping.ts';
import { copyTable } from '../../local/fixture/copy-table.ts';
import { type IngestFixture, openIngestFixture, REJECTED } from '../../local/fixture/ingest-fixture.ts';
import type { RunningStack } from '../../local/fixture/running-stack.ts';
import type { FunctionLog } from '../../local/function-log.ts';
import { environmentVariables, findFunction } from '../../local/functions.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { cognitoOnAws } from '../../local/local-account.ts';
import { TemplateReader } from '../../local/template.ts';
import type { Bundles } from '../engines/bundles.ts';
import { type RecordedServices, startRecordedServices } from './services.ts';

export interface TemplateFunction {
  readonly name: string;
  readonly folder: string;
  readonly logicalId: string;
}

/** Everything that can be tried without AWS, and the function that only small accounts have. */
const CONTEXT = { stage: 'dev', eventBus: 'true', mailFrom: 'leads@example.com', smallAccount: 'true' };

/** Makes up what only running engines would know, like the address of a user pool: nothing here depends on it. */
class LenientReader extends TemplateReader {
  override attribute(logicalId: string, attribute: string): string {
    try {
      return super.attribute(logicalId, attribute);
    } catch {
      return `https://${logicalId}.${attribute}.example`;
    }
  }
}

export interface StackTemplate {
  readonly functions: readonly TemplateFunction[];
  readonly reader: TemplateReader;
}

/** The functions of the template, however many there are. */
export function templateFunctions(): StackTemplate {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-ingest-functions-'));
  try {
    const app = makeApp({
      outdir,
      context: { ...CONTEXT, 'aws:cdk:bundling-stacks': [] },
      builtinCloudFormationValidation: false,
    });
    const functions = ServiceFunction.allBelow(app).map((each): TemplateFunction => {
      const { name, folder, functionName } = each;
      return { name, folder, logicalId: (Stack.of(each).resolve(functionName) as { Ref: string }).Ref };
    });
    const [artifact] = app.synth().stacks;
    if (!artifact) throw new Error('The app has no stack');
    return { functions, reader: new LenientReader(artifact.template, artifact.stackName) };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The size of what is deployed, by function. */
export function bundleBytes(
  bundles: Bundles,
  functions: readonly TemplateFunction[],
): Record<string, number> {
  return Object.fromEntries(functions.map(({ name, folder }) => [name, bundles.bytesOf(folder)]));
}

/** Signs the tokens of pages. */
export const BROWSER_KEYS = JSON.stringify({ current: 'a key of the bench that signs for pages' });

/** The deployed functions on tables of their own, which nothing else follows, with every request recorded. */
export interface Kit extends IngestFixture {
  readonly services: RecordedServices;
  /** Returns what the function returns. Fails if it has not done its work. */
  invoke(fn: string, event: object): Promise<unknown>;
  /** Ends all environments, which take memory. */
  rest(): Promise<void>;
}

/** Prepares what a function works on, and then makes the events of one unit of its work, as often as asked. */
export type Work = (kit: Kit) => Promise<() => Promise<object | object[]> | object | object[]>;

export async function openKit(
  stack: RunningStack,
  bundles: Bundles,
  { functions, reader }: StackTemplate,
  closers: Closers,
): Promise<Kit> {
  const tables = await copyTables(stack, closers);
  const services = await startRecordedServices(
    stack.output(OUTPUTS.localDynamoDbEndpoint),
    BROWSER_KEYS,
    closers,
  );
  for (const { logicalId } of reader.resources('AWS::SQS::Queue')) {
    reader.setAttribute(logicalId, 'Ref', `${services.endpoint}/000000000000/${reader.name(logicalId)}`);
  }
  const environments = new Map<string, Environment>();
  async function rest(): Promise<void> {
    await Promise.all([...environments.values()].map((environment) => environment.end()));
    environments.clear();
  }
  closers.defer(rest);

  function environmentOf(fn: string): Environment {
    const known = environments.get(fn);
    if (known) return known;
    const found = functions.find(({ name }) => name === fn);
    if (!found) throw new Error(`The template has no function ${fn}`);
    const environment = startFunction(found, { reader, bundles, services, tables });
    environments.set(fn, environment);
    return environment;
  }

  const fixture = openIngestFixture({ ...stack, tables }, Date.now());
  closers.defer(() => {
    fixture.client.destroy();
    fixture.observer.destroy();
  });
  return {
    ...fixture,
    services,
    rest,
    async invoke(fn, event) {
      const environment = environmentOf(fn);
      await environment.ready;
      const result: unknown = JSON.parse(await environment.invoke(JSON.stringify(event)));
      requireSuccess(fn, result);
      return result;
    },
  };
}

/** The status of a retired path is no failure. */
const GONE = 410;

function requireSuccess(fn: string, result: unknown): void {
  const {
    batchItemFailures = [],
    statusCode = 200,
    body = '',
  } = Object(result) as Partial<{
    batchItemFailures: object[];
    statusCode: number;
    body: string;
  }>;
  const failed = batchItemFailures.length > 0 || (statusCode >= 400 && statusCode !== GONE);
  if (failed || body === REJECTED.body) throw new Error(`${fn} has failed: ${JSON.stringify(result)}`);
}

async function copyTables(stack: RunningStack, closers: Closers): Promise<TableNames> {
  const client = stack.newClient();
  const copies: [string, string][] = [];
  closers.defer(async () => {
    for (const [, TableName] of copies) await client.send(new DeleteTableCommand({ TableName }));
    client.destroy();
  });
  for (const [key, table] of Object.entries(stack.tables)) copies.push([key, await copyTable(client, table)]);
  return Object.fromEntries(copies) as unknown as TableNames;
}

interface Surroundings {
  readonly reader: TemplateReader;
  readonly bundles: Bundles;
  readonly services: RecordedServices;
  readonly tables: TableNames;
}

function startFunction(
  { folder, logicalId }: TemplateFunction,
  { reader, bundles, services, tables }: Surroundings,
): Environment {
  const codeFolders = new Map([[logicalId, bundles.folderOf(folder)]]);
  const assembly = { assetFolder: () => '' } as never;
  const definition = findFunction(reader.arn(logicalId), reader, assembly, codeFolders);
  const { endpoint } = services;
  const all = { dynamoDb: endpoint, sqs: endpoint, ses: endpoint, eventBridge: endpoint, cognito: endpoint };
  const endpoints = { ...all, lambda: endpoint, dns: services.dns };
  const names = Object.entries(tables).map(([key, table]) => [TABLE_VARIABLES[key as TableKey], table]);
  const copies = Object.fromEntries(names.filter(([name]) => String(name) in definition.variables));
  const variables = {
    ...environmentVariables(definition, {
      endpoints,
      addresses: new Map([[cognitoOnAws(reader), endpoint]]),
      access: openAccess(endpoints),
      allowLoopbackDestinations: true,
    }),
    ...copies,
    ...(BROWSER_VARIABLES.keysSecretArn in definition.variables && {
      [BROWSER_VARIABLES.localKeys]: BROWSER_KEYS,
    }),
    // For services that the local stack has no engine for.
    AWS_ENDPOINT_URL: endpoint,
  };
  const log: FunctionLog = {
    follow: (output) => void output.resume(),
    write: () => undefined,
    close: async () => undefined,
  };
  return new Environment({ definition, variables, log });
}
