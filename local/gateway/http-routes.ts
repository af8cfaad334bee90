import type { Resource, TemplateReader } from '../template.ts';
import type { MethodAndPath } from './routes.ts';

/** A route of the HTTP API, its authorizer and its function. */
export interface HttpRoute extends MethodAndPath {
  /** For example `GET /settings/forms/{formId}`. */
  readonly routeKey: string;
  readonly functionArn: string;
  readonly timeoutMilliseconds: number;
  /** Undefined: no authorization. */
  readonly authorizer: AuthorizerSettings | undefined;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;

/** The routes of an HTTP API. Unsupported ones fail at the start instead of behaving differently from AWS. */
export function readHttpRoutes(apiId: string, reader: TemplateReader): HttpRoute[] {
  const ofThisApi = (type: string) =>
    reader.resources(type).filter((resource) => resource.property('ApiId') === apiId);
  const byRef = (type: string) =>
    new Map(ofThisApi(type).map((resource) => [reader.ref(resource.logicalId), resource]));
  const integrations = byRef('AWS::ApiGatewayV2::Integration');
  const authorizers = byRef('AWS::ApiGatewayV2::Authorizer');
  return ofThisApi('AWS::ApiGatewayV2::Route').map((route) => {
    const routeKey = route.required<string>('RouteKey');
    const [httpMethod = '', resourcePath] = routeKey.split(' ');
    if (resourcePath === undefined) throw new Error(`${route.logicalId}: ${routeKey} is not supported`);
    const target = route.required<string>('Target').replace(/^integrations\//, '');
    return {
      routeKey,
      httpMethod,
      resourcePath,
      ...readIntegration(integrations.get(target), route),
      authorizer: readAuthorization(route, authorizers),
    };
  });
}

function readIntegration(integration: Resource | undefined, route: Resource) {
  const isProxy = integration?.property('IntegrationType') === 'AWS_PROXY';
  if (integration === undefined || !isProxy || integration.property('PayloadFormatVersion') !== '2.0') {
    throw new Error(`${route.logicalId}: only Lambda proxy integrations in format 2.0 are supported`);
  }
  return {
    functionArn: integration.required<string>('IntegrationUri'),
    timeoutMilliseconds: integration.property<number>('TimeoutInMillis') ?? DEFAULT_TIMEOUT_MILLISECONDS,
  };
}

function readAuthorization(
  route: Resource,
  authorizers: ReadonlyMap<string, Resource>,
): AuthorizerSettings | undefined {
  const type = route.property<string>('AuthorizationType') ?? 'NONE';
  if (type === 'NONE') return undefined;
  const authorizer = authorizers.get(route.property('AuthorizerId') ?? '');
  if (type !== 'CUSTOM' || authorizer === undefined) {
    throw new Error(`${route.logicalId}: only a Lambda authorizer is supported`);
  }
  return readAuthorizer(authorizer);
}

/** A function that decides whether a request may pass. */
export interface AuthorizerSettings {
  readonly functionArn: string;
  /** The header, in lower case. Without it, API Gateway returns 401 and does not call the authorizer. */
  readonly header: string;
}

export function readAuthorizer(resource: Resource): AuthorizerSettings {
  const [source = '', second] = resource.required<string[]>('IdentitySource');
  const [, header] = /^\$request\.header\.([\w-]+)$/.exec(source) ?? [];
  const [, functionArn] = /\/functions\/(.*)\/invocations$/.exec(resource.required('AuthorizerUri')) ?? [];
  const isSimple =
    resource.property('AuthorizerType') === 'REQUEST' &&
    resource.property('AuthorizerPayloadFormatVersion') === '2.0' &&
    resource.property('EnableSimpleResponses') === true;
  if (!isSimple || functionArn === undefined) {
    throw new Error(`${resource.logicalId}: only a function with simple responses is supported`);
  }
  if (header === undefined || second !== undefined) {
    throw new Error(`${resource.logicalId}: only a credential in one header is supported`);
  }
  // By default, API Gateway caches each decision for five minutes.
  if (resource.property('AuthorizerResultTtlInSeconds') !== 0) {
    throw new Error(`${resource.logicalId}: caching is not supported`);
  }
  return { functionArn, header: header.toLowerCase() };
}
