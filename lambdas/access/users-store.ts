import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  type AttributeType,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { makeSocketPool } from '../aws/socket-pool.ts';
import { INVITED_CLAIM, WORKSPACE_CLAIM } from '../contract.ts';

/** The users of the pool, as far as inviting and removing members needs them. */
export interface Users {
  /**
   * Makes a user and mails a temporary password. Returns the user's id; `taken` if the address belongs to a user of any
   * workspace; `invalid` if Cognito does not accept it.
   */
  invite(email: string, workspaceId: string): Promise<{ readonly userId: string } | 'taken' | 'invalid'>;
  /** Also succeeds if there is no such user. */
  remove(userId: string): Promise<void>;
}

const TIMEOUT_MS = 5_000;

export function makeUsersClient(): CognitoIdentityProviderClient {
  return new CognitoIdentityProviderClient({ maxAttempts: 2, requestHandler: makeSocketPool()(TIMEOUT_MS) });
}

export function makeUsers(client: CognitoIdentityProviderClient, UserPoolId: string): Users {
  /**
   * A user whom this workspace has invited and who never signed in: the response to the invitation was lost, or the
   * member could not be stored. Without this, the address could never be invited again.
   */
  async function findLostInvitation(email: string, workspaceId: string): Promise<string | undefined> {
    const user = await client
      .send(new AdminGetUserCommand({ UserPoolId, Username: email }))
      .catch((error: unknown) => {
        if (!(error instanceof UserNotFoundException)) throw error;
      });
    const attributes = user?.UserAttributes ?? [];
    const isOurs =
      attributeOf(attributes, WORKSPACE_CLAIM) === workspaceId &&
      attributeOf(attributes, INVITED_CLAIM) !== undefined &&
      user?.UserStatus === 'FORCE_CHANGE_PASSWORD';
    return isOurs ? attributeOf(attributes, 'sub') : undefined;
  }

  return {
    async invite(email, workspaceId) {
      // For every address: the calls must not tell whether it has a user.
      const lost = await findLostInvitation(email, workspaceId);
      try {
        const { User } = await client.send(
          new AdminCreateUserCommand({
            UserPoolId,
            Username: email,
            UserAttributes: [
              { Name: 'email', Value: email },
              { Name: 'email_verified', Value: 'true' },
              { Name: WORKSPACE_CLAIM, Value: workspaceId },
              { Name: INVITED_CLAIM, Value: 'yes' },
            ],
            DesiredDeliveryMediums: ['EMAIL'],
          }),
        );
        const userId = attributeOf(User?.Attributes ?? [], 'sub');
        if (userId === undefined) throw new Error('Cognito has named no user');
        return { userId };
      } catch (error) {
        if (error instanceof InvalidParameterException) return 'invalid';
        if (!(error instanceof UsernameExistsException)) throw error;
        return lost === undefined ? 'taken' : { userId: lost };
      }
    },

    async remove(userId) {
      try {
        await client.send(new AdminDeleteUserCommand({ UserPoolId, Username: userId }));
      } catch (error) {
        if (!(error instanceof UserNotFoundException)) throw error;
      }
    },
  };
}

function attributeOf(attributes: readonly AttributeType[], name: string): string | undefined {
  return attributes.find(({ Name }) => Name === name)?.Value;
}
