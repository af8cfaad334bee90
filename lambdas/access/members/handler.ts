import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { ACCESS_VARIABLES, requireVariable, tablesFromEnvironment } from '../../contract.ts';
import { makeActivityLog } from '../../owner-api/activity-store.ts';
import { type Check, Fault, flagText, oneOf, optional, readFields, text } from '../../owner-api/fields.ts';
import { type OwnerPipelineDependencies, ownerPipeline, route } from '../../owner-api/owner-pipeline.ts';
import { makeOwnerTelemetry, type OwnerRequest } from '../../owner-api/owner-request.ts';
import { memberIdOf, type Principal, ROLES } from '../../owner-api/principal.ts';
import { accepted, notFound, ok, Problem } from '../../owner-api/problem.ts';
import { concurrentChange } from '../../owner-api/revise.ts';
import { patternOf, ROUTES } from '../../owner-api/route-table.ts';
import { type ApiKey, listedKey } from '../api-key.ts';
import { type ApiKeys, makeApiKeys } from '../api-keys-store.ts';
import type { Member, NewMember, RemovedMember } from '../members-store.ts';
import { INVITATIONS_PER_DAY, makeTeam, type Team } from '../team-store.ts';
import { makeUsers, makeUsersClient, type Users } from '../users-store.ts';

export interface MembersDependencies extends OwnerPipelineDependencies {
  readonly team: Team;
  readonly users: Users;
  readonly apiKeysOf: (workspaceId: string) => Pick<ApiKeys, 'madeBy' | 'revokeKey'>;
  readonly newId: () => string;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** In lower case: the pool does not distinguish the two. */
const emailAddress: Check<string> = (value) => {
  const address = text({ min: 3, max: 254 })(value);
  if (!ADDRESS.test(address)) throw new Fault('must be a valid email address');
  return address.toLowerCase();
};

const INVITATION = { email: emailAddress, role: oneOf(ROLES) };

const LAST_OWNER =
  'This is the only owner who has signed in. Make another member an owner first, and let them sign in.';

/** Cognito takes longer to make a user and send a mail than to find that there is one. Longer than nearly all of it. */
const STEP_MS = 2_000;

/** How long to wait from `elapsed` until the end of the step. */
export function restOfStep(elapsed: number): number {
  return Math.max(1, Math.ceil(elapsed / STEP_MS)) * STEP_MS - elapsed;
}

/** The members of a workspace: the only function that can make and delete users. */
export function makeMembers(dependencies: MembersDependencies) {
  const { team, users, apiKeysOf, now, pause } = dependencies;

  /** Responds at full steps, so that the time does not tell whether a user was made or deleted. */
  async function onStep<Result>(act: () => Promise<Result>): Promise<Result> {
    const began = now();
    try {
      return await act();
    } finally {
      await pause(restOfStep(now() - began));
    }
  }

  /** The keys that a removed member made and that worked until now. Each that is revoked is in the activity log. */
  async function settleKeys(
    member: RemovedMember,
    revoke: boolean,
    { workspaceId, alsoChanged }: OwnerRequest,
  ): Promise<ApiKey[]> {
    const { madeBy, revokeKey } = apiKeysOf(workspaceId);
    const keys = await madeBy(member);
    if (!revoke) return keys;
    const revoked: ApiKey[] = [];
    for (const key of keys) {
      revoked.push(await revokeKey(key));
      alsoChanged({ action: patternOf(ROUTES.revokeApiKey), targets: { keyId: key.keyId } });
    }
    return revoked;
  }

  return ownerPipeline('members', dependencies, [
    route('listMembers', async ({ workspaceId, principal, query }) => {
      readFields(query, {});
      const { members, invitationsLeft } = await team.list(workspaceId);
      return ok({
        members: members.map((member) => memberView(member, principal)),
        invitationsLeftToday: invitationsLeft,
      });
    }),

    route('inviteMember', async ({ workspaceId, body }) => {
      const { email, role } = readFields(body, INVITATION);
      const { memberId, ...invited } = await onStep(() => invite({ workspaceId, email, role }, dependencies));
      return accepted({ memberId, email, role: invited.role });
    }),

    route('changeMember', async ({ workspaceId, principal, body, parameter }) => {
      const { role } = readFields(body, { role: oneOf(ROLES) });
      const changed = await team.changeRole(workspaceId, parameter('memberId'), role);
      if (changed === 'not_found') throw notFound();
      if (changed === 'last_owner') throw new Problem('conflict', { detail: LAST_OWNER });
      return ok(memberView(changed, principal));
    }),

    route('removeMember', async (request) => {
      const { workspaceId, query, parameter } = request;
      const { revokeApiKeys = false } = readFields(query, { revokeApiKeys: optional(flagText) });
      const removed = await team.remove(workspaceId, parameter('memberId'));
      if (removed === 'not_found') throw notFound();
      if (removed === 'last_owner') throw new Problem('conflict', { detail: LAST_OWNER });
      await onStep(() => users.remove(removed.userId));
      const apiKeys = await settleKeys(removed, revokeApiKeys, request);
      await team.noteUserDeleted(workspaceId, removed.userId);
      return ok({ memberId: removed.memberId, apiKeys: apiKeys.map(listedKey) });
    }),
  ]);
}

type Invitation = Pick<Member, 'workspaceId' | 'email' | 'role'>;

/**
 * The same response and the same entry in the list, whether the address is new or belongs to a user of any workspace: a
 * taken address gets a random id. The calls to Cognito and DynamoDB are the same too.
 */
async function invite(
  { workspaceId, email, role }: Invitation,
  { team, users, newId, now }: MembersDependencies,
): Promise<Member> {
  if (!(await team.countInvitation(workspaceId))) {
    const detail = `A workspace can invite ${INVITATIONS_PER_DAY} people per day (UTC). Try again tomorrow.`;
    throw new Problem('limit-reached', { detail });
  }
  const { members } = await team.list(workspaceId);
  const known = members.find((member) => member.email.toLowerCase() === email);
  if (known) return known;
  const invitedAt = new Date(now()).toISOString();
  for (let tries = 1; ; tries += 1) {
    const made = await users.invite(email, workspaceId);
    if (made === 'invalid') {
      throw new Problem('invalid-request', { errors: [{ field: 'email', problem: 'was not accepted' }] });
    }
    const userId = made === 'taken' ? newId() : made.userId;
    const member: NewMember = { workspaceId, userId, role, email, invitedAt };
    if (await team.add(member)) return { ...member, memberId: memberIdOf(workspaceId, userId) };
    if (tries > 1) throw concurrentChange();
    // A user who was removed and could not be deleted then.
    await users.remove(userId);
  }
}

function memberView({ memberId, email, role, invitedAt, joinedAt }: Member, principal: Principal) {
  const status = joinedAt === undefined ? 'invited' : 'active';
  const isYou = principal.kind === 'user' && principal.id === memberId;
  return { memberId, email, role, status, invitedAt, joinedAt, isYou };
}

/** Below the function's timeout, so that the caller gets a response. */
const DEADLINE_MS = 12_000;

export function membersDependencies(env: NodeJS.ProcessEnv): MembersDependencies {
  const tables = tablesFromEnvironment(env, ['members', 'activity', 'apiKeys']);
  const context = { client: makeDocumentClient(), tables, now: Date.now, randomBytes };
  return {
    team: makeTeam(context),
    apiKeysOf: makeApiKeys(context),
    activity: makeActivityLog(context),
    users: makeUsers(makeUsersClient(), requireVariable(env, ACCESS_VARIABLES.userPoolId)),
    telemetry: makeOwnerTelemetry('members', Date.now),
    newId: randomUUID,
    pause: sleep,
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
  };
}
