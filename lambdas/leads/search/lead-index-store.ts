import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchWrite, type WriteRequest } from '../../aws/batch-write.ts';
import { BoundedMap } from '../../aws/bounded-map.ts';
import {
  batchGet,
  pauseBeforeRetry,
  retryThrottled,
  type StoreContext,
  unlessConditionFails,
} from '../../aws/dynamodb.ts';
import { putOnShortPath } from '../../aws/short-path.ts';
import { makeTogether, type Together } from '../../aws/together.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import { formerListKey, hasFormerEntries, removeFormerEntries } from './former-index-store.ts';
import {
  contactIn,
  type Handling,
  isTombstone,
  keysIn,
  keysNamedBy,
  type LeadAddress,
  type LeadEntries,
  listKey,
  monthOf,
  monthsBucket,
  packKeys,
  SCHEMA_VERSION,
  toTombstone,
  unpackKeys,
} from './index-entry.ts';
import { makePeopleEntries } from './people-entries-store.ts';

export interface LeadIndex {
  /**
   * Writes or replaces all entries of a lead, those of people together with other leads. `erased`: a tombstone is there,
   * and nothing of the lead is left.
   */
  write(
    address: LeadAddress,
    entries: LeadEntries,
    signal: AbortSignal,
    together?: Together,
  ): Promise<'written' | 'erased'>;
  /** False if the lead has no entry yet. */
  noteFailedEnrichment(address: LeadAddress, failed: boolean, signal: AbortSignal): Promise<boolean>;
  /** The same. Undefined while the lead is new. */
  noteHandling(address: LeadAddress, handling: Handling | undefined, signal: AbortSignal): Promise<boolean>;
  /** Removes all entries of an erased lead, and leaves a tombstone. */
  remove(address: LeadAddress, signal: AbortSignal): Promise<void>;
  /** Removes the tombstone of a lead that a restore has brought back. */
  liftTombstone(address: LeadAddress, signal: AbortSignal): Promise<boolean>;
  /** Removes all entries of a lead whose workspace is gone, and what was just written of it. Leaves no tombstone. */
  forget(address: LeadAddress, written: LeadEntries | undefined, signal: AbortSignal): Promise<void>;
  /** Whether leads are only in the index of the version before, where no person is found. */
  isOutdated(workspaceId: string, signal: AbortSignal): Promise<boolean>;
  /** Removes one entry of a person that no list entry names. */
  removePerson(
    person: { readonly workspaceId: string; readonly key: string },
    leadId: string,
    signal: AbortSignal,
  ): Promise<void>;
}

export interface LeadIndexContext extends StoreContext<'leadIndex'> {
  readonly now: () => number;
}

/** An offboarding that was given up has deleted the months, which functions must notice. */
const MONTH_KNOWN_MS = 10 * 60_000;

/**
 * The list entry is written before the entries of people and names their keys, so that all of them can be found, whoever
 * dies in between. Keys that a changed lead no longer has stay in `stale` until their entries are deleted.
 */
export function makeLeadIndex({ client, tables, now }: LeadIndexContext): LeadIndex {
  const TableName = tables.leadIndex;
  const { write: writePeople, remove: deletePeople } = makePeopleEntries({ client, tables });
  const writeAll = (requests: readonly WriteRequest[], signal: AbortSignal) =>
    batchWrite(client, TableName, requests, signal);
  const knownMonths = new BoundedMap<number>(10_000);

  /** Always BatchGetItem: operators have it, and their policy has no room for another action. */
  const read = (keys: readonly { readonly bucket: string; readonly leadId: string }[], signal: AbortSignal) =>
    batchGet(
      client,
      keys.map((key) => ({ table: TableName, key })),
      signal,
    );

  /** Before the first entry of a month, so that every entry is in a month that searches know of. */
  async function noteMonth({ workspaceId, leadId }: LeadAddress, signal: AbortSignal): Promise<void> {
    const Key = { bucket: monthsBucket(workspaceId), leadId: monthOf(leadId) };
    const name = `${Key.bucket}/${Key.leadId}`;
    if ((knownMonths.get(name) ?? 0) > now() - MONTH_KNOWN_MS) return;
    const [month] = await read([Key], signal);
    if (!month) {
      const put = new PutCommand({ TableName, Item: { ...Key, v: SCHEMA_VERSION } });
      await retryThrottled(() => client.send(put, { abortSignal: signal }), signal);
    }
    knownMonths.set(name, now());
  }

  /** Undefined if it was written; otherwise what is there instead. */
  async function putUnless(
    Item: LeadItem,
    condition: object,
    signal: AbortSignal,
  ): Promise<LeadItem | undefined> {
    const put = putOnShortPath({
      TableName,
      Item,
      ...condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    try {
      await retryThrottled(() => client.send(put, { abortSignal: signal }), signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item ? unmarshall(error.Item) : {};
    }
  }

  const write: LeadIndex['write'] = async (
    address,
    { list, people, isDamaged, before },
    signal,
    together = makeTogether(1),
  ) => {
    await noteMonth(address, signal);
    let stale: string[] = [];
    let there = await putUnless(list, { ConditionExpression: 'attribute_not_exists(leadId)' }, signal);
    for (let attempt = 1; there !== undefined; attempt += 1) {
      if (isTombstone(there)) {
        await deletePeople(address, unpackKeys(there.keys), signal);
        return 'erased';
      }
      if (attempt > 1) await pauseBeforeRetry(attempt, signal);
      const wanted: LeadItem = { ...list, ...(isDamaged && contactIn(there)) };
      const own = keysNamedBy(wanted);
      const known = [...keysIn(there), ...keysNamedBy(before?.list ?? {})];
      stale = [...new Set(known)].filter((key) => !own.includes(key));
      const failed = (there.enrichmentFailed ?? list.enrichmentFailed) === true;
      const next = {
        ...wanted,
        // A late message about a new lead does not know that its enrichment has failed since.
        ...(failed && { enrichmentFailed: true }),
        n: numberOf(there) + 1,
        stale: packKeys(stale),
      };
      there = await putUnless(next, unchangedSince(there), signal);
    }
    await together.ask('people', people, async (asked) => {
      await writePeople(asked.flat(), signal);
      return [];
    });
    if (stale.length > 0) await forgetStale(address, stale, signal);
    return 'written';
  };

  async function forgetStale(
    address: LeadAddress,
    stale: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    await deletePeople(address, stale, signal);
    await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName,
          Key: listKey(address),
          UpdateExpression: 'REMOVE stale',
          ConditionExpression: 'stale = :stale',
          ExpressionAttributeValues: { ':stale': packKeys(stale) },
        }),
        { abortSignal: signal },
      ),
    );
  }

  /** Changes one attribute of a list entry. False if there is none. */
  function note(address: LeadAddress, name: string, value: true | string | undefined, signal: AbortSignal) {
    const command = new UpdateCommand({
      TableName,
      Key: listKey(address),
      // Counted, so that whoever replaces the entry at this moment sees that it has changed.
      UpdateExpression: `ADD n :one ${value === undefined ? `REMOVE ${name}` : `SET ${name} = :value`}`,
      ConditionExpression: 'attribute_exists(leadId) AND attribute_not_exists(erasedAt)',
      ExpressionAttributeValues: { ':one': 1, ':value': value },
    });
    return unlessConditionFails(retryThrottled(() => client.send(command, { abortSignal: signal }), signal));
  }

  /** The tombstone comes first: whoever writes entries later finds it, or has its keys in it. */
  const remove: LeadIndex['remove'] = async (address, signal) => {
    const [former, Item] = await read([formerListKey(address), listKey(address)], signal);
    await removeFormerEntries({ client, tables }, address.workspaceId, former, signal);
    // Offboarding finds tombstones by their months.
    if (!Item) await noteMonth(address, signal);
    let there: LeadItem | undefined = Item ?? {};
    for (let attempt = 1; !isTombstone(there); attempt += 1) {
      if (attempt > 1) await pauseBeforeRetry(attempt, signal);
      const tombstone = toTombstone(address, keysIn(there), now());
      const instead = await putUnless(tombstone, unchangedSince(there), signal);
      there = instead ?? tombstone;
    }
    await deletePeople(address, unpackKeys(there.keys), signal);
  };

  /** The list entry goes last: it names the keys of the others. Its month stays, by which offboarding finds other entries. */
  const forget: LeadIndex['forget'] = async (address, written, signal) => {
    const [former, Item = {}] = await read([formerListKey(address), listKey(address)], signal);
    await removeFormerEntries({ client, tables }, address.workspaceId, former, signal);
    await deletePeople(address, [...keysIn(Item), ...keysNamedBy(written?.list ?? {})], signal);
    await writeAll([{ DeleteRequest: { Key: listKey(address) } }], signal);
  };

  return {
    write,
    noteFailedEnrichment: (address, failed, signal) =>
      note(address, 'enrichmentFailed', failed || undefined, signal),
    noteHandling: (address, handling, signal) => note(address, 'handling', handling, signal),
    remove,
    forget,
    liftTombstone: (address, signal) => {
      const target = { TableName, Key: listKey(address), ConditionExpression: 'attribute_exists(erasedAt)' };
      return unlessConditionFails(client.send(new DeleteCommand(target), { abortSignal: signal }));
    },
    isOutdated: (workspaceId, signal) => hasFormerEntries({ client, tables }, workspaceId, signal),
    removePerson: ({ workspaceId, key }, leadId, signal) =>
      deletePeople({ workspaceId, leadId }, [key], signal),
  };
}

/** Counts how often an entry was replaced. The first one has no number. */
const numberOf = ({ n }: LeadItem): number => (typeof n === 'number' ? n : 0);

function unchangedSince(seen: LeadItem) {
  if (seen.leadId === undefined) return { ConditionExpression: 'attribute_not_exists(leadId)' };
  return {
    ConditionExpression: `attribute_not_exists(erasedAt) AND ${
      seen.n === undefined ? 'attribute_not_exists(n)' : 'n = :seen'
    }`,
    ...(seen.n !== undefined && { ExpressionAttributeValues: { ':seen': seen.n } }),
  };
}
