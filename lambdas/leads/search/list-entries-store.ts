import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import { isLeadId, type LeadItem } from '../../model/lead-item.ts';
import { wholeSeconds } from '../../model/limits.ts';
import type { LeadIdRange } from '../lead-filter.ts';
import { keysNamedBy, listBucket, listKey, monthOf, monthsBucket, personBucket } from './index-entry.ts';
import { readSlices, slicesOf } from './read-slices.ts';
import { filterOf, hasTerms, isAsked, type LeadSearch } from './search-filter.ts';
import { readQuery, type SearchQuery } from './search-query.ts';

export interface SearchPage {
  /** Lead ids from and to, both included. */
  readonly range: LeadIdRange;
  readonly wanted: number;
}

/** What a search found, newest first, and how far it has read; undefined at the end. */
export interface Found {
  readonly items: readonly LeadItem[];
  readonly readTo: string | undefined;
}

export interface ListEntries {
  /** The entries of the list that match, whatever their enrichment. More than wanted if there are. */
  find(workspaceId: string, asked: LeadSearch, page: SearchPage, signal: AbortSignal): Promise<Found>;
}

export interface ListContext extends StoreContext<'leadIndex'> {
  readonly now: () => number;
}

/** After this time, a call returns what it has found and where to go on. */
export const STEP_MS = 4_000;

export const KEYS_IN_A_BATCH = 100;
/** Ids are hexadecimal. */
const ALL_LEADS: LeadIdRange = { oldest: '0', newest: 'g' };
const NOTHING: Found = { items: [], readTo: undefined };

export function makeListEntries({ client, tables, now }: ListContext): ListEntries {
  const TableName = tables.leadIndex;

  async function query(bucket: string, range: LeadIdRange, more: object, signal: AbortSignal) {
    const { ExpressionAttributeValues = {}, ...rest } = more as { ExpressionAttributeValues?: object };
    const command = new QueryCommand({
      TableName,
      ScanIndexForward: false,
      KeyConditionExpression: '#bucket = :bucket AND leadId BETWEEN :oldest AND :newest',
      // A reserved word of DynamoDB.
      ExpressionAttributeNames: { '#bucket': 'bucket' },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':bucket': bucket,
        ':oldest': range.oldest,
        ':newest': range.newest,
      },
      ...rest,
    });
    const {
      Items = [],
      LastEvaluatedKey,
      ScannedCount = 0,
    } = await client.send(command, { abortSignal: signal });
    return {
      items: Items as LeadItem[],
      readTo: LastEvaluatedKey?.leadId as string | undefined,
      read: ScannedCount,
    };
  }

  /** The entries of leads, those left out that have none. */
  async function entriesOf(workspaceId: string, leadIds: readonly string[], signal: AbortSignal) {
    const addresses = leadIds.map((leadId) => ({ table: TableName, key: listKey({ workspaceId, leadId }) }));
    const entries: LeadItem[] = [];
    for (let from = 0; from < addresses.length; from += KEYS_IN_A_BATCH) {
      const items = await batchGet(client, addresses.slice(from, from + KEYS_IN_A_BATCH), signal);
      entries.push(...items.filter((item) => item !== undefined));
    }
    return entries;
  }

  async function hasEntries(bucket: string, signal: AbortSignal): Promise<boolean> {
    const { items } = await query(bucket, ALL_LEADS, { Limit: 1 }, signal);
    return items.length > 0;
  }

  /** The months with leads in the range, newest first. */
  async function monthsIn(workspaceId: string, { oldest, newest }: LeadIdRange, signal: AbortSignal) {
    const months = { oldest: monthOf(oldest), newest: monthOf(newest) };
    const { items } = await query(monthsBucket(workspaceId), months, {}, signal);
    return items.map(({ leadId }) => leadId as string);
  }

  /** Leads with a whole address or number: one query, however many leads there are. Undefined if nobody has it. */
  async function findPerson(
    workspaceId: string,
    key: string,
    { range, wanted }: SearchPage,
    signal: AbortSignal,
  ): Promise<Found | undefined> {
    const bucket = personBucket(workspaceId, key);
    const { items, readTo } = await query(bucket, range, { Limit: wanted }, signal);
    // Behind the last page, or in another period, there is nothing to look for in the list either.
    const isKnown = items.length > 0 || readTo || (await hasEntries(bucket, signal));
    if (!isKnown) return undefined;
    const leadIds = items.map(({ leadId }) => leadId as string);
    const entries = await entriesOf(workspaceId, leadIds, signal);
    return { items: entries.filter((item) => keysNamedBy(item).includes(key)), readTo };
  }

  /** Everything else is found by reading the list, month by month. */
  async function findInList(
    workspaceId: string,
    asked: LeadSearch,
    { terms }: SearchQuery,
    { range, wanted }: SearchPage,
    signal: AbortSignal,
  ): Promise<Found> {
    const { filter, values, selective } = filterOf(asked, terms, wholeSeconds(now()));
    const months = await monthsIn(workspaceId, range, signal);
    return readSlices({
      slices: slicesOf(months, range),
      wanted,
      selective,
      until: now() + STEP_MS,
      now,
      read: (slice, limit) =>
        query(
          listBucket(workspaceId, slice.month),
          slice,
          { FilterExpression: filter, ExpressionAttributeValues: values, Limit: limit },
          signal,
        ),
    });
  }

  /** The leads that somebody has selected: what else is asked still counts. */
  async function findSelected(
    workspaceId: string,
    ids: readonly string[],
    { terms, person }: SearchQuery,
    { oldest, newest }: LeadIdRange,
    signal: AbortSignal,
  ): Promise<Found> {
    const inRange = [...new Set(ids)].filter((id) => isLeadId(id) && id >= oldest && id <= newest);
    const entries = await entriesOf(workspaceId, inRange.sort().reverse(), signal);
    const isTheirs = (item: LeadItem) => person !== undefined && keysNamedBy(item).includes(person);
    return { items: entries.filter((item) => isTheirs(item) || hasTerms(item, terms)), readTo: undefined };
  }

  return {
    async find(workspaceId, asked, page, signal) {
      const typed = asked.q === undefined ? { terms: [] } : readQuery(asked.q);
      // Signs without a letter or a digit find nothing, rather than everything.
      if (!typed) return NOTHING;
      const { ids } = asked;
      const found = ids
        ? await findSelected(workspaceId, ids, typed, page.range, signal)
        : ((typed.person ? await findPerson(workspaceId, typed.person, page, signal) : undefined) ??
          (await findInList(workspaceId, asked, typed, page, signal)));
      return { ...found, items: found.items.filter((item) => isAsked(item, asked, now())) };
    },
  };
}
