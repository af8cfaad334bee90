import { useQuery } from '@tanstack/react-query';
import { CognitoError, type Fields, makeCallCognito } from './cognito.ts';
import type { SignedInSession } from './session-context.ts';
import { makeSignInSteps } from './sign-in-steps.ts';

/** A key for an authenticator app. Has no effect until a code of the app confirms it. */
export interface SecondFactorSetup {
  readonly key: string;
  /** Opens the app. */
  readonly address: string;
  confirm(code: string): Promise<void>;
  cancel(): void;
}

/** What owners change about their own account. */
export function makeAccount({ session, config, user }: SignedInSession) {
  const cognito = makeCallCognito(config);

  /**
   * Signs in a second time, beside the session. Only this gives an access token, without which Cognito changes nothing:
   * someone with the page but not the password gets none.
   */
  async function prove(password: string, code = '') {
    let tokens: { readonly refreshToken: string; readonly accessToken: string } | undefined;
    const onSignedIn = async (refreshToken: string, accessToken: string) => {
      tokens = { refreshToken, accessToken };
    };
    const steps = makeSignInSteps({ config, call: cognito, onSignedIn });
    if ((await steps.start(user.email, password)) === 'code') await steps.answer(code);
    if (!tokens) throw new CognitoError('NotAuthorizedException');
    const { refreshToken, accessToken } = tokens;
    return {
      call: (operation: string, parameters: Fields = {}) =>
        cognito(operation, { ...parameters, AccessToken: accessToken }),
      /** The token is of no use any more. If this fails, nobody knows it. */
      forget: () => {
        const Token = refreshToken;
        cognito('RevokeToken', { ClientId: config.userPoolClientId, Token }).catch(() => undefined);
      },
    };
  }

  type Proof = Awaited<ReturnType<typeof prove>>;

  const setSecondFactor = ({ call }: Proof, isOn: boolean) =>
    call('SetUserMFAPreference', { SoftwareTokenMfaSettings: { Enabled: isOn, PreferredMfa: isOn } });

  return {
    hasSecondFactor: session.hasSecondFactor,

    /** Ends all sessions and begins a new one here. False if the owner must sign in for that. */
    async changePassword(current: string, next: string, code = ''): Promise<boolean> {
      await session.setPassword({ currentPassword: current, newPassword: next });
      const steps = makeSignInSteps({ config, call: cognito, onSignedIn: session.begin });
      try {
        const step = await steps.start(user.email, next);
        if (step === 'done' || (await steps.answer(code)) === 'done') return true;
      } catch {
        // The password is the new one all the same.
      }
      session.expire();
      return false;
    },

    async beginSecondFactor(password: string): Promise<SecondFactorSetup> {
      const proof = await prove(password);
      const key = String((await proof.call('AssociateSoftwareToken')).SecretCode);
      return {
        key,
        address: setupAddress(user.email, key),
        async confirm(code) {
          const { Status } = await proof.call('VerifySoftwareToken', { UserCode: code });
          if (Status !== 'SUCCESS') throw new CognitoError('CodeMismatchException');
          await setSecondFactor(proof, true);
          proof.forget();
        },
        cancel: proof.forget,
      };
    },

    async turnOffSecondFactor(password: string, code: string): Promise<void> {
      const proof = await prove(password, code);
      await setSecondFactor(proof, false);
      proof.forget();
    },
  };
}

export type Account = ReturnType<typeof makeAccount>;

/** https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
function setupAddress(email: string, key: string): string {
  const label = [ISSUER, email].map(encodeURIComponent).join(':');
  return `otpauth://totp/${label}?secret=${key}&issuer=${encodeURIComponent(ISSUER)}`;
}

const ISSUER = 'Lead ingest';

/** Whether the signed-in owner has a second factor. */
export const useSecondFactor = (account: Account) =>
  useQuery({ queryKey: ['second-factor'], queryFn: account.hasSecondFactor });
