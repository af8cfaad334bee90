import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  InitiateAuthCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeOwners } from '../../lambdas/operator/owners-store.ts';
import { openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';

export interface TestOwner {
  readonly workspaceId: string;
  readonly email: string;
  readonly password: string;
}

/** Creates workspaces and owners like an operator does. */
export function openOwners() {
  const { output, outputsFile } = localStack();
  const { administration } = openContract();
  const client = new CognitoIdentityProviderClient({
    endpoint: output(OUTPUTS.localCognitoEndpoint),
    region: output(OUTPUTS.region),
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const UserPoolId = output(OUTPUTS.userPoolId);
  const owners = makeOwners(client, UserPoolId);

  /** With a temporary password, which the first sign-in replaces. */
  async function inviteOwner(workspaceId: string, email = newAddress()): Promise<TestOwner> {
    const password = newPassword();
    await owners.invite({ email, workspaceId, password });
    return { workspaceId, email, password };
  }

  /** As if an invited person had chosen a password. */
  async function choosePassword(email: string): Promise<string> {
    const Password = newPassword();
    await client.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
    );
    return Password;
  }

  return {
    inviteOwner,
    administration,
    choosePassword,

    /** The tokens of an owner. The session keeps the refresh token in its cookie. */
    async signIn({ email, password }: Pick<TestOwner, 'email' | 'password'>) {
      const { AuthenticationResult = {} } = await client.send(
        new InitiateAuthCommand({
          AuthFlow: 'USER_PASSWORD_AUTH',
          ClientId: output(OUTPUTS.userPoolClientId),
          AuthParameters: { USERNAME: email, PASSWORD: password },
        }),
      );
      return AuthenticationResult;
    },

    mailedCode: (email: string) => readMailedCode(outputsFile, UserPoolId, email),

    /** An owner who has signed in before, with an empty workspace. */
    async newOwner(workspaceName = 'Analytical Engines', email = newAddress()): Promise<TestOwner> {
      const { workspaceId } = await administration.createWorkspace({ name: workspaceName });
      await inviteOwner(workspaceId, email);
      return { workspaceId, email, password: await choosePassword(email) };
    },
  };
}

export function newAddress(): string {
  return `owner-${randomBytes(6).toString('hex')}@example.com`;
}

export function newPassword(): string {
  return `Aa1!${randomBytes(12).toString('hex')}`;
}

interface PoolUser {
  readonly Attributes: readonly { readonly Name: string; readonly Value: string }[];
  readonly ConfirmationCode?: string;
}

/** Read from the local Cognito's file of users, since it only prints emails. */
export function readMailedCode(outputsFile: string, userPoolId: string, email: string): string {
  const file = join(dirname(outputsFile), 'cognito', `${userPoolId}.json`);
  const { Users } = JSON.parse(readFileSync(file, 'utf8')) as { Users: Record<string, PoolUser> };
  const user = Object.values(Users).find(({ Attributes }) =>
    Attributes.some(({ Name, Value }) => Name === 'email' && Value === email),
  );
  if (user?.ConfirmationCode === undefined) throw new Error(`No code was mailed to ${email}`);
  return user.ConfirmationCode;
}
