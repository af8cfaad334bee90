import type { StoreContext } from '../aws/dynamodb.ts';
import { addressHash, sameAddress } from '../recipients/recipient.ts';
import { allowAgain } from '../recipients/recipients-store.ts';
import { makeDestinationReader, makeDestinationStore } from '../sending/destinations-store.ts';
import type { SendQueue } from '../sending/send-queue-store.ts';

type Context = StoreContext<'recipients' | 'destinations' | 'destinationSecrets'> & {
  readonly queue: SendQueue;
};

/**
 * The recipient told an operator that they want these mails after all. They still have to confirm: the operator may have
 * been deceived. Returns the suppressions that were removed, and the destinations that wait for the confirmation now.
 */
export async function allowRecipient(
  { client, tables, queue }: Context,
  workspaceId: string,
  email: string,
  signal: AbortSignal,
): Promise<{ readonly removed: number; readonly destinationIds: readonly string[] }> {
  const removed = await allowAgain({ client, tables }, workspaceId, addressHash(email));
  const store = makeDestinationStore({ client, tables });
  const destinationIds: string[] = [];
  for (const destination of await makeDestinationReader({ client, tables }).list(workspaceId, signal)) {
    const { destinationId, confirmation } = destination;
    if (confirmation !== 'stopped' || !sameAddress(destination.email, email)) continue;
    const isChanged = await store.change(
      destination,
      {
        ...({ status: 'active', confirmation: 'pending' } as const),
        ...{ disabledReason: undefined, disabledAt: undefined, askedAt: undefined },
      },
      signal,
    );
    // Otherwise its owner has just changed or deleted it.
    if (!isChanged) continue;
    await queue.add([{ task: { task: 'confirm', workspaceId, destinationId } }], signal);
    destinationIds.push(destinationId);
  }
  return { removed, destinationIds };
}
