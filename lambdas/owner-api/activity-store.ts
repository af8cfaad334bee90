import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { makeLeadId } from '../model/lead-item.ts';
import { currentMemberId, type Principal } from './principal.ts';

/** One change through the settings API: who, what and when, by ids. Never a value or a secret. */
export interface Activity {
  /** Sorts by time. */
  readonly activityId: string;
  readonly at: string;
  readonly actor: Pick<Principal, 'kind' | 'id' | 'name'>;
  /** The route, such as `PATCH /settings/forms/{formId}`. */
  readonly action: string;
  readonly targets: Readonly<Record<string, string>>;
}

export interface ActivityLog {
  record(
    workspaceId: string,
    change: Pick<Activity, 'actor' | 'action' | 'targets'>,
    signal: AbortSignal,
  ): Promise<void>;
}

const KEPT_SECONDS = 400 * 24 * 60 * 60;

interface Context extends StoreContext<'activity'> {
  readonly now: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

export function makeActivityLog({ client, tables, now, randomBytes }: Context): ActivityLog {
  return {
    async record(workspaceId, { actor: { kind, id, name }, action, targets }, signal) {
      const nowMilliseconds = now();
      const activity: Activity = {
        activityId: makeLeadId(nowMilliseconds, randomBytes(10)),
        at: new Date(nowMilliseconds).toISOString(),
        actor: { kind, id, name },
        action,
        targets,
      };
      const expiresAt = Math.floor(nowMilliseconds / 1000) + KEPT_SECONDS;
      const Item = { workspaceId, ...activity, expiresAt, v: 1 };
      await client.send(new PutCommand({ TableName: tables.activity, Item }), { abortSignal: signal });
    },
  };
}

export interface ActivityPage {
  readonly activity: Activity[];
  /** The id of the last one, if there may be more. */
  readonly next: string | undefined;
}

export interface ActivityReader {
  /** Newest first; `before` is the id of the last one of the page before. */
  page(
    workspaceId: string,
    options: { readonly limit: number; readonly before?: string | undefined },
    signal: AbortSignal,
  ): Promise<ActivityPage>;
}

export function makeActivityReader({ client, tables }: StoreContext<'activity'>): ActivityReader {
  return {
    async page(workspaceId, { limit, before }, signal) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tables.activity,
          KeyConditionExpression: 'workspaceId = :workspaceId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
          ...(before !== undefined && { ExclusiveStartKey: { workspaceId, activityId: before } }),
          ScanIndexForward: false,
          Limit: limit,
          ConsistentRead: true,
        }),
        { abortSignal: signal },
      );
      const activity = (Items as Activity[]).map(({ activityId, at, actor, action, targets }) => ({
        activityId,
        at,
        actor: actor.kind === 'user' ? { ...actor, id: currentMemberId(workspaceId, actor.id) } : actor,
        action,
        targets: withCurrentMember(workspaceId, targets),
      }));
      return { activity, next: LastEvaluatedKey ? activity.at(-1)?.activityId : undefined };
    },
  };
}

function withCurrentMember(workspaceId: string, targets: Activity['targets']): Activity['targets'] {
  const { memberId } = targets;
  return memberId === undefined ? targets : { ...targets, memberId: currentMemberId(workspaceId, memberId) };
}
