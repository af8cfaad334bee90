import type { Closers } from './closers.ts';
import { openFunctionLog, type Print } from './function-log.ts';
import { type FunctionPool, makeFunctionPool } from './function-pool.ts';
import { environmentVariables, findFunction } from './functions.ts';
import type { Api } from './gateway/answer.ts';
import { readGatewayResponses } from './gateway/gateway-responses.ts';
import { makeMatcher, type Route, readRoutes } from './gateway/routes.ts';
import { StartupError } from './startup-error.ts';
import type { Assembly } from './synthesise.ts';
import type { TemplateReader } from './template.ts';

export interface RestApiSettings {
  readonly assembly: Assembly;
  readonly reader: TemplateReader;
  readonly dynamoDbEndpoint: string;
  readonly logFolder: string;
  readonly print: Print;
}

export interface RestApi extends Api {
  readonly routes: readonly Route[];
  /** The address that the API would have on AWS. */
  readonly addressOnAws: string;
}

/** The template's REST API, with a pool of environments for each function behind it. */
export function makeRestApi(settings: RestApiSettings, closers: Closers): RestApi {
  const { reader } = settings;
  const [restApi, second] = reader.resources('AWS::ApiGateway::RestApi');
  const [stage] = reader.resources('AWS::ApiGateway::Stage');
  if (restApi === undefined || second !== undefined || stage === undefined) {
    throw new StartupError('The stack must have one REST API with a stage, and it has not.');
  }
  const apiId = reader.ref(restApi.logicalId);
  const routes = readRoutes(apiId, reader);
  const pools = new Map<string, FunctionPool>();
  for (const { functionArn } of routes) {
    if (!pools.has(functionArn)) pools.set(functionArn, makePool(functionArn, settings, closers));
  }
  const stageName = stage.required<string>('StageName');
  return {
    routes,
    addressOnAws: `https://${apiId}.execute-api.${reader.reference('AWS::Region')}.amazonaws.com/${stageName}`,
    identity: {
      apiId,
      stage: stageName,
      stageVariables: stage.property('Variables') ?? null,
    },
    match: makeMatcher(routes),
    answerFault: readGatewayResponses(apiId, reader),
    invoke(functionArn, event, signal) {
      const pool = pools.get(functionArn);
      if (pool === undefined) throw new Error(`no pool for ${functionArn}`);
      return pool.invoke(event, signal);
    },
  };
}

function makePool(functionArn: string, settings: RestApiSettings, closers: Closers): FunctionPool {
  const definition = findFunction(functionArn, settings.reader, settings.assembly);
  const log = openFunctionLog(settings.logFolder, definition.name, settings.print);
  closers.defer(() => log.close());
  const variables = environmentVariables(definition, { dynamoDb: settings.dynamoDbEndpoint });
  const pool = makeFunctionPool({ definition, variables, log });
  closers.defer(() => pool.close());
  // Shows at once, in the log, whether the function can start at all.
  pool.warm();
  return pool;
}
