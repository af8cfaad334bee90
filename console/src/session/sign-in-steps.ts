import { type CallCognito, CognitoError, type Config, type Fields } from './cognito.ts';
import { makeSrpKeys, provePassword, timestampFor } from './srp.ts';

/** The next step of signing in. */
export type SignInStep = 'done' | 'new-password' | 'code';

export interface SignInSteps {
  start(email: string, password: string): Promise<SignInStep>;
  /** Completes the last step with the new password or the code. */
  answer(response: string): Promise<SignInStep>;
  sendResetCode(email: string): Promise<void>;
}

interface Challenge {
  readonly name: string;
  readonly userId: string;
  readonly session: unknown;
}

/** The field in which Cognito expects the answer to each challenge. */
const RESPONSES: Readonly<Record<string, { readonly step: SignInStep; readonly field: string }>> = {
  NEW_PASSWORD_REQUIRED: { step: 'new-password', field: 'NEW_PASSWORD' },
  SOFTWARE_TOKEN_MFA: { step: 'code', field: 'SOFTWARE_TOKEN_MFA_CODE' },
};

interface SignInSettings {
  readonly config: Config;
  readonly call: CallCognito;
  /** Takes the tokens of a completed sign-in. */
  readonly onSignedIn: (refreshToken: string, accessToken: string) => Promise<void>;
}

export function makeSignInSteps({ config, call, onSignedIn }: SignInSettings): SignInSteps {
  const ClientId = config.userPoolClientId;
  let challenge: Challenge | undefined;

  async function goOn(reply: Fields, email: string): Promise<SignInStep> {
    const result = reply.AuthenticationResult as Readonly<Record<string, string | undefined>> | undefined;
    if (result?.RefreshToken !== undefined) {
      challenge = undefined;
      await onSignedIn(result.RefreshToken, result.AccessToken ?? '');
      return 'done';
    }
    const name = String(reply.ChallengeName);
    const known = RESPONSES[name];
    if (!known) throw new Error(`Unknown sign-in step: ${name}.`);
    challenge = { name, userId: userIdIn(reply) ?? email, session: reply.Session };
    return known.step;
  }

  async function startWithPassword(email: string, password: string): Promise<Fields> {
    const AuthParameters = { USERNAME: email, PASSWORD: password };
    return call('InitiateAuth', { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters });
  }

  async function startWithSrp(email: string, password: string): Promise<Fields> {
    const keys = makeSrpKeys();
    const AuthParameters = { USERNAME: email, SRP_A: keys.publicHex };
    const reply = await call('InitiateAuth', { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters });
    if (reply.ChallengeName !== 'PASSWORD_VERIFIER') return reply;
    const asked = reply.ChallengeParameters as Readonly<Record<string, string>>;
    const userId = asked.USER_ID_FOR_SRP ?? email;
    const secretBlock = asked.SECRET_BLOCK ?? '';
    const timestamp = timestampFor(new Date());
    const signature = await provePassword({
      keys,
      poolName: config.userPoolId.split('_')[1] ?? '',
      password,
      challenge: { userId, saltHex: asked.SALT ?? '', serverPublicHex: asked.SRP_B ?? '', secretBlock },
      timestamp,
    });
    return call('RespondToAuthChallenge', {
      ClientId,
      ChallengeName: 'PASSWORD_VERIFIER',
      Session: reply.Session,
      ChallengeResponses: {
        USERNAME: userId,
        PASSWORD_CLAIM_SECRET_BLOCK: secretBlock,
        PASSWORD_CLAIM_SIGNATURE: signature,
        TIMESTAMP: timestamp,
      },
    });
  }

  return {
    async start(email, password) {
      const begin = config.signIn === 'srp' ? startWithSrp : startWithPassword;
      return goOn(await begin(email, password), email);
    },
    async answer(response) {
      if (!challenge) throw new CognitoError('NotAuthorizedException');
      const { name, userId, session } = challenge;
      const field = RESPONSES[name]?.field ?? '';
      const reply = await call('RespondToAuthChallenge', {
        ClientId,
        ChallengeName: name,
        Session: session,
        ChallengeResponses: { USERNAME: userId, [field]: response },
      });
      return goOn(reply, userId);
    },
    async sendResetCode(email) {
      await call('ForgotPassword', { ClientId, Username: email });
    },
  };
}

function userIdIn({ ChallengeParameters }: Fields): string | undefined {
  return (ChallengeParameters as Readonly<Record<string, string>> | undefined)?.USER_ID_FOR_SRP;
}
