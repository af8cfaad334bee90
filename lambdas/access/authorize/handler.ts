import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { describeError, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { ACCESS_VARIABLES, requireVariable, tablesFromEnvironment } from '../../contract.ts';
import {
  type AuthorizerContext,
  contextOf,
  type Principal,
  type Refusal,
  type RefusedContext,
} from '../../owner-api/principal.ts';
import { hasKeyChecksum, looksLikeApiKey } from '../api-key.ts';
import { type ApiKeyLookup, makeApiKeyLookup } from '../api-keys-store.ts';
import { type IdToken, type IdTokens, makeIdTokens } from '../id-tokens-store.ts';
import { isRemoved, type MemberLookup, makeMemberLookup } from '../members-store.ts';

export interface AuthorizeDependencies {
  readonly idTokens: IdTokens;
  readonly members: MemberLookup;
  readonly apiKeys: ApiKeyLookup;
  readonly write: WriteLine;
}

/** The part of API Gateway's authorizer event (format 2.0) that is used. */
export interface AuthorizerQuestion {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestContext: { readonly requestId: string };
}

/**
 * The simple response of an HTTP API's authorizer, format 2.0. A refused request goes on to the function, which returns
 * 401 and says why: API Gateway itself could only return 403, without a reason.
 */
export interface AuthorizerResponse {
  readonly isAuthorized: true;
  readonly context: AuthorizerContext | RefusedContext;
}

/** Finds out who sends a request to the settings API. What they may do there is checked by route, in the functions. */
export function makeAuthorize(dependencies: AuthorizeDependencies) {
  const { write } = dependencies;
  return async function authorize(event: AuthorizerQuestion): Promise<AuthorizerResponse> {
    const { requestId } = event.requestContext;
    try {
      const found = await principalOf(event, dependencies);
      if (typeof found !== 'string') return { isAuthorized: true, context: contextOf(found) };
      write(JSON.stringify({ level: 'INFO', code: 'access.refused', requestId, reason: found }));
      return { isAuthorized: true, context: { refusal: found } };
    } catch (error) {
      write(JSON.stringify({ level: 'ERROR', code: 'access.defect', requestId, ...describeError(error) }));
      // API Gateway returns 500. Lambda would log the original error with its message.
      throw new Error('The authorizer failed');
    }
  };
}

async function principalOf(
  { headers }: AuthorizerQuestion,
  dependencies: AuthorizeDependencies,
): Promise<Principal | Refusal> {
  const credential = (headers?.authorization ?? '').replace(/^Bearer +/i, '');
  if (looksLikeApiKey(credential)) return keyOf(credential, dependencies);
  const { idTokens, members } = dependencies;
  const token = await idTokens.verify(credential);
  return token === undefined ? 'invalid_token' : memberOf(token, members);
}

async function memberOf(token: IdToken, members: MemberLookup): Promise<Principal | Refusal> {
  const { workspaceId, userId, email } = token;
  const known = await members.find(workspaceId, userId);
  // An invited user without an item has no role. Otherwise, losing the table would make every user an owner.
  if (known === undefined && token.invited) return 'not_a_member';
  const member = known ?? (await members.adoptOwner({ workspaceId, userId, email }));
  if (member === undefined) return 'workspace_gone';
  if (isRemoved(member)) return 'removed';
  if (member.joinedAt === undefined) await members.noteJoined(member);
  return { kind: 'user', workspaceId, id: member.memberId, name: email, role: member.role };
}

async function keyOf(
  credential: string,
  { apiKeys, write }: AuthorizeDependencies,
): Promise<Principal | Refusal> {
  if (!hasKeyChecksum(credential)) return 'malformed_key';
  const key = await apiKeys.find(credential);
  if (key === undefined) return 'unknown_key';
  const { keyId, workspaceId, name, scopes, revokedAt } = key;
  if (revokedAt !== undefined) return 'revoked_key';
  await apiKeys.noteUse(key).catch((error: unknown) => {
    // The date of the last use is only shown. If it cannot be written, the request still counts.
    write(JSON.stringify({ level: 'WARN', code: 'access.use_not_noted', keyId, ...describeError(error) }));
  });
  return { kind: 'key', workspaceId, id: keyId, name, scopes };
}

export function authorizeDependencies(env: NodeJS.ProcessEnv): AuthorizeDependencies {
  const tables = tablesFromEnvironment(env, ['members', 'workspaces', 'apiKeys']);
  const context = { client: makeDocumentClient(), tables, now: Date.now };
  return {
    idTokens: makeIdTokens({
      issuer: requireVariable(env, ACCESS_VARIABLES.issuer),
      clientId: requireVariable(env, ACCESS_VARIABLES.clientId),
    }),
    members: makeMemberLookup(context),
    apiKeys: makeApiKeyLookup(context),
    write: toStdout,
  };
}
