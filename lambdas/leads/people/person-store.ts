import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import {
  fromListEntry,
  type ListedLead,
  listBucket,
  listedEmail,
  wordBucket,
} from '../search/index-entry.ts';
import { emailWord, type LeadContact } from '../search/index-words.ts';
import type { LeadAddress } from '../search/lead-index-store.ts';
import { bucketOf, isCommon } from '../search/search-terms.ts';

/** A person, identified by email address or phone number. The value is written as in the list. */
export interface Person {
  readonly workspaceId: string;
  readonly by: 'email' | 'phone';
  readonly value: string;
}

export interface PersonRead {
  /** `words` is fast however many leads there are. `list` reads the workspace's whole list, newest first. */
  readonly through: 'words' | 'list';
  readonly olderThan?: string | undefined;
  /** Whether entries written a moment ago must be seen. */
  readonly consistent: boolean;
}

export interface FoundLeads {
  /** Newest first, expired ones included. */
  readonly leads: readonly ListedLead[];
  /** How far was read; undefined at the end. */
  readonly readTo: string | undefined;
}

export interface PersonFinder {
  /** What the list knows about a lead's sender. Undefined if the lead is not indexed. */
  contactOf(address: LeadAddress, signal: AbortSignal): Promise<LeadContact | undefined>;
  /** Whether words have entries. If not, the workspace's list is read. */
  readonly withWords: boolean;
  /** How all leads with this address are found. */
  wayTo(email: string): PersonRead['through'];
  /** Leads with exactly this address or number, one page per query. A page may be empty. */
  find(person: Person, read: PersonRead, signal: AbortSignal): AsyncGenerator<FoundLeads>;
}

/** Entries read by one query: about 200 KB. */
const READ_AT_ONCE = 500;
const KEYS_IN_A_BATCH = 100;

export function makePersonFinder({
  client,
  tables,
  withWords,
}: StoreContext<'leadIndex'> & { readonly withWords: boolean }): PersonFinder {
  const table = tables.leadIndex;

  async function contactOf({ workspaceId, leadId }: LeadAddress, signal: AbortSignal) {
    const Key = { bucket: listBucket(workspaceId), leadId };
    const command = new GetCommand({ TableName: table, Key, ConsistentRead: true });
    const { Item } = await client.send(command, { abortSignal: signal });
    return Item && fromListEntry(Item);
  }

  function wayTo(email: string): PersonRead['through'] {
    const word = emailWord(email);
    return withWords && bucketOf(word) !== undefined && !isCommon(word) ? 'words' : 'list';
  }

  async function listEntries(workspaceId: string, leadIds: readonly string[], signal: AbortSignal) {
    const found: (LeadItem | undefined)[] = [];
    for (let from = 0; from < leadIds.length; from += KEYS_IN_A_BATCH) {
      const addresses = leadIds
        .slice(from, from + KEYS_IN_A_BATCH)
        .map((leadId) => ({ table, key: { bucket: listBucket(workspaceId), leadId } }));
      found.push(...(await batchGet(client, addresses, signal)));
    }
    return found.filter((item) => item !== undefined);
  }

  async function* find(person: Person, { through, olderThan, consistent }: PersonRead, signal: AbortSignal) {
    const { workspaceId, by, value } = person;
    const listed = by === 'email' ? listedEmail(value) : value;
    const query = through === 'words' ? queryOfWord(person) : queryOfList(person, listed);
    let position = olderThan;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          ScanIndexForward: false,
          KeyConditionExpression: `#bucket = :bucket${position ? ' AND leadId < :position' : ''}`,
          ...query,
          // A reserved word.
          ExpressionAttributeNames: { '#bucket': 'bucket', ...query.ExpressionAttributeNames },
          ExpressionAttributeValues: {
            ...query.ExpressionAttributeValues,
            ...(position && { ':position': position }),
          },
          Limit: READ_AT_ONCE,
          ConsistentRead: consistent,
        }),
        { abortSignal: signal },
      );
      const leadIds = Items.map(({ leadId }) => leadId as string);
      const entries = through === 'words' ? await listEntries(workspaceId, leadIds, signal) : Items;
      position = LastEvaluatedKey?.leadId as string | undefined;
      // The word of an address has no accents, so compare with the list entry.
      const same = entries.filter((entry) => entry[by] === listed);
      yield { leads: same.map(fromListEntry), readTo: position };
    } while (position !== undefined);
  }

  return { contactOf, withWords, wayTo, find };
}

function queryOfWord({ workspaceId, by, value }: Person) {
  const word = wordOf(by, value);
  return {
    FilterExpression: 'contains(words, :word)',
    ExpressionAttributeNames: {},
    ExpressionAttributeValues: {
      ':bucket': wordBucket(workspaceId, bucketOf(word) ?? word),
      ':word': ` ${word} `,
    },
  };
}

function queryOfList({ workspaceId, by }: Person, listed: string) {
  return {
    FilterExpression: '#by = :listed',
    ExpressionAttributeNames: { '#by': by },
    ExpressionAttributeValues: { ':bucket': listBucket(workspaceId), ':listed': listed },
  };
}

function wordOf(by: Person['by'], value: string): string {
  return by === 'email' ? emailWord(value) : value;
}
