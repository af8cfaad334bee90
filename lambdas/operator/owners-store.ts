import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type CognitoIdentityProviderClient,
  ListUsersCommand,
  paginateListUsers,
  UserNotFoundException,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import { WORKSPACE_CLAIM } from '../contract.ts';

/** The claim that the settings API scopes every request by. No app client may write it. */

export interface Owner {
  /** Cognito's `sub`, which is the id of the member. */
  readonly userId: string | undefined;
  readonly email: string;
  readonly workspaceId: string | undefined;
  readonly status: string;
  readonly createdAt: string | undefined;
}

export interface Owners {
  /** Without a password, Cognito creates one and mails it. Throws Cognito's error if the owner exists already. */
  invite(owner: {
    readonly email: string;
    readonly workspaceId: string;
    readonly password?: string;
  }): Promise<Owner>;
  find(email: string): Promise<Owner | undefined>;
  /** Sets a temporary password and ends every session. False when there is no such owner. */
  resetPassword(email: string, password: string): Promise<boolean>;
  /** False when there is none. */
  remove(email: string): Promise<boolean>;
  /** Reads the whole pool: Cognito cannot search by custom attributes. */
  list(workspaceId: string): Promise<Owner[]>;
  removeAll(workspaceId: string, signal: AbortSignal): Promise<number>;
}

/** As many as Cognito lists at once. */
const PAGE = 60;

export function makeOwners(client: CognitoIdentityProviderClient, userPoolId: string): Owners {
  const UserPoolId = userPoolId;

  async function findUser(email: string): Promise<UserType | undefined> {
    const Filter = `email = "${email.replace(/["\\]/g, '\\$&')}"`;
    const { Users = [] } = await client.send(new ListUsersCommand({ UserPoolId, Filter, Limit: 1 }));
    return Users[0];
  }

  async function usersOf(workspaceId: string): Promise<UserType[]> {
    const found: UserType[] = [];
    for await (const { Users = [] } of paginateListUsers({ client, pageSize: PAGE }, { UserPoolId })) {
      found.push(...Users.filter((user) => attributeOf(user, WORKSPACE_CLAIM) === workspaceId));
    }
    return found;
  }

  async function removeUser(Username: string | undefined, signal?: AbortSignal): Promise<boolean> {
    try {
      await client.send(new AdminDeleteUserCommand({ UserPoolId, Username }), { abortSignal: signal });
      return true;
    } catch (error) {
      if (error instanceof UserNotFoundException) return false;
      throw error;
    }
  }

  return {
    async invite({ email, workspaceId, password }) {
      const { User } = await client.send(
        new AdminCreateUserCommand({
          UserPoolId,
          Username: email,
          UserAttributes: [
            { Name: 'email', Value: email },
            { Name: 'email_verified', Value: 'true' },
            { Name: WORKSPACE_CLAIM, Value: workspaceId },
          ],
          ...(password === undefined
            ? { DesiredDeliveryMediums: ['EMAIL'] }
            : { TemporaryPassword: password, MessageAction: 'SUPPRESS' }),
        }),
      );
      return toOwner(User ?? {});
    },
    async find(email) {
      const user = await findUser(email);
      return user && toOwner(user);
    },
    async resetPassword(email, password) {
      const user = await findUser(email);
      if (!user) return false;
      const { Username } = user;
      await client.send(
        new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: password, Permanent: false }),
      );
      // After the password is set: otherwise the old one could begin a new session.
      await client.send(new AdminUserGlobalSignOutCommand({ UserPoolId, Username }));
      return true;
    },
    async remove(email) {
      const user = await findUser(email);
      return user ? removeUser(user.Username) : false;
    },
    async list(workspaceId) {
      return (await usersOf(workspaceId)).map(toOwner);
    },
    async removeAll(workspaceId, signal) {
      const users = await usersOf(workspaceId);
      for (const { Username } of users) await removeUser(Username, signal);
      return users.length;
    },
  };
}

function toOwner(user: UserType): Owner {
  return {
    userId: attributeOf(user, 'sub'),
    email: attributeOf(user, 'email') ?? '',
    workspaceId: attributeOf(user, WORKSPACE_CLAIM),
    status: user.UserStatus ?? 'UNKNOWN',
    createdAt: user.UserCreateDate?.toISOString(),
  };
}

function attributeOf({ Attributes = [] }: UserType, name: string): string | undefined {
  return Attributes.find(({ Name }) => Name === name)?.Value;
}
