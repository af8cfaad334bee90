import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { makeSocketPool } from '../aws/socket-pool.ts';

export interface SignOuts {
  /** Ends every session of a user who has no token to do it with. ID tokens stay valid until they expire. */
  signOutEverywhere(email: string): Promise<void>;
}

interface SignOutSettings {
  readonly userPoolId: string;
  readonly timeoutMilliseconds: number;
}

/** Loads the SDK when it is needed: a password is reset far less often than a session is renewed. */
export function makeSignOuts({ userPoolId, timeoutMilliseconds }: SignOutSettings): SignOuts {
  let client: CognitoIdentityProviderClient | undefined;
  return {
    async signOutEverywhere(email) {
      const { AdminUserGlobalSignOutCommand, CognitoIdentityProviderClient } = await import(
        '@aws-sdk/client-cognito-identity-provider'
      );
      client ??= new CognitoIdentityProviderClient({
        maxAttempts: 1,
        requestHandler: makeSocketPool()(timeoutMilliseconds),
      });
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId: userPoolId, Username: email }));
    },
  };
}
