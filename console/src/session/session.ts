import {
  type ConfirmSignInOutput,
  confirmResetPassword,
  confirmSignIn,
  fetchAuthSession,
  resetPassword,
  type SignInOutput,
  signIn,
  signOut,
} from '@aws-amplify/auth';
import { cognitoUserPoolsTokenProvider } from '@aws-amplify/auth/cognito';
import { Amplify, type AuthConfig, type KeyValueStorageInterface } from '@aws-amplify/core';

/** Settings per stage, loaded at run time so one build serves all stages. */
export interface Config {
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly cognitoEndpoint: string;
  /** `srp` never sends the password; `password` is for a local user pool without SRP. */
  readonly signIn: 'srp' | 'password';
  readonly stage: string;
}

export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`config.json returned ${response.status}.`);
  return response.json();
}

/** Keeps Amplify's tokens in memory only, never on disk or in other tabs. */
class MemoryStorage implements KeyValueStorageInterface {
  private readonly items = new Map<string, string>();

  async setItem(key: string, value: string): Promise<void> {
    this.items.set(key, value);
  }

  async getItem(key: string): Promise<string | null> {
    return this.items.get(key) ?? null;
  }

  async removeItem(key: string): Promise<void> {
    this.items.delete(key);
  }

  async clear(): Promise<void> {
    this.items.clear();
  }
}

/** The next step of signing in. */
export type SignInStep = 'done' | 'new-password' | 'code';

/** The sign-in session. Tokens are kept in memory only, so a reload asks for the password again. */
export interface Session {
  start(email: string, password: string): Promise<SignInStep>;
  /** Completes the last step with the new password or the code. */
  answer(response: string): Promise<SignInStep>;
  sendResetCode(email: string): Promise<void>;
  resetPassword(email: string, code: string, newPassword: string): Promise<void>;
  /** Refreshed before it expires; undefined once the session has ended. */
  idToken(): Promise<string | undefined>;
  end(): Promise<void>;
}

export function openSession(config: Config): Session {
  const auth: AuthConfig = {
    Cognito: {
      userPoolId: config.userPoolId,
      userPoolClientId: config.userPoolClientId,
      userPoolEndpoint: config.cognitoEndpoint,
    },
  };
  Amplify.configure({ Auth: auth }, { Auth: { tokenProvider: cognitoUserPoolsTokenProvider } });
  cognitoUserPoolsTokenProvider.setAuthConfig(auth);
  cognitoUserPoolsTokenProvider.setKeyValueStorage(new MemoryStorage());
  const authFlowType = config.signIn === 'srp' ? 'USER_SRP_AUTH' : 'USER_PASSWORD_AUTH';

  return {
    async start(username, password) {
      // Cognito rejects a second sign-in while an earlier attempt is pending.
      await signOut().catch(() => undefined);
      return stepAfter(await signIn({ username, password, options: { authFlowType } }));
    },
    answer: async (challengeResponse) => stepAfter(await confirmSignIn({ challengeResponse })),
    async sendResetCode(username) {
      await resetPassword({ username });
    },
    resetPassword: (username, confirmationCode, newPassword) =>
      confirmResetPassword({ username, confirmationCode, newPassword }),
    async idToken() {
      const { tokens } = await fetchAuthSession();
      return tokens?.idToken?.toString();
    },
    end: () => signOut(),
  };
}

function stepAfter({ nextStep: { signInStep } }: SignInOutput | ConfirmSignInOutput): SignInStep {
  switch (signInStep) {
    case 'DONE':
      return 'done';
    case 'CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED':
      return 'new-password';
    case 'CONFIRM_SIGN_IN_WITH_TOTP_CODE':
    case 'CONFIRM_SIGN_IN_WITH_SMS_CODE':
    case 'CONFIRM_SIGN_IN_WITH_EMAIL_CODE':
      return 'code';
    case 'RESET_PASSWORD':
      throw Object.assign(new Error(), { name: 'PasswordResetRequiredException' });
    default:
      throw new Error(`Unknown sign-in step: ${signInStep}.`);
  }
}
