export interface Tokens {
  readonly idToken: string;
  /** Never leaves the function: with it, anyone could turn the second factor off. */
  readonly accessToken: string;
}

/** Cognito's response could not be used: it is unreachable, busy or misconfigured. Says nothing about the session. */
export class CognitoUnavailable extends Error {
  override readonly name = 'CognitoUnavailable';
  /** A status or the name of an error, never a message. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Why Cognito did not take a password or a code: the name of its error. */
export type Refusal = string;

export interface CognitoTokens {
  /** New tokens, or undefined if the refresh token has expired or was revoked. */
  exchange(refreshToken: string): Promise<Tokens | undefined>;
  revoke(refreshToken: string): Promise<void>;
  hasSecondFactor(accessToken: string): Promise<boolean>;
  changePassword(accessToken: string, current: string, next: string): Promise<Refusal | undefined>;
  resetPassword(email: string, code: string, next: string): Promise<Refusal | undefined>;
  /** Ends every session of the user. ID tokens stay valid until they expire. */
  signOutEverywhere(accessToken: string): Promise<void>;
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

/** Errors that tell the person what to do. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CodeMismatchException',
  'ExpiredCodeException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'LimitExceededException',
  'NotAuthorizedException',
  'PasswordHistoryPolicyViolationException',
  'TooManyFailedAttemptsException',
  'TooManyRequestsException',
  'UserNotFoundException',
]);

type Reply = Readonly<Record<string, unknown>>;

/** Operations that a client without a secret calls unsigned, so the SDK would only add weight. */
export function makeCognitoTokens({
  endpoint,
  clientId,
  timeoutMilliseconds,
}: CognitoSettings): CognitoTokens {
  /** The name of the error if it is one of `expected`. */
  async function call(
    operation: string,
    parameters: object,
    expected: ReadonlySet<string> = ENDED,
  ): Promise<Reply | string> {
    let response: Response;
    let reply: Reply;
    try {
      response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify(parameters),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      reply = (await response.json()) as Reply;
    } catch (error) {
      throw new CognitoUnavailable(error instanceof Error ? error.name : 'unknown');
    }
    if (response.ok) return reply;
    const name = String(reply.__type).replace(/^.*#/, '');
    if (response.status === 400 && expected.has(name)) return name;
    throw new CognitoUnavailable(response.status === 400 ? name : String(response.status));
  }

  async function refusalOf(operation: string, parameters: object): Promise<Refusal | undefined> {
    const reply = await call(operation, parameters, REFUSALS);
    return typeof reply === 'string' ? reply : undefined;
  }

  return {
    async exchange(refreshToken) {
      const reply = await call('InitiateAuth', {
        ClientId: clientId,
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: refreshToken },
      });
      return typeof reply === 'string' ? undefined : tokensIn(reply.AuthenticationResult);
    },
    async revoke(refreshToken) {
      await call('RevokeToken', { ClientId: clientId, Token: refreshToken });
    },
    async hasSecondFactor(accessToken) {
      const reply = await call('GetUser', { AccessToken: accessToken }, new Set());
      const { UserMFASettingList: factors } = reply as { readonly UserMFASettingList?: readonly string[] };
      return factors?.includes('SOFTWARE_TOKEN_MFA') ?? false;
    },
    changePassword: (accessToken, current, next) =>
      refusalOf('ChangePassword', {
        AccessToken: accessToken,
        PreviousPassword: current,
        ProposedPassword: next,
      }),
    resetPassword: (email, code, next) =>
      refusalOf('ConfirmForgotPassword', {
        ClientId: clientId,
        Username: email,
        ConfirmationCode: code,
        Password: next,
      }),
    async signOutEverywhere(accessToken) {
      await call('GlobalSignOut', { AccessToken: accessToken }, new Set());
    },
  };
}

function tokensIn(result: unknown): Tokens {
  const { IdToken, AccessToken } = (result ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof IdToken !== 'string' || typeof AccessToken !== 'string')
    throw new CognitoUnavailable('no_tokens');
  return { idToken: IdToken, accessToken: AccessToken };
}
