import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import type { EnrichmentState } from '../../enrichment/enrichment-item.ts';
import { hasExpired, type LeadItem } from '../../model/lead-item.ts';
import { wholeSeconds } from '../../model/limits.ts';
import type { LeadIdRange } from '../lead-filter.ts';
import {
  fromListEntry,
  isTombstone,
  keysNamedBy,
  listBucket,
  listKey,
  monthOf,
  monthsBucket,
  personBucket,
  type ShownLead,
} from './index-entry.ts';
import { readSlices, slicesOf } from './read-slices.ts';
import { readQuery, type SearchTerm } from './search-query.ts';
import { withEnrichment } from './shown-leads-store.ts';

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
  readonly range: LeadIdRange;
  readonly wanted: number;
}

export interface SearchResult {
  /** Newest first. */
  readonly leads: readonly ShownLead[];
  /** Set if there may be more, even after few leads or none: one call takes only so long. */
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

export interface LeadSearchContext extends StoreContext<'leadIndex' | 'leads'> {
  readonly now: () => number;
}

/** After this time, a call returns what it has found and where to go on. */
export const STEP_MS = 4_000;

const KEYS_IN_A_BATCH = 100;
/** Ids are hexadecimal. */
const ALL_LEADS: LeadIdRange = { oldest: '0', newest: 'g' };

/** What a search found, and how far it has read; undefined at the end. */
interface Found {
  readonly items: readonly LeadItem[];
  readonly readTo: string | undefined;
}

export function makeLeadSearcher({ client, tables, now }: LeadSearchContext): LeadSearcher {
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
  async function searchPerson(
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
    const keys = items.map(({ leadId }) => listKey({ workspaceId, leadId: leadId as string }));
    const listed = await batchGet(
      client,
      keys.map((each) => ({ table: TableName, key: each })),
      signal,
    );
    return {
      items: listed.filter((item) => item && keysNamedBy(item).includes(key)) as LeadItem[],
      readTo,
    };
  }

  /** Everything else is found by reading the list, month by month. */
  async function searchList(
    workspaceId: string,
    asked: LeadSearch,
    terms: readonly SearchTerm[],
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

  const search: LeadSearcher['search'] = async (workspaceId, asked, page, signal) => {
    const typed = asked.q === undefined ? { terms: [] } : readQuery(asked.q);
    // Signs without a letter or a digit find nothing, rather than everything.
    if (!typed) return { leads: [], resumeAfter: undefined };
    const byKey = typed.person ? await searchPerson(workspaceId, typed.person, page, signal) : undefined;
    const found = byKey ?? (await searchList(workspaceId, asked, typed.terms, page, signal));
    const asIs = found.items.filter((item) => !isTombstone(item) && isAsked(item, asked, now()));
    // All are shown, so that one more tells whether there are more.
    const live = asked.enrichment === undefined ? asIs.slice(0, page.wanted + 1) : asIs;
    const leads: ShownLead[] = [];
    for (let from = 0; from < live.length && leads.length <= page.wanted; from += KEYS_IN_A_BATCH) {
      const shown = await withEnrichment(
        { client, tables },
        live.slice(from, from + KEYS_IN_A_BATCH).map(fromListEntry),
        signal,
      );
      leads.push(...shown.filter(({ enrichment }) => (asked.enrichment ?? enrichment) === enrichment));
    }
    if (leads.length <= page.wanted) return { leads, resumeAfter: found.readTo };
    return { leads: leads.slice(0, page.wanted), resumeAfter: leads[page.wanted - 1]?.leadId };
  };

  return { search };
}

/** Where the words of a search may stand. */
const SEARCHED = ['folded', 'email', 'phone'] as const;

interface Filter {
  readonly filter: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether it leaves out more than what has expired. */
  readonly selective: boolean;
}

function filterOf(
  { form, clean, scoreAtLeast, scoreAtMost }: LeadSearch,
  terms: readonly SearchTerm[],
  nowSeconds: number,
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
    ...given(clean, 'clean =', ':clean'),
    ...terms.map((spellings, term) => {
      const anywhere = spellings.flatMap((spelling, index) => {
        const name = `:w${term}x${index}`;
        values[name] = spelling;
        return SEARCHED.map((attribute) => `contains(${attribute}, ${name})`);
      });
      return `(${anywhere.join(' OR ')})`;
    }),
  ];
  const live = 'attribute_not_exists(erasedAt) AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';
  return { filter: [live, ...conditions].join(' AND '), values, selective: conditions.length > 0 };
}

/** A lead that was found by its key has not passed the filter. */
function isAsked(item: LeadItem, asked: LeadSearch, nowMilliseconds: number): boolean {
  const { form, clean, scoreAtLeast = 0, scoreAtMost = 100 } = asked;
  const score = item.score as number;
  return (
    !hasExpired(item, nowMilliseconds) &&
    (form === undefined || item.formId === form) &&
    (clean === undefined || item.clean === clean) &&
    score >= scoreAtLeast &&
    score <= scoreAtMost
  );
}
