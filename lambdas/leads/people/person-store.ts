import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import {
  fromListEntry,
  isTombstone,
  keysNamedBy,
  type LeadAddress,
  type ListedLead,
  listKey,
  personBucket,
} from '../search/index-entry.ts';
import type { LeadContact } from '../search/lead-contact.ts';

/** A person, by one of the two things that tell people apart. */
export interface Person {
  readonly workspaceId: string;
  /** As `personKey` makes it. */
  readonly key: string;
}

export interface PersonRead {
  readonly olderThan?: string | undefined;
  /** Whether entries written a moment ago must be seen. */
  readonly consistent: boolean;
}

/** A lead of a person, or one that only mentions them. */
export interface PersonsLead extends ListedLead {
  readonly mentioned: boolean;
}

export interface FoundLeads {
  /** Newest first, expired ones included. */
  readonly leads: readonly PersonsLead[];
  /** Leads that have an entry of the person, but none in the list: they were erased, or have expired. */
  readonly unlisted: readonly string[];
  /** Leads whose list entry does not name the person. A writer that died has left theirs, from before the roles changed. */
  readonly stray: readonly string[];
  /** How far was read; undefined at the end. */
  readonly readTo: string | undefined;
}

export interface PersonFinder {
  /** What the list knows about a lead's contact. Undefined if the lead is not indexed. */
  contactOf(address: LeadAddress, signal: AbortSignal): Promise<LeadContact | undefined>;
  /** The leads with this key, one page per query. */
  find(person: Person, read: PersonRead, signal: AbortSignal): AsyncGenerator<FoundLeads>;
}

const LEADS_ON_A_PAGE = 100;

export function makePersonFinder({ client, tables }: StoreContext<'leadIndex'>): PersonFinder {
  const table = tables.leadIndex;

  async function contactOf(address: LeadAddress, signal: AbortSignal) {
    const [Item] = await batchGet(client, [{ table, key: listKey(address) }], signal);
    return Item && !isTombstone(Item) ? fromListEntry(Item) : undefined;
  }

  async function* find(
    { workspaceId, key }: Person,
    { olderThan, consistent }: PersonRead,
    signal: AbortSignal,
  ) {
    let position = olderThan;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          ScanIndexForward: false,
          KeyConditionExpression: `#bucket = :bucket${position ? ' AND leadId < :position' : ''}`,
          // A reserved word.
          ExpressionAttributeNames: { '#bucket': 'bucket' },
          ExpressionAttributeValues: {
            ':bucket': personBucket(workspaceId, key),
            ...(position && { ':position': position }),
          },
          Limit: LEADS_ON_A_PAGE,
          ConsistentRead: consistent,
        }),
        { abortSignal: signal },
      );
      const addresses = Items.map(({ leadId }) => ({ table, key: listKey({ workspaceId, leadId }) }));
      const listed = await batchGet(client, addresses, signal);
      position = LastEvaluatedKey?.leadId as string | undefined;
      yield { ...joined(key, Items, listed), readTo: position };
    } while (position !== undefined);
  }

  return { contactOf, find };
}

function joined(key: string, entries: readonly LeadItem[], listed: readonly (LeadItem | undefined)[]) {
  const leads: PersonsLead[] = [];
  const unlisted: string[] = [];
  const stray: string[] = [];
  for (const [index, { leadId, mentioned = false }] of entries.entries()) {
    const entry = listed[index];
    if (!entry || isTombstone(entry)) unlisted.push(leadId as string);
    else if (!keysNamedBy(entry).includes(key)) stray.push(leadId as string);
    else leads.push({ ...fromListEntry(entry), mentioned: mentioned as boolean });
  }
  return { leads, unlisted, stray };
}
