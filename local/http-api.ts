import { addressOnAws } from './addresses.ts';
import type { FunctionPools } from './function-pools.ts';
import { type HttpApi, openHttpApi } from './gateway/http/answer.ts';
import { makeAuthorize } from './gateway/http/authorizer.ts';
import { readHttpRoutes } from './gateway/http/routes.ts';
import { makeStrictMatcher } from './gateway/routes.ts';
import { StartupError } from './startup-error.ts';
import type { TemplateReader } from './template.ts';

/** The template's HTTP API, in front of the functions that its routes lead to. */
export function makeHttpApi(reader: TemplateReader, pools: FunctionPools) {
  const { apiId, stage } = findHttpApi(reader);
  const routes = readHttpRoutes(apiId, reader);
  for (const { functionArn } of routes) pools.open(functionArn);
  const api: HttpApi = {
    identity: {
      apiId,
      stage: stage.required('StageName'),
      stageVariables: stage.property('StageVariables') ?? null,
    },
    match: makeStrictMatcher(routes),
    authorize: makeAuthorize(),
    invoke: pools.invoke,
  };
  return openHttpApi(api);
}

/** The address that the API would have on AWS. */
export function httpApiOnAws(reader: TemplateReader): string {
  return addressOnAws(reader, findHttpApi(reader).apiId);
}

function findHttpApi(reader: TemplateReader) {
  const [api, second] = reader.resources('AWS::ApiGatewayV2::Api');
  const [stage] = reader.resources('AWS::ApiGatewayV2::Stage');
  if (api === undefined || second !== undefined || stage?.property('StageName') !== '$default') {
    throw new StartupError('The stack must have one HTTP API with the stage $default, and it has not.');
  }
  return { apiId: reader.ref(api.logicalId), stage };
}
