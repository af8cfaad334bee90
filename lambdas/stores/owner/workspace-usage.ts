import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Workspace } from '../../core/configuration.ts';
import { LIMITS } from '../../core/limits.ts';
import { rateWindowsAt } from '../../core/rate-windows.ts';
import { SURFACES, type Surface } from '../../core/surfaces.ts';
import type { StoreContext } from '../tables.ts';

export interface WindowUse {
  readonly used: number;
  readonly limit: number;
  readonly endsAt: string;
}

export interface WorkspaceUsage {
  readonly workspaceId: string;
  readonly name: string;
  readonly status: Workspace['status'];
  readonly surfaces: readonly {
    readonly surface: Surface;
    readonly minute: WindowUse;
    readonly day: WindowUse;
  }[];
}

export interface WorkspaceUsageReader {
  read(workspaceId: string, signal: AbortSignal): Promise<WorkspaceUsage | undefined>;
}

interface UsageContext extends StoreContext<'workspaces'> {
  readonly now: () => number;
}

/** The gate's own counters, so that what an owner sees is what the gate goes by. A window without a counter is unused. */
export function makeWorkspaceUsage({ client, tables, now }: UsageContext): WorkspaceUsageReader {
  return {
    async read(workspaceId, signal) {
      const at = now();
      const { Item } = await client.send(
        new GetCommand({ TableName: tables.workspaces, Key: { workspaceId }, ConsistentRead: true }),
        { abortSignal: signal },
      );
      return Item && toUsage(Item, at);
    },
  };
}

function toUsage(item: Readonly<Record<string, unknown>>, atMilliseconds: number): WorkspaceUsage {
  const use = (counter: string, limit: number, endsAtMilliseconds: number): WindowUse => ({
    used: Number(item[counter] ?? 0),
    limit,
    endsAt: new Date(endsAtMilliseconds).toISOString(),
  });
  return {
    workspaceId: String(item.workspaceId),
    name: String(item.name),
    status: item.status as Workspace['status'],
    surfaces: SURFACES.map((surface) => {
      const { minuteCounter, minuteEndsAt, dayCounter, dayEndsAt } = rateWindowsAt(surface, atMilliseconds);
      return {
        surface,
        minute: use(minuteCounter, LIMITS.submissionsPerMinute, minuteEndsAt),
        day: use(dayCounter, LIMITS.submissionsPerDay, dayEndsAt),
      };
    }),
  };
}
