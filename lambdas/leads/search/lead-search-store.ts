import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry, type StoreContext } from '../../aws/dynamodb.ts';
import type { EnrichmentState } from '../../enrichment/enrichment-item.ts';
import { hasExpired, type LeadItem } from '../../model/lead-item.ts';
import { wholeSeconds } from '../../model/limits.ts';
import { fromListEntry, type ListedLead, listBucket, wordBucket } from './index-entry.ts';
import { bucketOf, readTerms, type SearchTerm, termToRead } from './search-terms.ts';

/** Which leads are asked for, all conditions together. */
export interface LeadSearch {
  readonly q?: string | undefined;
  readonly form?: string | undefined;
  readonly clean?: boolean | undefined;
  readonly scoreAtLeast?: number | undefined;
  readonly scoreAtMost?: number | undefined;
  readonly enrichment?: EnrichmentState | undefined;
}

export interface SearchPage {
  /** Lead ids from and to, both included. */
  readonly range: { readonly oldest: string; readonly newest: string };
  readonly wanted: number;
}

export interface SearchResult {
  /** Newest first. */
  readonly leads: readonly ListedLead[];
  /** Set if there may be more, even after few leads or none: one call reads only so much. */
  readonly resumeAfter: string | undefined;
}

export interface LeadSearcher {
  search(
    workspaceId: string,
    search: LeadSearch,
    page: SearchPage,
    signal: AbortSignal,
  ): Promise<SearchResult>;
}

export interface LeadSearchContext extends StoreContext<'leadIndex'> {
  readonly now: () => number;
  /** Whether the index has word entries. Without them the workspace's list is read. */
  readonly withWords: boolean;
}

/** Entries read by one query with a filter: about 100 KB. */
export const READ_AT_ONCE = 500;
/** Bounds what one call costs, and how long it takes. */
export const MAX_QUERIES = 20;

export function makeLeadSearcher({ client, tables, now, withWords }: LeadSearchContext): LeadSearcher {
  const TableName = tables.leadIndex;

  /** Matching entries, newest first, until enough were found or enough was read. */
  async function* entries(
    { bucket, filter, values, selective }: Filter & { readonly bucket: string },
    { range, wanted }: SearchPage,
    signal: AbortSignal,
  ) {
    let startKey: Record<string, unknown> | undefined;
    for (let queries = 1; ; queries += 1) {
      const command = new QueryCommand({
        TableName,
        ScanIndexForward: false,
        KeyConditionExpression: '#bucket = :bucket AND leadId BETWEEN :oldest AND :newest',
        // A reserved word of DynamoDB.
        ExpressionAttributeNames: { '#bucket': 'bucket' },
        FilterExpression: filter,
        ExpressionAttributeValues: {
          ...values,
          ':bucket': bucket,
          ':oldest': range.oldest,
          ':newest': range.newest,
        },
        // One more than wanted tells whether there is a next page; an expired entry may take its place.
        Limit: selective ? READ_AT_ONCE : wanted + 1,
        ExclusiveStartKey: startKey,
      });
      const { Items = [], LastEvaluatedKey } = await client.send(command, { abortSignal: signal });
      startKey = LastEvaluatedKey;
      const readTo = startKey?.leadId as string | undefined;
      yield { items: Items as LeadItem[], readTo };
      if (readTo === undefined || queries === MAX_QUERIES) return;
    }
  }

  /** The list entries of leads that were found by a word. Those that have none are gone. */
  async function listEntries(
    workspaceId: string,
    entriesOfWord: readonly LeadItem[],
    signal: AbortSignal,
  ): Promise<LeadItem[]> {
    const leadIds = entriesOfWord.map(({ leadId }) => leadId as string);
    const found = new Map<string, LeadItem>();
    for (let from = 0; from < leadIds.length; from += 100) {
      let keys: { bucket: string; leadId: string }[] = leadIds
        .slice(from, from + 100)
        .map((leadId) => ({ bucket: listBucket(workspaceId), leadId }));
      for (let attempt = 0; keys.length > 0; attempt += 1) {
        if (attempt > 0) await pauseBeforeRetry(attempt, signal);
        const { Responses = {}, UnprocessedKeys = {} } = await client.send(
          new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } } }),
          { abortSignal: signal },
        );
        for (const item of Responses[TableName] ?? []) found.set(item.leadId, item);
        keys = (UnprocessedKeys[TableName]?.Keys ?? []) as typeof keys;
      }
    }
    return leadIds.map((leadId) => found.get(leadId)).filter((item) => item !== undefined);
  }

  const search: LeadSearcher['search'] = async (workspaceId, asked, page, signal) => {
    const terms = asked.q === undefined ? [] : readTerms(asked.q);
    // Signs without a letter or a digit find nothing, rather than everything.
    if (asked.q !== undefined && terms.length === 0) return { leads: [], resumeAfter: undefined };
    const read = withWords ? termToRead(terms) : undefined;
    const bucket = read ? wordBucket(workspaceId, bucketOf(read.word) as string) : listBucket(workspaceId);
    const query = { bucket, ...filterOf(asked, terms, wholeSeconds(now()), read !== undefined) };
    const leads: ListedLead[] = [];
    let resumeAfter: string | undefined;
    for await (const { items, readTo } of entries(query, page, signal)) {
      const listed = read ? await listEntries(workspaceId, items, signal) : items;
      leads.push(...listed.filter((item) => isAsked(item, asked, now())).map(fromListEntry));
      if (leads.length > page.wanted) {
        return { leads: leads.slice(0, page.wanted), resumeAfter: leads[page.wanted - 1]?.leadId };
      }
      resumeAfter = readTo;
      if (leads.length === page.wanted) break;
    }
    return { leads, resumeAfter };
  };

  return { search };
}

interface Filter {
  readonly filter: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it leaves out more than what has expired. */
  readonly selective: boolean;
}

/** Word entries know only what never changes about a lead. The rest is compared with its list entry. */
function filterOf(
  { form, clean, scoreAtLeast, scoreAtMost, enrichment }: LeadSearch,
  terms: readonly SearchTerm[],
  nowSeconds: number,
  ofWords: boolean,
): Filter {
  const values: Record<string, unknown> = { ':now': nowSeconds };
  const given = (value: unknown, condition: string, name: string) => {
    if (value === undefined) return [];
    values[name] = value;
    return [`${condition} ${name}`];
  };
  const conditions = [
    ...given(form, 'formId =', ':form'),
    ...given(scoreAtLeast, 'score >=', ':atLeast'),
    ...given(scoreAtMost, 'score <=', ':atMost'),
    ...(ofWords ? [] : given(clean, 'clean =', ':clean')),
    ...(ofWords ? [] : given(enrichment, 'enrichment =', ':enrichment')),
    ...terms.map(({ spellings }, term) => {
      const all = spellings.map((parts, spelling) =>
        parts
          .map((part, index) => {
            const name = `:w${term}x${spelling}x${index}`;
            values[name] = part;
            return `contains(words, ${name})`;
          })
          .join(' AND '),
      );
      // DynamoDB refuses parentheses that change nothing. AND goes before OR.
      return all.length === 1 ? all[0] : `(${all.join(' OR ')})`;
    }),
  ];
  const live = '(attribute_not_exists(expiresAt) OR expiresAt > :now)';
  return { filter: [live, ...conditions].join(' AND '), values, selective: conditions.length > 0 };
}

function isAsked(item: LeadItem, { clean, enrichment }: LeadSearch, nowMilliseconds: number): boolean {
  return (
    !hasExpired(item, nowMilliseconds) &&
    (clean === undefined || item.clean === clean) &&
    (enrichment === undefined || item.enrichment === enrichment)
  );
}
