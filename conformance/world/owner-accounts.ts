import { randomBytes } from 'node:crypto';
import {
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { Failure } from '../../bin/operator/failure.ts';
import { LOCAL_CREDENTIALS, PATIENCE } from '../../bin/operator/open-stack.ts';
import { placeOf, type StackOutputs } from '../../bin/operator/stack-outputs.ts';
import { makeOwners } from '../../lambdas/operator/owners-store.ts';
import { makeOwner, type Owner } from './owner.ts';
import type { InTurn } from './pacing.ts';

export interface OwnerAccounts {
  /** Creates an owner of a workspace and signs in. No email is sent. */
  signIn(workspaceId: string): Promise<Owner>;
  /** Returns the workspaces of owners that could not be removed. */
  removeAll(): Promise<string[]>;
  close(): void;
}

/** Owners for this run only, in the stack's own user pool. The prefix of their addresses says who made them. */
export function openOwnerAccounts(
  outputs: StackOutputs,
  inTurn: InTurn,
  prefix = 'conformance',
): OwnerAccounts {
  const { region, userPoolId, userPoolClientId, settingsUrl, localCognitoEndpoint: endpoint } = outputs;
  // Without an endpoint the SDK would use the operator's AWS account, but the file means a local stack.
  const elsewhere = outputs.localDynamoDbEndpoint !== undefined && endpoint === undefined;
  if (!userPoolId || !userPoolClientId || !settingsUrl || elsewhere) {
    throw new Failure(
      'wrong_stack',
      `There is no settings area in ${placeOf(outputs)}. Deploy or start it again with this version.`,
    );
  }
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  const cognito = new CognitoIdentityProviderClient({ region, requestHandler: PATIENCE, ...local });
  const owners = makeOwners(cognito, userPoolId);
  const workspaceOf = new Map<string, string>();

  async function signIn(workspaceId: string): Promise<Owner> {
    const email = `${prefix}-${randomBytes(8).toString('hex')}@example.com`;
    const password = `${randomBytes(15).toString('base64url')}-aA1`;
    // Noted first, so that an interrupted creation is removed as well.
    workspaceOf.set(email, workspaceId);
    await owners.invite({ email, workspaceId, password });
    await cognito.send(
      new AdminSetUserPasswordCommand({
        UserPoolId: userPoolId,
        Username: email,
        Password: password,
        Permanent: true,
      }),
    );
    // The stack's client lets operators sign in as an owner, with AWS credentials and the password.
    const { AuthenticationResult } = await cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId: userPoolId,
        ClientId: userPoolClientId,
        AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    );
    const idToken = AuthenticationResult?.IdToken;
    if (!idToken) throw new Failure('aws', 'Cognito did not sign in the owner of this run.');
    return makeOwner(settingsUrl as string, idToken, inTurn);
  }

  async function removeAll(): Promise<string[]> {
    for (const email of workspaceOf.keys()) {
      // Those that are left are listed by workspace at the end.
      const removed = await owners.remove(email).catch(() => undefined);
      if (removed !== undefined) workspaceOf.delete(email);
    }
    return [...workspaceOf.values()];
  }

  return { signIn, removeAll, close: () => cognito.destroy() };
}
