export interface Tokens {
  readonly idToken: string;
  readonly accessToken: string;
}

/** Cognito's answer could not be used: it is unreachable, busy or misconfigured. Says nothing about the session. */
export class CognitoUnavailable extends Error {
  override readonly name = 'CognitoUnavailable';
  /** A status or the name of an error, never a message. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

export interface CognitoTokens {
  /** New tokens, or undefined if the refresh token has expired or was revoked. */
  exchange(refreshToken: string): Promise<Tokens | undefined>;
  revoke(refreshToken: string): Promise<void>;
}

interface CognitoSettings {
  readonly endpoint: string;
  readonly clientId: string;
  readonly timeoutMilliseconds: number;
}

/** Errors of Cognito that no retry changes: the session has ended. */
const ENDED: ReadonlySet<string> = new Set([
  'InvalidParameterException',
  'NotAuthorizedException',
  'PasswordResetRequiredException',
  'UnsupportedTokenTypeException',
  'UserNotConfirmedException',
  'UserNotFoundException',
]);

type Reply = Readonly<Record<string, unknown>>;

/** Two operations that a client without a secret calls unsigned, so the SDK would only add weight. */
export function makeCognitoTokens({
  endpoint,
  clientId,
  timeoutMilliseconds,
}: CognitoSettings): CognitoTokens {
  /** Undefined if Cognito refused the token. */
  async function call(operation: string, parameters: object): Promise<Reply | undefined> {
    let response: Response;
    let reply: Reply;
    try {
      response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify({ ClientId: clientId, ...parameters }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      reply = (await response.json()) as Reply;
    } catch (error) {
      throw new CognitoUnavailable(error instanceof Error ? error.name : 'unknown');
    }
    if (response.ok) return reply;
    const name = String(reply.__type).replace(/^.*#/, '');
    if (response.status === 400 && ENDED.has(name)) return undefined;
    throw new CognitoUnavailable(response.status === 400 ? name : String(response.status));
  }

  return {
    async exchange(refreshToken) {
      const reply = await call('InitiateAuth', {
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: refreshToken },
      });
      return reply && tokensIn(reply.AuthenticationResult);
    },
    async revoke(refreshToken) {
      await call('RevokeToken', { Token: refreshToken });
    },
  };
}

function tokensIn(result: unknown): Tokens {
  const { IdToken, AccessToken } = (result ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof IdToken !== 'string' || typeof AccessToken !== 'string')
    throw new CognitoUnavailable('no_tokens');
  return { idToken: IdToken, accessToken: AccessToken };
}
