import { batchGet, type StoreContext } from './dynamodb.ts';

export interface WorkspaceGuard {
  /**
   * Which of these workspaces are being offboarded or gone. Streams and queues may bring something of a workspace long
   * after it: whoever writes by a workspace's id alone asks first and drops it, so that offboarding leaves nothing. Ends
   * its work within the function's timeout, which offboarding waits for.
   */
  removed(workspaceIds: Iterable<string>, signal: AbortSignal): Promise<Set<string>>;
}

/** As many keys as one batch reads. */
const READ_AT_ONCE = 100;

export function makeWorkspaceGuard({ client, tables }: StoreContext<'workspaces'>): WorkspaceGuard {
  return {
    async removed(workspaceIds, signal) {
      const ids = [...new Set(workspaceIds)];
      const removed = new Set<string>();
      for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
        const some = ids.slice(from, from + READ_AT_ONCE);
        const addresses = some.map((workspaceId) => ({ table: tables.workspaces, key: { workspaceId } }));
        const items = await batchGet(client, addresses, signal);
        for (const [index, item] of items.entries()) {
          if (!item || isBeingOffboarded(item)) removed.add(some[index] as string);
        }
      }
      return removed;
    },
  };
}

/** A workspace that was resumed since is not. */
export function isBeingOffboarded({ status, offboardingSince }: Readonly<Record<string, unknown>>): boolean {
  return status === 'suspended' && offboardingSince !== undefined;
}
