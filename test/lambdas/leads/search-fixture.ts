import { DeleteCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { leadIdRange } from '#leads/lead-filter.ts';
import { type IndexMessage, listKey } from '#leads/search/index-entry.ts';
import {
  type IndexLeadsDependencies,
  indexStores,
  makeIndexLeads,
} from '#leads/search/index-leads/handler.ts';
import { makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import type { LeadSearch } from '#leads/search/search-filter.ts';
import { copyTable } from '#local/fixture/copy-table.ts';
import type { Lead } from '#model/lead-item.ts';
import { itemAt, setAttributes } from '../../stored-items.ts';
import { openLeadFixture, patience, removeAfterTests } from './lead-fixture.ts';

/** The search index and the leads in tables of their own, which no function of the stack follows. */
export async function openSearchFixture() {
  const fixture = openLeadFixture();
  const copies = await Promise.all(
    [fixture.tables.leadIndex, fixture.tables.workspaces].map((name) => copyTable(fixture.newClient(), name)),
  );
  removeAfterTests(...copies);
  const [leadIndex, workspaces] = copies;
  const tables = { ...fixture.tables, leadIndex, workspaces } as typeof fixture.tables;
  const context = { client: fixture.client, tables, now: fixture.now };
  const errors: unknown[] = [];
  const dependencies: IndexLeadsDependencies = {
    ...indexStores(context),
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
    { olderThan, wanted = 50 }: { olderThan?: string | undefined; wanted?: number } = {},
  ) {
    const { from, to, ...search } = asked;
    const range = leadIdRange(from, to, olderThan);
    if (!range) throw new Error('an empty range');
    return makeLeadSearcher(context).search(workspaceId, search, { range, wanted }, patience());
  }

  /** Stores leads, and the workspaces that they belong to. */
  async function put(leads: readonly Lead[]): Promise<void> {
    for (const workspaceId of new Set(leads.map((lead) => lead.workspaceId))) {
      await fixture.writer.send(new PutCommand({ TableName: workspaces as string, Item: { workspaceId } }));
    }
    await fixture.put(leads);
  }

  async function everyEntry(): Promise<Record<string, unknown>[]> {
    const scan = { TableName: leadIndex as string, ConsistentRead: true };
    const entries: Record<string, unknown>[] = [];
    for await (const { Items = [] } of paginateScan({ client: fixture.writer }, scan)) entries.push(...Items);
    return entries;
  }

  /** All entries of the lead, wherever they are: a scan decides. */
  async function entriesOf({ leadId }: Lead): Promise<Record<string, unknown>[]> {
    return (await everyEntry()).filter((entry) => entry.leadId === leadId);
  }

  return {
    ...fixture,
    put,
    everyEntry,
    entriesOf,

    /** Where the lead has entries, without the workspace's id. `erased` is a tombstone. */
    async bucketsOf(lead: Lead): Promise<string[]> {
      const entries = await entriesOf(lead);
      return entries
        .map(({ bucket, erasedAt }) =>
          erasedAt ? 'erased' : `${bucket}`.replace(`${lead.workspaceId}#`, ''),
        )
        .sort();
    },

    tables,
    dependencies,
    errors,
    deliver,
    messageOf,
    searchPage,

    /** Stores leads and lets the function index them. */
    async accept(leads: readonly Lead[], parts: Partial<IndexLeadsDependencies> = {}): Promise<void> {
      await put(leads);
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
      options: { wanted?: number } = {},
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

    listEntry: (lead: Lead) => itemAt(fixture.writer, tables.leadIndex, listKey(lead)),

    async deleteWorkspace({ workspaceId }: Lead): Promise<void> {
      const command = new DeleteCommand({ TableName: workspaces as string, Key: { workspaceId } });
      await fixture.writer.send(command);
    },

    async deleteLead({ leadId }: Lead): Promise<void> {
      for (const part of ['lead', 'enrichment']) {
        await fixture.writer.send(new DeleteCommand({ TableName: tables.leads, Key: { leadId, part } }));
      }
    },

    setClean: ({ leadId }: Lead, clean: boolean) =>
      setAttributes(fixture.writer, tables.leads, { leadId, part: 'lead' }, { clean }),

    async putEntry(Item: Record<string, unknown>): Promise<void> {
      await fixture.writer.send(new PutCommand({ TableName: leadIndex, Item }));
    },
  };
}

export const person = (name: string, company: string, email: string, more: object = {}) =>
  JSON.stringify({ name, company, email, ...more });
