import { fetchMFAPreference, setUpTOTP, updateMFAPreference, verifyTOTPSetup } from '@aws-amplify/auth';

/** A code from an authenticator app, asked for after the password. Of whoever is signed in. */
export const secondFactor = {
  async isOn(): Promise<boolean> {
    const { enabled = [] } = await fetchMFAPreference();
    return enabled.includes('TOTP');
  },

  /** The key for the app, as text and as an address that opens the app. Nothing changes until it is confirmed. */
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
