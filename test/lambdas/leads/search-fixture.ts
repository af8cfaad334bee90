import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { leadIdRange } from '#leads/lead-filter.ts';
import { type IndexMessage, listBucket } from '#leads/search/index-entry.ts';
import { type IndexLeadsDependencies, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import { type LeadSearch, makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import type { Lead } from '#model/lead-item.ts';
import { copyTable, openLeadFixture, patience } from './lead-fixture.ts';

/** The search index and the leads in tables of their own, which no function of the stack follows. */
export async function openSearchFixture() {
  const fixture = await openLeadFixture();
  const leadIndex = await copyTable(fixture.newClient(), fixture.tables.leadIndex);
  const tables = { ...fixture.tables, leadIndex };
  const context = { client: fixture.client, tables, now: fixture.now };
  const errors: unknown[] = [];
  const dependencies: IndexLeadsDependencies = {
    leads: makeEnrichments(context),
    index: makeLeadIndex(context),
    withWords: true,
    log: { write: () => undefined },
    onError: (error) => void errors.push(error),
  };

  /** Delivers messages to the function, as SQS would in one batch. */
  async function deliver(
    messages: readonly (IndexMessage | string)[],
    parts: Partial<IndexLeadsDependencies> = {},
  ) {
    const Records = messages.map((message, index) => ({
      messageId: String(index),
      body: typeof message === 'string' ? message : JSON.stringify(message),
    }));
    const { batchItemFailures } = await makeIndexLeads({ ...dependencies, ...parts })({
      Records,
    } as SQSEvent);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  const messageOf = ({ leadId, workspaceId }: Lead, type: IndexMessage['type'] = 'lead.accepted') => ({
    type,
    leadId,
    workspaceId,
  });

  async function searchPage(
    workspaceId: string,
    asked: LeadSearch & { from?: number; to?: number },
    {
      olderThan,
      wanted = 50,
      withWords = true,
    }: { olderThan?: string | undefined; wanted?: number; withWords?: boolean } = {},
  ) {
    const { from, to, ...search } = asked;
    const range = leadIdRange(from, to, olderThan);
    if (!range) throw new Error('an empty range');
    return makeLeadSearcher({ ...context, withWords }).search(
      workspaceId,
      search,
      { range, wanted },
      patience(),
    );
  }

  return {
    ...fixture,
    tables,
    dependencies,
    errors,
    deliver,
    messageOf,
    searchPage,

    /** Stores leads and lets the function index them. */
    async accept(leads: readonly Lead[], parts: Partial<IndexLeadsDependencies> = {}): Promise<void> {
      await fixture.put(leads);
      for (let from = 0; from < leads.length; from += 10) {
        await deliver(
          leads.slice(from, from + 10).map((lead) => messageOf(lead)),
          parts,
        );
      }
    },

    /** The ids of all pages, as a client that follows the cursors sees them. */
    async find(
      workspaceId: string,
      asked: Parameters<typeof searchPage>[1],
      options: { wanted?: number; withWords?: boolean } = {},
    ) {
      const found: string[] = [];
      let olderThan: string | undefined;
      do {
        const page = await searchPage(workspaceId, asked, { ...options, olderThan });
        found.push(...page.leads.map(({ leadId }) => leadId));
        olderThan = page.resumeAfter;
      } while (olderThan);
      return found;
    },

    async listEntry(lead: Lead): Promise<Record<string, unknown> | undefined> {
      const { Items = [] } = await fixture.writer.send(
        new QueryCommand({
          TableName: leadIndex,
          KeyConditionExpression: '#bucket = :bucket AND leadId = :leadId',
          ExpressionAttributeNames: { '#bucket': 'bucket' },
          ExpressionAttributeValues: { ':bucket': listBucket(lead.workspaceId), ':leadId': lead.leadId },
          ConsistentRead: true,
        }),
      );
      return Items[0];
    },

    /** All entries of the lead, wherever they are. */
    async entriesOf({ leadId }: Lead): Promise<string[]> {
      const { Items = [] } = await fixture.writer.send(
        new ScanCommand({
          TableName: leadIndex,
          FilterExpression: 'leadId = :leadId',
          ExpressionAttributeValues: { ':leadId': leadId },
          ConsistentRead: true,
        }),
      );
      return Items.map(({ bucket }) => bucket as string).sort();
    },

    async deleteLead({ leadId }: Lead): Promise<void> {
      for (const part of ['lead', 'enrichment']) {
        await fixture.writer.send(new DeleteCommand({ TableName: tables.leads, Key: { leadId, part } }));
      }
    },

    async setClean({ leadId }: Lead, clean: boolean): Promise<void> {
      await fixture.writer.send(
        new UpdateCommand({
          TableName: tables.leads,
          Key: { leadId, part: 'lead' },
          UpdateExpression: 'SET clean = :clean',
          ExpressionAttributeValues: { ':clean': clean },
        }),
      );
    },

    async putEntry(Item: Record<string, unknown>): Promise<void> {
      await fixture.writer.send(new PutCommand({ TableName: leadIndex, Item }));
    },

    async close(): Promise<void> {
      await fixture.newClient().send(new DeleteTableCommand({ TableName: leadIndex }));
      await fixture.close();
    },
  };
}

export const person = (name: string, company: string, email: string, more: object = {}) =>
  JSON.stringify({ name, company, email, ...more });
