import { NotAuthorizedError, UserNotFoundError } from 'cognito-local/lib/errors.js';
import { decodeJwt } from 'jose';
import { CONTEXT, type CognitoServices } from './services.ts';

type Fields = Readonly<Record<string, string>>;
type Operation = (services: CognitoServices, fields: Fields) => Promise<object>;

/** Operations that cognito-local does not have. They end every session of a user; ID tokens stay valid until they expire. */
export const SIGN_OUTS: Readonly<Record<string, Operation>> = {
  async GlobalSignOut({ cognito }, { AccessToken = '' }) {
    const { client_id: clientId, sub } = claimsIn(AccessToken);
    const pool = await cognito.getUserPoolForClientId(CONTEXT, String(clientId));
    return forgetRefreshTokens(pool, String(sub));
  },

  async AdminUserGlobalSignOut({ cognito }, { UserPoolId = '', Username = '' }) {
    return forgetRefreshTokens(await cognito.getUserPool(CONTEXT, UserPoolId), Username);
  },
};

function claimsIn(accessToken: string) {
  try {
    return decodeJwt(accessToken);
  } catch {
    throw new NotAuthorizedError();
  }
}

type Pool = Awaited<ReturnType<CognitoServices['cognito']['getUserPool']>>;

async function forgetRefreshTokens(pool: Pool, username: string): Promise<object> {
  const user = await pool.getUserByUsername(CONTEXT, username);
  if (user === null) throw new UserNotFoundError();
  await pool.saveUser(CONTEXT, { ...user, RefreshTokens: [] });
  return {};
}
