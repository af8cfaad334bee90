import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
