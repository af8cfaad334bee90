import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Resource } from '../../template.ts';

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
      const isSound = protectedHeader.kid !== undefined && !isFromTheFuture(payload);
      return isSound && isMeantFor(audience, payload) ? payload : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
}

function isFromTheFuture({ iat }: JWTPayload): boolean {
  return iat !== undefined && iat > Date.now() / 1000;
}

/** By `client_id` only where there is no `aud`: so Cognito's access tokens pass, too. */
function isMeantFor(audience: readonly string[], { aud, client_id }: JWTPayload): boolean {
  const meant = aud === undefined ? [client_id] : [aud].flat();
  return meant.some((each) => typeof each === 'string' && audience.includes(each));
}
