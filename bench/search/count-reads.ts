import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type TableNames, toDocumentClient } from '#aws/dynamodb.ts';
import { leadIdRange } from '#leads/lead-filter.ts';
import { toEntries } from '#leads/search/index-entry.ts';
import { wordsOfLead } from '#leads/search/index-words.ts';
import { type LeadSearch, makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';
import { leadAt, personAt, WORKSPACE } from './crowd.ts';

export interface SearchReads {
  readonly search: string;
  /** Until the first page of 50 leads is full, or everything was read. */
  readonly calls: number;
  readonly readUnits: number;
  /** How many leads one request read and returned. */
  readonly found: number;
  /** Whether the request ended before it had read all entries. */
  readonly goesOn: boolean;
}

export interface SearchResults {
  readonly leads: number;
  readonly entries: number;
  readonly writeUnitsPerLead: number;
  readonly reads: readonly SearchReads[];
}

interface Options {
  readonly newClient: () => DynamoDBClient;
  readonly tables: Pick<TableNames, 'leadIndex'>;
  readonly leads: number;
}

const PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a search reads in the index of a workspace with so many leads. The same numbers every time. */
export async function countSearchReads({ newClient, tables, leads }: Options): Promise<SearchResults> {
  const [client, observer] = [newClient(), newClient()];
  const { entries, units } = await fill(observer, tables.leadIndex, leads);
  const wire = recordWire(client);
  const searcher = makeLeadSearcher({
    client: toDocumentClient(client),
    tables,
    now: Date.now,
    withWords: true,
  });
  const capacityOf = makeCapacity(observer);
  const someone = personAt(Math.floor(leads / 2));
  const newest = Date.parse(leadAt(leads - 1).receivedAt);
  const searches: Record<string, LeadSearch & { from?: number; to?: number }> = {
    'the newest page of the list': {},
    'leads of one form that are not clean': { form: 'form_3', clean: false },
    'an email address': { q: someone.email },
    'a phone number': { q: someone.phone },
    'first and last name': { q: someone.name },
    'a company': { q: someone.company },
    "yesterday's leads of one company": {
      // One lead comes in per minute.
      q: personAt(leads - 2_000).company,
      from: newest - 2 * DAY_MS,
      to: newest - DAY_MS,
    },
    'the first three letters of a name': { q: someone.name.slice(0, 3) },
    'the most common first name': { q: personAt(0).name.split(' ')[0] as string },
    'a name that nobody has, in a full bucket': { q: `${someone.name.slice(0, 3)}zzzz` },
    'a domain of free mail, from the list': { q: 'gmail.com' },
  };
  const reads: SearchReads[] = [];
  for (const [search, { from, to, ...asked }] of Object.entries(searches)) {
    wire.reset();
    const range = leadIdRange(from, to) as NonNullable<ReturnType<typeof leadIdRange>>;
    const page = await searcher.search(
      WORKSPACE,
      asked,
      { range, wanted: PAGE },
      AbortSignal.timeout(60_000),
    );
    const { readUnits } = await capacityOf(wire.list());
    const goesOn = page.leads.length < PAGE && page.resumeAfter !== undefined;
    reads.push({ search, calls: wire.list().length, readUnits, found: page.leads.length, goesOn });
  }
  client.destroy();
  observer.destroy();
  return { leads, entries, writeUnitsPerLead: units / leads, reads };
}

const WRITERS = 8;

async function fill(raw: DynamoDBClient, table: string, leads: number) {
  const client = toDocumentClient(raw);
  let [next, entries, units] = [0, 0, 0];
  const write = async () => {
    while (next < leads) {
      const batch = Array.from({ length: Math.min(25, leads - next) }, (_, index) => leadAt(next + index));
      next += batch.length;
      const items = batch.flatMap((lead) => {
        const fields = JSON.parse(lead.body) as Record<string, unknown>;
        const made = toEntries({ lead, enrichment: 'skipped', test: false }, wordsOfLead(fields), true);
        // A clean lead's list entry is written a second time after its enrichment.
        units += 1 + made.words.length + (lead.clean ? 1 : 0);
        return [made.list, ...made.words];
      });
      entries += items.length;
      for (let from = 0; from < items.length; from += 25) {
        const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
        await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { entries, units };
}
