import { fetchMFAPreference, setUpTOTP, updateMFAPreference, verifyTOTPSetup } from '@aws-amplify/auth';

/** Two-factor authentication of the signed-in owner, with an authenticator app. */
export const secondFactor = {
  async isOn(): Promise<boolean> {
    const { enabled = [] } = await fetchMFAPreference();
    return enabled.includes('TOTP');
  },

  /** The key as text and as a URL that opens the app. Has no effect until confirmed. */
  async begin(email: string): Promise<{ readonly key: string; readonly address: string }> {
    const setUp = await setUpTOTP();
    return { key: setUp.sharedSecret, address: setUp.getSetupUri('Lead ingest', email).toString() };
  },

  async confirm(code: string): Promise<void> {
    await verifyTOTPSetup({ code });
    await updateMFAPreference({ totp: 'PREFERRED' });
  },

  turnOff: (): Promise<void> => updateMFAPreference({ totp: 'DISABLED' }),
};
