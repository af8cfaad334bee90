import { randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { makeEnrichments } from '#enrichment/enrichments-store.ts';
import { makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { makeLeadIndex } from '#leads/search/lead-index-store.ts';
import type { OwnerFixture } from '../owner-api/owner-fixture.ts';
import { crowd, type Sender, submissionId } from '../submission/submission-fixture.ts';

/**
 * Sends leads and indexes them at once. The running stack does it too, a moment later: the index comes out the same,
 * however often a lead is indexed.
 */
export function indexNow(fixture: OwnerFixture, withWords = true) {
  const context = { client: fixture.observer, tables: fixture.stack.tables };
  const index = makeIndexLeads({
    leads: makeEnrichments(context),
    index: makeLeadIndex(context),
    withWords,
    log: { write: () => undefined },
    onError: (error) => {
      throw error;
    },
  });
  const ingest = fixture.newEnvironment();

  async function indexLead({ workspaceId }: Pick<Sender, 'workspaceId'>, leadId: string): Promise<void> {
    const body = JSON.stringify({ type: 'lead.accepted', workspaceId, leadId });
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
