import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Resource, TemplateReader } from '../template.ts';
import type { MethodAndPath } from './routes.ts';

/** A route of the HTTP API, who may use it, and where its requests go. */
export interface HttpRoute extends MethodAndPath {
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

export interface AuthorizerSettings {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** In lower case. */
  readonly header: string;
}

/** The claims of a token that API Gateway's JWT authorizer would let through; undefined for every other. */
export type Authorize = (header: string, settings: AuthorizerSettings) => Promise<JWTPayload | undefined>;

export function readAuthorizer(resource: Resource): AuthorizerSettings {
  const [source = '', second] = resource.required<string[]>('IdentitySource');
  const [, header] = /^\$request\.header\.([\w-]+)$/.exec(source) ?? [];
  const { Issuer, Audience } = resource.required<{ Issuer: string; Audience: string[] }>('JwtConfiguration');
  if (resource.property('AuthorizerType') !== 'JWT' || header === undefined || second !== undefined) {
    throw new Error(`${resource.logicalId}: only a JWT in one header is served here`);
  }
  return { issuer: Issuer, audience: Audience, header: header.toLowerCase() };
}

/**
 * Checks what API Gateway checks, and no more: which kind of token it is (`token_use`) is the function's to judge.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function makeAuthorize(): Authorize {
  const keys = new Map<string, JWTVerifyGetKey>();
  return async (header, { issuer, audience }) => {
    const known = keys.get(issuer) ?? createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
    keys.set(issuer, known);
    try {
      const { payload, protectedHeader } = await jwtVerify(header.replace(/^Bearer +/i, ''), known, {
        // The algorithm is ours to choose, never the token's: `none` and HMAC with the public key are old tricks.
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

/** By `client_id` only where there is no `aud`: so Cognito's access tokens pass, too. */
function matchesAudience(audience: readonly string[], { aud, client_id }: JWTPayload): boolean {
  const meant = aud === undefined ? [client_id] : [aud].flat();
  return meant.some((each) => typeof each === 'string' && audience.includes(each));
}
