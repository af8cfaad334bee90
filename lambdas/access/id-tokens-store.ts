import {
  FetchError,
  JwksValidationError,
  JwkValidationError,
  JwtBaseError,
  JwtParseError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { CognitoIdTokenPayload, JwtPayload } from 'aws-jwt-verify/jwt-model';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import { INVITED_CLAIM, WORKSPACE_CLAIM } from '../contract.ts';

/** What a verified ID token says. */
export interface IdToken {
  readonly userId: string;
  readonly workspaceId: string;
  readonly email: string;
  /** Whether an owner invited the user. Others were made by an operator. */
  readonly invited: boolean;
}

export interface IdTokens {
  /** Undefined for everything but a valid ID token of this pool and client. Throws if the pool's keys cannot be read. */
  verify(token: string): Promise<IdToken | undefined>;
}

interface Pool {
  /** The pool's address, without a slash at the end. Its keys are below it. */
  readonly issuer: string;
  readonly clientId: string;
}

/** Well below the authorizer's timeout. The keys are read once per environment, and again for an unknown key id. */
const PATIENCE_MS = 3_000;

/** The library's own fetcher refuses `http`, which the local pool speaks. */
async function fetchKeys(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
  if (!response.ok) throw new FetchError(address, `status ${response.status}`);
  return response.arrayBuffer();
}

/** Reads the pool's public keys and checks tokens with them. */
export function makeIdTokens({ issuer, clientId }: Pool): IdTokens {
  const verifier = JwtVerifier.create(
    {
      issuer,
      audience: clientId,
      jwksUri: `${issuer}/.well-known/jwks.json`,
      customJwtCheck: ({ header, payload }) => requireIdToken(header.alg, payload),
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return {
    async verify(token) {
      try {
        return readClaims(await verifier.verify(token));
      } catch (error) {
        if (error instanceof JwtBaseError && !isOurProblem(error)) return undefined;
        throw error;
      }
    },
  };
}

/** The library lets tokens without an expiry pass, and takes the algorithm of the key if that names none. */
function requireIdToken(algorithm: string | undefined, { exp, token_use: use }: JwtPayload): void {
  if (algorithm !== 'RS256') throw new JwtParseError('not signed with RS256');
  if (exp === undefined) throw new JwtParseError('never expires');
  if (use !== 'id') throw new JwtParseError('not an ID token');
}

function isOurProblem(error: JwtBaseError): boolean {
  return (
    error instanceof FetchError || error instanceof JwksValidationError || error instanceof JwkValidationError
  );
}

function readClaims(claims: JwtPayload): IdToken | undefined {
  const { sub, email } = claims as Partial<CognitoIdTokenPayload>;
  const workspaceId = claims[WORKSPACE_CLAIM];
  if (typeof sub !== 'string' || sub === '') return undefined;
  if (typeof workspaceId !== 'string' || workspaceId === '') return undefined;
  return {
    userId: sub,
    workspaceId,
    email: typeof email === 'string' ? email : '',
    invited: claims[INVITED_CLAIM] !== undefined,
  };
}
