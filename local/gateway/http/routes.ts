import type { Resource, TemplateReader } from '../../template.ts';
import type { Place } from '../routes.ts';
import { type AuthorizerSettings, readAuthorizer } from './authorizer.ts';

/** A route of the HTTP API, who may use it, and where its requests go. */
export interface HttpRoute extends Place {
  /** As in the template: `GET /settings/forms/{formId}`. */
  readonly routeKey: string;
  readonly functionArn: string;
  readonly timeoutMilliseconds: number;
  /** Undefined: anybody. */
  readonly authorizer: AuthorizerSettings | undefined;
}

const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;

/** The routes of an HTTP API. What is not served here fails at the start, rather than answer otherwise than AWS. */
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
    if (resourcePath === undefined) throw new Error(`${route.logicalId}: ${routeKey} is not served here`);
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
    throw new Error(
      `${route.logicalId} is not integrated with a function in format 2.0: only that is served`,
    );
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
  if (type !== 'JWT' || authorizer === undefined || route.property('AuthorizationScopes') !== undefined) {
    throw new Error(`${route.logicalId}: authorization other than by JWT without scopes is not served here`);
  }
  return readAuthorizer(authorizer);
}
