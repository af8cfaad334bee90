import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteTableCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { type Enrichment, toEnrichmentItem } from '#enrichment/enrichment-item.ts';
import type { IndexMessage } from '#leads/search/index-entry.ts';
import { indexStores, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { type Lead, makeLeadId, toLeadItem } from '#model/lead-item.ts';
import { localStack, unfollowedStack } from '../../local-stack.ts';
import { itemsOf } from '../../stored-items.ts';
import type { OwnerFixture } from '../owner-api/owner-fixture.ts';
import { crowd, type Sender, submissionId } from '../submission/submission-fixture.ts';

/** Long ago, so that tests of the newest minutes in the shared tables never see these. */
const FIRST_MOMENT = Date.parse('2026-03-01T00:00:00Z');

export const patience = () => AbortSignal.timeout(100_000);

/** The stack's tables, a client whose calls are recorded, and owners with leads, which the stack's functions do not follow. */
export function openLeadFixture() {
  const { tables } = unfollowedStack();
  const fixture = openLeadOwnerFixture();
  return { ...fixture, tables, ...leadWriter(fixture.writer, tables.leads) };
}

/** For copies of the stack's tables. */
export function removeAfterTests(...copies: readonly string[]): void {
  const { newClient } = localStack();
  afterAll(async () => {
    for (const TableName of copies) await newClient().send(new DeleteTableCommand({ TableName }));
  });
}

export function openLeadOwnerFixture() {
  const { tables, newClient } = localStack();
  const rawClient = newClient();
  const calls = recordCalls(rawClient);
  const client = toDocumentClient(rawClient);
  const writer = toDocumentClient(newClient());
  const clock = { now: FIRST_MOMENT };
  return { tables, client, writer, calls, newClient, clock, now: () => clock.now };
}

function leadWriter(writer: DynamoDBDocumentClient, table: string) {
  async function put(leads: readonly Lead[]): Promise<void> {
    const batches: Lead[][] = [];
    for (let from = 0; from < leads.length; from += 25) batches.push(leads.slice(from, from + 25));
    const write = async () => {
      for (let batch = batches.pop(); batch; batch = batches.pop()) {
        const requests = batch.map((lead) => ({ PutRequest: { Item: toLeadItem(lead) } }));
        await writer.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
      }
    };
    await Promise.all([write(), write(), write(), write()]);
  }

  async function putEnrichment(enrichment: Enrichment): Promise<void> {
    await writer.send(
      new PutCommand({
        TableName: table,
        Item: toEnrichmentItem(enrichment, { workspaceId: 'ws_1', formId: 'form_1', score: 80, clean: true }),
      }),
    );
  }

  /** An item as if written by hand: its body should be compressed, but is not. */
  async function putDamaged(lead: Lead): Promise<void> {
    const { body: _body, signals: _signals, ...rest } = lead;
    const Item = { ...rest, part: 'lead', packed: Buffer.from('not brotli'), v: 1 };
    await writer.send(new PutCommand({ TableName: table, Item }));
  }

  const partsOf = (leadId: string) => itemsOf(writer, table, { leadId });

  return { put, putEnrichment, putDamaged, partsOf };
}

/** DynamoDB Local shows no conflicts. */
export function conflict(): Error {
  return new TransactionCanceledException({
    $metadata: {},
    message: 'Transaction cancelled',
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  });
}

export interface Owner {
  readonly workspaceId: string;
  readonly formId: string;
}

export function newOwner(): Owner {
  return { workspaceId: `ws_${randomUUID()}`, formId: `form_${randomUUID()}` };
}

/** The nth lead of an owner, one second after the previous one. Not clean by default, because clean ones are enriched. */
export function leadOf(owner: Owner, n: number, rest: Partial<Lead> = {}): Lead {
  const at = FIRST_MOMENT + n * 1000;
  return {
    ...owner,
    leadId: makeLeadId(at, randomBytes(10)),
    surface: '1a',
    receivedAt: new Date(at).toISOString(),
    body: JSON.stringify({ n, email: `lead-${n}@example.org` }),
    score: n % 101,
    clean: false,
    signals: [{ name: 'email_plausible', weight: 50 }],
    ...rest,
  } as Lead;
}

export function leadsOf(
  owner: Owner,
  count: number,
  each: (n: number) => Partial<Lead> = () => ({}),
): Lead[] {
  return Array.from({ length: count }, (_, n) => leadOf(owner, n, each(n)));
}

export const secondsAfterStart = (n: number) => FIRST_MOMENT + n * 1000;

export const newestFirst = (leads: readonly Lead[]) =>
  leads
    .map(({ leadId }) => leadId)
    .sort()
    .reverse();

export function enrichmentOf(leadId: string) {
  return {
    leadId,
    state: 'enriched',
    facts: {},
    enrichedAt: '2026-03-01T00:00:10.000Z',
    attempts: 1,
  } as const;
}

/**
 * Sends leads and indexes them at once. The running stack does it too, a moment later: the index comes out the same,
 * however often a lead is indexed.
 */
export function indexNow(fixture: OwnerFixture) {
  const context = {
    client: fixture.observer,
    tables: fixture.stack.tables,
    now: () => fixture.clock.now,
  };
  const index = makeIndexLeads({
    ...indexStores(context),
    log: { write: () => undefined },
    onError: (error) => {
      throw error;
    },
  });
  const ingest = fixture.newEnvironment();

  async function indexLead(
    { workspaceId }: Pick<Sender, 'workspaceId'>,
    leadId: string,
    type: IndexMessage['type'] = 'lead.accepted',
  ): Promise<void> {
    const body = JSON.stringify({ type, workspaceId, leadId });
    const { batchItemFailures } = await index({
      Records: [{ body, messageId: randomUUID() }],
    } as SQSEvent);
    if (batchItemFailures.length > 0) throw new Error('the lead was not indexed');
  }

  /** Accepted, and not indexed by this fixture. */
  async function accept(sender: Sender, fields: object): Promise<string> {
    // Ids of one millisecond are in no order.
    fixture.clock.now += 1;
    return submissionId(await ingest.server(sender, { body: JSON.stringify(fields) }));
  }

  async function lead(sender: Sender, fields: object): Promise<string> {
    const leadId = await accept(sender, fields);
    await indexLead(sender, leadId);
    return leadId;
  }

  /** The ids of several leads with the same fields, newest first. */
  async function leads(sender: Sender, count: number, fields: object): Promise<string[]> {
    const ids = await crowd(count, 8, () => lead(sender, fields));
    return ids.sort().reverse();
  }

  return { accept, indexLead, lead, leads };
}
