import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { isSelective, type LeadFilter, type LeadIdRange, leadIdRange } from './lead-filter.ts';

/** What the index has of a lead: enough to decide whether to read it. */
export interface IndexEntry {
  readonly leadId: string;
  readonly clean: boolean;
}

export interface FormLeads {
  readonly workspaceId: string;
  readonly formId: string;
  readonly filter: LeadFilter;
}

export interface FormIndex {
  /** Whether the form's leads belong to this workspace. False for a form without leads. */
  owns(owner: Pick<FormLeads, 'workspaceId' | 'formId'>, signal: AbortSignal): Promise<boolean>;
  /**
   * Newest first, older than a given lead. `resumeAfter` is set if there may be more; with filters, perhaps after few
   * leads or none, since each call reads only so many.
   */
  read(
    leads: FormLeads,
    page: { readonly olderThan: string | undefined; readonly wanted: number },
    signal: AbortSignal,
  ): Promise<{ entries: IndexEntry[]; resumeAfter: string | undefined }>;
}

export const MAX_QUERIES = 5;
export const LOOKED_AT_ONCE = 500;
const MAX_FORM_ID_LENGTH = 200;

export function makeFormIndex({ client, tables }: StoreContext<'leads'>): FormIndex {
  const query = { TableName: tables.leads, IndexName: INDEXES.leadsByForm, ScanIndexForward: false };

  // Otherwise an empty page would have a cursor for another workspace's form, and none for an unknown form.
  async function owns(
    { workspaceId, formId }: Pick<FormLeads, 'workspaceId' | 'formId'>,
    signal: AbortSignal,
  ) {
    if (formId === '' || formId.length > MAX_FORM_ID_LENGTH) return false;
    const { Items } = await client.send(
      new QueryCommand({
        ...query,
        KeyConditionExpression: 'formId = :formId',
        ExpressionAttributeValues: { ':formId': formId },
        Limit: 1,
      }),
      { abortSignal: signal },
    );
    return Items?.[0]?.workspaceId === workspaceId;
  }

  const read: FormIndex['read'] = async ({ workspaceId, formId, filter }, { olderThan, wanted }, signal) => {
    const entries: IndexEntry[] = [];
    const range = leadIdRange(filter.from, filter.to, olderThan);
    if (!range) return { entries, resumeAfter: undefined };
    const condition = conditionOf(formId, range, filter);
    let resumeAfter: Record<string, unknown> | undefined;
    for (let queries = 0; queries < MAX_QUERIES; queries += 1) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...query,
          ...condition,
          // One more than wanted tells whether there is a next page.
          Limit: isSelective(filter) ? LOOKED_AT_ONCE : wanted + 1 - entries.length,
          ExclusiveStartKey: resumeAfter,
        }),
        { abortSignal: signal },
      );
      const own = Items.filter((item) => item.workspaceId === workspaceId);
      entries.push(...own.map(({ leadId, clean }) => ({ leadId, clean: clean === true })));
      if (entries.length > wanted) {
        return { entries: entries.slice(0, wanted), resumeAfter: entries[wanted - 1]?.leadId };
      }
      resumeAfter = LastEvaluatedKey;
      if (!resumeAfter) break;
    }
    return { entries, resumeAfter: resumeAfter?.leadId as string | undefined };
  };

  return { owns, read };
}

function conditionOf(formId: string, { oldest, newest }: LeadIdRange, filter: LeadFilter) {
  const { clean, scoreAtLeast, scoreAtMost } = filter;
  const conditions = [
    ...(clean === undefined ? [] : ['clean = :clean']),
    ...(scoreAtLeast === undefined ? [] : ['score >= :scoreAtLeast']),
    ...(scoreAtMost === undefined ? [] : ['score <= :scoreAtMost']),
  ];
  return {
    KeyConditionExpression: 'formId = :formId AND leadId BETWEEN :oldest AND :newest',
    ...(conditions.length > 0 && { FilterExpression: conditions.join(' AND ') }),
    ExpressionAttributeValues: {
      ':formId': formId,
      ':oldest': oldest,
      ':newest': newest,
      // Undefined values are left out by the client.
      ':clean': clean,
      ':scoreAtLeast': scoreAtLeast,
      ':scoreAtMost': scoreAtMost,
    },
  };
}
