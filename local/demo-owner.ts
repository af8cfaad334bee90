import { randomBytes } from 'node:crypto';
import { WORKSPACE_ATTRIBUTE } from '../lambdas/contract.ts';

export interface OwnersPool {
  readonly endpoint: string;
  readonly userPoolId: string;
}

export interface Owner {
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
}

const CLAIM = `custom:${WORKSPACE_ATTRIBUTE}`;

/** Letters of both cases, digits and a symbol are certain: the pool's policy asks for them. */
export function newPassword(): string {
  return `${randomBytes(15).toString('base64url')}-aA1`;
}

interface User {
  readonly UserStatus: string;
  readonly UserAttributes: readonly { readonly Name: string; readonly Value: string }[];
}

/** Makes the owner as an operator would, unless there is one. Half made, or of a workspace that is gone: made anew. */
export async function ensureOwner(pool: OwnersPool, { email, password, workspaceId }: Owner): Promise<void> {
  const Username = email;
  const found = await call(pool, 'AdminGetUser', { Username });
  if (found.ok) {
    const { UserAttributes, UserStatus } = (await found.json()) as User;
    const isTheirs = UserAttributes.some(({ Name, Value }) => Name === CLAIM && Value === workspaceId);
    if (isTheirs && UserStatus === 'CONFIRMED') return;
    await must(pool, 'AdminDeleteUser', { Username });
  }
  await must(pool, 'AdminCreateUser', {
    Username,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
      { Name: CLAIM, Value: workspaceId },
    ],
  });
  await must(pool, 'AdminSetUserPassword', { Username, Password: password, Permanent: true });
}

async function must(pool: OwnersPool, operation: string, body: object): Promise<void> {
  const response = await call(pool, operation, body);
  if (!response.ok) throw new Error(`${operation} failed: ${await response.text()}`);
}

/** Without the SDK, which takes longer to load than all of this takes. */
function call({ endpoint, userPoolId }: OwnersPool, operation: string, body: object): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ UserPoolId: userPoolId, ...body }),
  });
}
