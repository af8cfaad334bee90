import { addressOnAws } from './addresses.ts';
import type { FunctionPools } from './function-pools.ts';
import type { Api } from './gateway/answer.ts';
import { readGatewayResponses } from './gateway/gateway-responses.ts';
import { makeMatcher, type Route, readRoutes } from './gateway/routes.ts';
import { StartupError } from './startup-error.ts';
import type { TemplateReader } from './template.ts';

export interface RestApi extends Api {
  readonly routes: readonly Route[];
}

/** The template's REST API, in front of the functions that its routes lead to. */
export function makeRestApi(reader: TemplateReader, pools: FunctionPools): RestApi {
  const { apiId, stage, stageName } = findRestApi(reader);
  const routes = readRoutes(apiId, reader);
  for (const { functionArn } of routes) pools.open(functionArn);
  return {
    routes,
    identity: {
      apiId,
      stage: stageName,
      stageVariables: stage.property('Variables') ?? null,
    },
    match: makeMatcher(routes),
    answerFault: readGatewayResponses(apiId, reader),
    invoke: pools.invoke,
  };
}

/** The address that the API would have on AWS. */
export function restApiOnAws(reader: TemplateReader): string {
  const { apiId, stageName } = findRestApi(reader);
  return addressOnAws(reader, apiId, stageName);
}

function findRestApi(reader: TemplateReader) {
  const [restApi, second] = reader.resources('AWS::ApiGateway::RestApi');
  const [stage] = reader.resources('AWS::ApiGateway::Stage');
  if (restApi === undefined || second !== undefined || stage === undefined) {
    throw new StartupError('The stack must have one REST API with a stage, and it has not.');
  }
  return { apiId: reader.ref(restApi.logicalId), stage, stageName: stage.required<string>('StageName') };
}
