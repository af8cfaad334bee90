/** A separate process: the local gateway with the three functions, each in a pool of worker environments. */

import { openAccess } from '../../local/event-source/mapping.ts';
import { openFunctionLog } from '../../local/function-log.ts';
import { MAXIMUM_ENVIRONMENTS, makeFunctionPool } from '../../local/function-pool.ts';
import { environmentVariables, type FunctionDefinition } from '../../local/functions.ts';
import { openRestApi } from '../../local/gateway/rest-api.ts';
import { makeMatcher } from '../../local/gateway/routes.ts';
import { openGateway } from '../../local/gateway/server.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import type { Endpoints } from '../../local/local-account.ts';

export interface ServedFunction {
  readonly name: string;
  readonly codeFolder: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface ServeSettings {
  readonly functions: readonly ServedFunction[];
  readonly endpoints: Endpoints;
  readonly logFolder: string;
}

const settings = JSON.parse(process.env.BENCH_SERVE ?? '{}') as ServeSettings;
const closers = makeClosers();
const gateway = await openGateway(0);

const pools = new Map(
  settings.functions.map(({ name, codeFolder, variables }) => {
    const definition: FunctionDefinition = {
      name,
      codeFolder,
      variables,
      arn: name,
      handler: 'index.handler',
      timeoutSeconds: 10,
      memoryMegabytes: 1_024,
      logFormat: 'JSON',
      logGroup: name,
    };
    const log = openFunctionLog(settings.logFolder, `bench-${name}`, (line) => console.error(line));
    closers.defer(() => log.close());
    const pool = makeFunctionPool({
      definition,
      variables: environmentVariables(definition, {
        endpoints: settings.endpoints,
        addresses: new Map(),
        access: openAccess(settings.endpoints),
      }),
      log,
      maximumEnvironments: MAXIMUM_ENVIRONMENTS.requests,
    });
    closers.defer(() => pool.close());
    return [name, pool];
  }),
);
closers.defer(() => gateway.close());

gateway.serve(
  openRestApi({
    identity: { apiId: 'bench', stage: 'bench', stageVariables: null },
    match: makeMatcher(
      settings.functions.map(({ name }) => ({
        httpMethod: 'POST',
        resourcePath: `/${name}`,
        resourceId: name,
        functionArn: name,
        timeoutMilliseconds: 29_000,
      })),
    ),
    responseFault: () => ({ statusCode: 500, headers: [], body: Buffer.alloc(0) }),
    invoke: (name, event, signal) => {
      const pool = pools.get(name);
      if (pool === undefined) throw new Error(`Unknown function: ${name}`);
      return pool.invoke(event, signal);
    },
  }),
);
process.on('disconnect', () => void closers.close().finally(() => process.exit()));
process.send?.(gateway.url);
