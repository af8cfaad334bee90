import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type TableNames, toDocumentClient } from '#aws/dynamodb.ts';
import { type LeadIdRange, leadIdRange } from '#leads/lead-filter.ts';
import { monthOf, monthsBucket, toEntries } from '#leads/search/index-entry.ts';
import { contactOfLead } from '#leads/search/lead-contact.ts';
import { makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import type { LeadSearch } from '#leads/search/search-filter.ts';
import { itemBytes, type Lead, makeLeadId } from '#model/lead-item.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

export interface SearchReads {
  readonly search: string;
  /** Until the first page of 50 leads is full, or everything was read. */
  readonly calls: number;
  readonly readUnits: number;
  readonly found: number;
  readonly milliseconds: number;
  /** Requests of the owner: each reads for a limited time. */
  readonly steps: number;
  readonly longestStepMilliseconds: number;
}

export interface SearchResults {
  readonly leads: number;
  /** Of an entry of the list: what every search by a word reads. */
  readonly averageEntryBytes: number;
  readonly writeUnitsPerLead: number;
  readonly reads: readonly SearchReads[];
  /** How busy the machine was. */
  readonly loadPerProcessor: number;
}

interface Options {
  readonly newClient: () => DynamoDBClient;
  readonly tables: Pick<TableNames, 'leadIndex' | 'leads'>;
  /** So many of them are there already, from a call before. */
  readonly already?: number;
  readonly leads: number;
}

const PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a search reads in the index of a workspace with so many leads. The same numbers every time. */
export async function countSearchReads(options: Options): Promise<SearchResults> {
  const { newClient, tables, already = 0, leads } = options;
  const [client, observer] = [newClient(), newClient()];
  const { bytes, units } = await fill(observer, tables.leadIndex, already, leads);
  const wire = recordWire(client);
  const searcher = makeLeadSearcher({
    client: toDocumentClient(client),
    tables,
    now: Date.now,
  });
  const capacityOf = makeCapacity(observer);
  const someone = personAt(Math.floor(leads / 2));
  const newest = Date.parse(leadAt(leads - 1).receivedAt);
  const searches: Record<string, LeadSearch & { from?: number; to?: number }> = {
    'the newest page of the list': {},
    'leads of one form that are not clean': { form: formAt(3), clean: false },
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
    'the middle of a name': { q: someone.name.slice(2, 6) },
    'the most common first name': { q: personAt(0).name.split(' ')[0] as string },
    'a name that 1 % have': { q: RARE },
    'a word that nobody has': { q: 'zzyzx' },
    'a domain of free mail': { q: 'gmail.com' },
  };
  const reads: SearchReads[] = [];
  for (const [search, { from, to, ...asked }] of Object.entries(searches)) {
    wire.reset();
    const startedAt = performance.now();
    let [found, steps, longestStepMilliseconds] = [0, 0, 0];
    let olderThan: string | undefined;
    do {
      const stepStartedAt = performance.now();
      const range = leadIdRange(from, to, olderThan) as LeadIdRange;
      const wanted = PAGE - found;
      const page = await searcher.search(WORKSPACE, asked, { range, wanted }, AbortSignal.timeout(60_000));
      found += page.leads.length;
      steps += 1;
      longestStepMilliseconds = Math.max(
        longestStepMilliseconds,
        Math.round(performance.now() - stepStartedAt),
      );
      olderThan = page.resumeAfter;
    } while (found < PAGE && olderThan !== undefined);
    const milliseconds = Math.round(performance.now() - startedAt);
    const { readUnits } = await capacityOf(wire.list());
    const { length: calls } = wire.list();
    reads.push({ search, calls, readUnits, found, milliseconds, steps, longestStepMilliseconds });
  }
  client.destroy();
  observer.destroy();
  const filled = leads - already;
  return {
    leads,
    averageEntryBytes: bytes / filled,
    writeUnitsPerLead: units / filled,
    reads,
    loadPerProcessor: (loadavg()[0] ?? 0) / availableParallelism(),
  };
}

const WRITERS = 8;

/** A search for one person reads no entries of others, which take most of the time to write. */
const hasPersonEntries = (n: number) => n % 100 === 0;

async function fill(raw: DynamoDBClient, table: string, already: number, leads: number) {
  const client = toDocumentClient(raw);
  const months = new Set<string>();
  let [next, bytes, units] = [already, 0, 0];
  const write = async () => {
    while (next < leads) {
      const first = next;
      const batch = Array.from({ length: Math.min(25, leads - first) }, (_, index) => leadAt(first + index));
      next += batch.length;
      const items = batch.flatMap((lead, index) => {
        months.add(monthOf(lead.leadId));
        const fields = JSON.parse(lead.body) as Record<string, unknown>;
        const made = toEntries({ lead, enrichmentFailed: false, test: false }, contactOfLead(fields));
        units += 1 + made.people.length;
        const present = Object.entries(made.list).filter(([, value]) => value !== undefined);
        bytes += itemBytes(Object.fromEntries(present));
        return [made.list, ...(hasPersonEntries(first + index) ? made.people : [])];
      });
      for (let from = 0; from < items.length; from += 25) {
        const requests = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
        await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  for (const leadId of months) {
    const Item = { bucket: monthsBucket(WORKSPACE), leadId };
    await client.send(new PutCommand({ TableName: table, Item }));
  }
  return { bytes, units };
}

/** As long as ids are. */
const WORKSPACE = `ws_${'benchcrowd'.padEnd(22, '0')}`;
const RARE = 'Xanthippe';
const FIRST_MOMENT = Date.parse('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;

const FIRST_NAMES =
  'Maria Anna James Olga Peter Laura Ahmed Chen Sofia Lukas Emma Noah Fatima Juan Mia David Elena Omar Julia Tom Nina Ivan Sara Paul Eva Hugo Lena Max Iris Karl'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bo bra ca co cra da de do dra fa fe fo ga ge gra ha he ho ja jo ka ke ko kra la le lo ma me mo na ne no pa pe po pra ra re ro sa se so sta ta te to tra va ve vo wa we za'.split(
    ' ',
  );

/** The same number in 0 to 1 for the same lead and purpose, on every machine. */
function chance(n: number, purpose: string): number {
  return createHash('sha256').update(`${purpose}${n}`).digest().readUInt32BE(0) / 2 ** 32;
}

const pick = <Item>(list: readonly Item[], at: number) => list[Math.floor(at * list.length)] as Item;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function word(seed: number, syllables: number): string {
  const parts = Array.from({ length: syllables }, (_, index) => pick(SYLLABLES, chance(seed, `s${index}`)));
  return capital(parts.join(''));
}

/** Few first names are common; there are thousands of last names, and as many companies. */
function personAt(n: number) {
  const isRare = n % 100 === 50;
  const first = isRare ? RARE : pick(FIRST_NAMES, n === 0 ? 0 : chance(n, 'first') ** 2);
  const last = word(Math.floor(chance(n, 'last') ** 1.5 * 8_000), 3);
  const company = word(10_000 + Math.floor(chance(n, 'company') ** 1.5 * 20_000), 4);
  const domain = chance(n, 'free') < 0.4 ? 'gmail.com' : `${company.toLowerCase()}.com`;
  const email = `${first}.${last}${n}@${domain}`.toLowerCase();
  const phone = `+4420${String(70_000_000 + Math.floor(chance(n, 'phone') * 9_999_999))}`;
  return { name: `${first} ${last}`, company: `${company} Ltd`, email, phone };
}

const formAt = (n: number) => `form_${'benchform'.padEnd(21, '0')}${n}`;

/** One per minute. */
function leadAt(n: number): Lead {
  const at = FIRST_MOMENT + n * MINUTE_MS;
  const random = createHash('sha256').update(`id${n}`).digest().subarray(0, 10);
  const clean = chance(n, 'clean') < 0.6;
  return {
    leadId: makeLeadId(at, random),
    workspaceId: WORKSPACE,
    formId: formAt(n % 5),
    surface: n % 2 === 0 ? '1a' : '1b',
    receivedAt: new Date(at).toISOString(),
    body: JSON.stringify(personAt(n)),
    score: clean ? 60 + (n % 41) : n % 40,
    grade: clean ? 'B' : 'D',
    clean,
    signals: [],
  };
}
