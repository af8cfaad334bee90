import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { makeDestinationReader, makeDestinationStore } from '../sending/destinations-store.ts';
import { deleteItems } from './table-items-store.ts';

/** The send function's timeout: by then, everything that was being sent before the pause has been written down. */
export const SENDING_SETTLES_MS = 30_000;

export interface DestinationSweep {
  /** Stops sending to all destinations. Returns how many there are, and how many of them were not paused yet. */
  pauseAll(): Promise<{ readonly all: number; readonly paused: number }>;
  /** What was sent, and the health of destinations. Returns how many messages there were. */
  removeMessages(): Promise<number>;
  /** With their secrets. Returns how many there were. */
  removeAll(): Promise<number>;
}

/**
 * Messages are only found through their destinations, so these stay until nothing is being sent any more. A paused
 * destination still parks messages; one that was deleted gets none.
 */
export function makeDestinationSweep(
  { client, tables }: StoreContext<'destinations' | 'destinationSecrets' | 'messages'>,
  workspaceId: string,
  signal: AbortSignal,
): DestinationSweep {
  const reader = makeDestinationReader({ client, tables });
  const store = makeDestinationStore({ client, tables });
  /** Also of destinations that are deleted already: a message may have been written meanwhile. */
  const known = new Set<string>();

  async function list() {
    const destinations = await reader.list(workspaceId, signal);
    for (const { destinationId } of destinations) known.add(destinationId);
    return destinations;
  }

  async function removeMessagesOf(destinationId: string): Promise<number> {
    const query = {
      TableName: tables.messages,
      KeyConditionExpression: 'destinationId = :destinationId',
      ExpressionAttributeValues: { ':destinationId': destinationId },
      ProjectionExpression: 'sk, leadId',
      ConsistentRead: true,
    };
    let removed = 0;
    for await (const { Items = [] } of paginateQuery({ client }, query)) {
      signal.throwIfAborted();
      const keys = Items.map(({ sk }) => ({ destinationId, sk }));
      if (keys.length > 0) await deleteItems(client, tables.messages, keys, signal);
      removed += Items.filter(({ leadId }) => leadId !== undefined).length;
    }
    return removed;
  }

  return {
    async pauseAll() {
      let paused = 0;
      for (;;) {
        const destinations = await list();
        const active = destinations.filter(({ status }) => status !== 'paused');
        if (active.length === 0) return { all: destinations.length, paused };
        // A destination that changed since it was read is paused in the next round.
        for (const seen of active) if (await store.change(seen, { status: 'paused' }, signal)) paused += 1;
      }
    },

    async removeMessages() {
      await list();
      let removed = 0;
      for (const destinationId of known) removed += await removeMessagesOf(destinationId);
      // The workspace's use of the slow lane is kept in the same table, under its own id, and expires after 30 days.
      if (known.size > 0) await removeMessagesOf(workspaceId);
      return removed;
    },

    async removeAll() {
      const destinations = await list();
      for (const { destinationId } of destinations) await store.remove(workspaceId, destinationId, signal);
      return destinations.length;
    },
  };
}
