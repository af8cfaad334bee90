import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { LIMITS, rateWindowsAt, SURFACES } from '#submission/limits.ts';
import type { openContract } from '../../contract/tenant.ts';
import type { Room } from './audit-counters.ts';

type Contract = Pick<ReturnType<typeof openContract>, 'client' | 'tables'>;

/** Counts a workspace's next minutes up, as if so many had been accepted already: only `left` more fit into each. */
export async function fillMinutes(
  { client, tables }: Contract,
  { workspaceId, minutes, left }: { workspaceId: string; minutes: number; left: number },
): Promise<Room[]> {
  const counters = Array.from({ length: minutes }, (_, minute) =>
    SURFACES.map((surface) => rateWindowsAt(surface, Date.now() + minute * 60_000).minuteCounter),
  ).flat();
  await client.send(
    new UpdateCommand({
      TableName: tables.workspaces,
      Key: { workspaceId },
      UpdateExpression: `SET ${counters.map((_, index) => `#c${index} = :count`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(counters.map((name, index) => [`#c${index}`, name])),
      ExpressionAttributeValues: { ':count': LIMITS.submissionsPerMinute - left },
    }),
  );
  return counters.map((counter) => ({ workspaceId, counter, left }));
}
