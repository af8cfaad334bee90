import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
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
  if (type !== 'JWT' || authorizer === undefined || route.property('AuthorizationScopes') !== undefined) {
    throw new Error(`${route.logicalId}: only JWT authorization without scopes is supported`);
  }
  return readAuthorizer(authorizer);
}

export interface AuthorizerSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** In lower case. */
  readonly header: string;
}

/** The claims of a token that API Gateway's JWT authorizer accepts, or undefined. */
export type Authorize = (header: string, settings: AuthorizerSettings) => Promise<JWTPayload | undefined>;

export function readAuthorizer(resource: Resource): AuthorizerSettings {
  const [source = '', second] = resource.required<string[]>('IdentitySource');
  const [, header] = /^\$request\.header\.([\w-]+)$/.exec(source) ?? [];
  const { Issuer, Audience } = resource.required<{ Issuer: string; Audience: string[] }>('JwtConfiguration');
  if (resource.property('AuthorizerType') !== 'JWT' || header === undefined || second !== undefined) {
    throw new Error(`${resource.logicalId}: only a JWT in one header is supported`);
  }
  return { issuer: Issuer, audience: Audience, header: header.toLowerCase() };
}

/**
 * Checks what API Gateway checks and no more: the function must check the kind of token (`token_use`).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function makeAuthorize(): Authorize {
  const keys = new Map<string, JWTVerifyGetKey>();
  return async (header, { issuer, audience }) => {
    const known = keys.get(issuer) ?? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
    keys.set(issuer, known);
    try {
      const { payload, protectedHeader } = await jwtVerify(header.replace(/^Bearer +/i, ''), known, {
        // Fixed, because a token must not choose it: `none` and HMAC with the public key are known attacks.
        algorithms: ['RS256'],
        issuer,
        requiredClaims: ['exp'],
      });
      const isSound = protectedHeader.kid !== undefined && !isIssuedInFuture(payload);
      return isSound && matchesAudience(audience, payload) ? payload : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

function isIssuedInFuture({ iat }: JWTPayload): boolean {
  return iat !== undefined && iat > Date.now() / 1000;
}

/** Falls back to `client_id` without `aud`, so that Cognito's access tokens pass, too. */
function matchesAudience(audience: readonly string[], { aud, client_id }: JWTPayload): boolean {
  const meant = aud === undefined ? [client_id] : [aud].flat();
  return meant.some((each) => typeof each === 'string' && audience.includes(each));
}
