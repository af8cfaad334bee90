import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isConflict, pauseBeforeRetry } from '../aws/dynamodb.ts';
import { toErasedItem } from '../model/lead-events.ts';
import type { FieldConfiguration } from '../model/lead-fields.ts';
import { isLeadId } from '../model/lead-item.ts';
import { makeFormIndex } from './form-index-store.ts';
import { decodeLeadCursor, encodeLeadCursor, type LeadQuery } from './lead-cursors.ts';
import type { LeadFilter } from './lead-filter.ts';
import { type LeadPage, toLeadTable } from './lead-row.ts';
import { type LeadReaderContext, readWholeLeads, type WholeLead } from './whole-leads-store.ts';

export const MAX_LEADS_ON_A_PAGE = 50;

export interface LeadPageRequest {
  /** From the session, never from the request. */
  readonly workspaceId: string;
  readonly formId: string;
  /** As the form has them configured: their columns go before others. */
  readonly fields?: readonly Pick<FieldConfiguration, 'key'>[] | undefined;
  readonly filter?: LeadFilter;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface LeadPages {
  /** Newest first. The form of another workspace has no leads, as one that does not exist. Throws InvalidCursor. */
  page(request: LeadPageRequest, signal: AbortSignal): Promise<LeadPage>;
  find(workspaceId: string, leadId: string, signal: AbortSignal): Promise<WholeLead | undefined>;
  /** Deletes the lead, its enrichment and its review, and leaves a note that announces it. False if the workspace has no such lead. */
  erase(workspaceId: string, leadId: string, signal: AbortSignal): Promise<boolean>;
}

export function makeLeadPages(context: LeadReaderContext): LeadPages {
  const { client, tables, now } = context;
  const index = makeFormIndex(context);

  async function page(request: LeadPageRequest, signal: AbortSignal): Promise<LeadPage> {
    const { workspaceId, formId, fields, filter = {}, cursor, limit = MAX_LEADS_ON_A_PAGE } = request;
    const query: LeadQuery = { kind: 'leads', formId, filter };
    const olderThan = cursor === undefined ? undefined : decodeLeadCursor(cursor, query).leadId;
    const wanted = Math.min(MAX_LEADS_ON_A_PAGE, Math.max(1, Math.floor(limit)));
    if (!(await index.owns({ workspaceId, formId }, signal))) return toLeadTable([]);
    const found = await index.read({ workspaceId, formId, filter }, { olderThan, wanted }, signal);
    const leads = await readWholeLeads(context, workspaceId, found.entries, signal);
    return {
      ...toLeadTable(leads, fields),
      ...(found.resumeAfter && { cursor: encodeLeadCursor(query, { leadId: found.resumeAfter }) }),
    };
  }

  async function find(workspaceId: string, leadId: string, signal: AbortSignal) {
    if (!isLeadId(leadId)) return undefined;
    const [whole] = await readWholeLeads(context, workspaceId, [{ leadId, clean: true }], signal);
    return whole;
  }

  /** Empty if the lead is damaged; undefined if the workspace has no such lead. */
  async function formOf(
    workspaceId: string,
    leadId: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { Item } = await client.send(
      new GetCommand({
        TableName: tables.leads,
        Key: { leadId, part: 'lead' },
        ProjectionExpression: 'workspaceId, formId',
        ConsistentRead: true,
      }),
      { abortSignal: signal },
    );
    return Item?.workspaceId === workspaceId ? String(Item?.formId ?? '') : undefined;
  }

  async function erase(workspaceId: string, leadId: string, signal: AbortSignal): Promise<boolean> {
    if (!isLeadId(leadId)) return false;
    const formId = await formOf(workspaceId, leadId, signal);
    if (formId === undefined) return false;
    const erased = toErasedItem({ leadId, workspaceId, formId }, now());
    const command = eraseCommand(tables.leads, workspaceId, erased);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(command, { abortSignal: signal });
        return true;
      } catch (error) {
        if (isOtherWorkspace(error)) return false;
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  }

  return { page, find, erase };
}

/**
 * One transaction. After a single delete of the lead, nothing would say whose the other parts are. These are written
 * only if the lead exists, so none can follow.
 */
function eraseCommand(
  table: string,
  workspaceId: string,
  erased: ReturnType<typeof toErasedItem>,
): TransactWriteCommand {
  const { leadId } = erased;
  return new TransactWriteCommand({
    TransactItems: [
      {
        Delete: {
          TableName: table,
          Key: { leadId, part: 'lead' },
          ConditionExpression: 'workspaceId = :workspaceId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
        },
      },
      { Delete: { TableName: table, Key: { leadId, part: 'enrichment' } } },
      { Delete: { TableName: table, Key: { leadId, part: 'review' } } },
      { Put: { TableName: table, Item: erased } },
    ],
  });
}

function isOtherWorkspace(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed'
  );
}
