import { makeCallCognito } from './cognito.ts';
import type { SignedInSession } from './session-context.ts';

/** What owners change about their own account, at Cognito with their access token. */
export function makeAccount({ session, config, user }: SignedInSession) {
  const cognito = makeCallCognito(config);
  async function call(operation: string, parameters: object = {}) {
    const { accessToken } = await session.tokens(user.id);
    return cognito(operation, { ...parameters, AccessToken: accessToken });
  }
  const setSecondFactor = (isOn: boolean) =>
    call('SetUserMFAPreference', { SoftwareTokenMfaSettings: { Enabled: isOn, PreferredMfa: isOn } });

  return {
    async changePassword(current: string, next: string): Promise<void> {
      await call('ChangePassword', { PreviousPassword: current, ProposedPassword: next });
    },

    async hasSecondFactor(): Promise<boolean> {
      const { UserMFASettingList = [] } = (await call('GetUser')) as { UserMFASettingList?: string[] };
      return UserMFASettingList.includes('SOFTWARE_TOKEN_MFA');
    },

    /** The key as text and as a URL that opens the app. Has no effect until confirmed. */
    async beginSecondFactor(): Promise<{ readonly key: string; readonly address: string }> {
      const key = String((await call('AssociateSoftwareToken')).SecretCode);
      return { key, address: setupAddress(user.email, key) };
    },

    async confirmSecondFactor(code: string): Promise<void> {
      const { Status } = await call('VerifySoftwareToken', { UserCode: code });
      if (Status !== 'SUCCESS') throw Object.assign(new Error(), { name: 'CodeMismatchException' });
      await setSecondFactor(true);
    },

    async turnOffSecondFactor(): Promise<void> {
      await setSecondFactor(false);
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
