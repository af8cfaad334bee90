import { batchWrite } from '../../aws/batch-write.ts';
import type { StoreContext } from '../../aws/dynamodb.ts';
import { type LeadAddress, type PersonEntry, personBucket } from './index-entry.ts';

/** The entries by which the leads of a person are found. */
export interface PeopleEntries {
  write(entries: readonly PersonEntry[], signal: AbortSignal): Promise<void>;
  remove(address: LeadAddress, keys: readonly string[], signal: AbortSignal): Promise<void>;
}

export function makePeopleEntries({ client, tables }: StoreContext<'leadIndex'>): PeopleEntries {
  return {
    write(entries, signal) {
      // Two messages of a batch can be about one lead.
      const byKey = new Map(
        entries.map((Item) => [`${Item.bucket} ${Item.leadId}`, { PutRequest: { Item } }]),
      );
      return batchWrite(client, tables.leadIndex, [...byKey.values()], signal);
    },
    remove({ workspaceId, leadId }, keys, signal) {
      const requests = [...new Set(keys)].map((key) => ({
        DeleteRequest: { Key: { bucket: personBucket(workspaceId, key), leadId } },
      }));
      return batchWrite(client, tables.leadIndex, requests, signal);
    },
  };
}
