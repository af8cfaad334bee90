import { PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';

/** The partition of Stats that lists the workspaces with recent leads. No workspace has this id. */
const PARTITION = 'active';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than a week, so that a form with weekly leads is still watched when they do not come. */
const ACTIVE_SECONDS = 15 * 24 * 60 * 60;
const REMEMBERED = 10_000;
/** Beside the workspaces, so that it is read with them. No workspace has this id. */
const POSITION = '#position';

/** Where it is noted that a workspace receives leads. */
export const activeMarkKey = (workspaceId: string) => ({ workspaceId: PARTITION, sk: workspaceId });

export interface ActiveWorkspace {
  readonly workspaceId: string;
  readonly markedAt: number;
}

export interface ActiveWorkspaces {
  /** Notes that these workspaces receive leads: one write per workspace and day, from each environment. */
  mark(workspaceIds: Iterable<string>, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
  /** By their ids, beginning with the one that was left for later. */
  list(nowMilliseconds: number, signal: AbortSignal): Promise<ActiveWorkspace[]>;
  /** The next list begins with this one. */
  leaveForLater(workspaceId: string, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
}

export function makeActiveWorkspaces({ client, tables }: StoreContext<'stats'>): ActiveWorkspaces {
  const markedOn = new Map<string, number>();
  return {
    async mark(workspaceIds, nowMilliseconds, signal) {
      const day = Math.floor(nowMilliseconds / DAY_MS);
      const unmarked = [...new Set(workspaceIds)].filter((id) => markedOn.get(id) !== day);
      for (const workspaceId of unmarked) {
        const expiresAt = Math.ceil(nowMilliseconds / 1000) + ACTIVE_SECONDS;
        const Item = { ...activeMarkKey(workspaceId), markedAt: nowMilliseconds, expiresAt, v: 1 };
        await client.send(new PutCommand({ TableName: tables.stats, Item }), { abortSignal: signal });
        if (markedOn.size >= REMEMBERED) markedOn.clear();
        markedOn.set(workspaceId, day);
      }
    },

    async list(nowMilliseconds, signal) {
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.stats,
          KeyConditionExpression: 'workspaceId = :partition',
          FilterExpression: 'expiresAt > :now',
          ExpressionAttributeValues: { ':partition': PARTITION, ':now': Math.floor(nowMilliseconds / 1000) },
        },
        { abortSignal: signal },
      );
      const active: ActiveWorkspace[] = [];
      let position = '';
      for await (const { Items = [] } of pages) {
        for (const { sk, markedAt, next } of Items) {
          if (sk === POSITION) position = String(next);
          else active.push({ workspaceId: String(sk), markedAt: Number(markedAt) });
        }
      }
      const start = active.findIndex(({ workspaceId }) => workspaceId >= position);
      return start <= 0 ? active : [...active.slice(start), ...active.slice(0, start)];
    },

    async leaveForLater(next, nowMilliseconds, signal) {
      const expiresAt = Math.ceil((nowMilliseconds + DAY_MS) / 1000);
      const Item = { workspaceId: PARTITION, sk: POSITION, next, expiresAt, v: 1 };
      await client.send(new PutCommand({ TableName: tables.stats, Item }), { abortSignal: signal });
    },
  };
}
