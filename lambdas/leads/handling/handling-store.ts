import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isConflict, pauseBeforeRetry } from '../../aws/dynamodb.ts';
import type { Handled, Opened } from '../../model/handling.ts';
import { hasExpired, isLeadId, type LeadItem } from '../../model/lead-item.ts';
import { wholeSeconds } from '../../model/limits.ts';
import type { LeadReaderContext } from '../whole-leads-store.ts';

/** What a member or an API key says about leads. `by` is as in a review. */
export interface HandlingChange {
  readonly by: string;
  readonly handled: boolean;
  /** Null removes it; undefined leaves it as it is. */
  readonly note?: string | null | undefined;
}

export interface LeadHandling {
  /** Says that somebody has looked at the leads. Returns those that exist. The first who did stays. */
  open(workspaceId: string, leadIds: readonly string[], by: string, signal: AbortSignal): Promise<string[]>;
  /** Returns those that exist, which are now as asked for. */
  handle(
    workspaceId: string,
    leadIds: readonly string[],
    change: HandlingChange,
    signal: AbortSignal,
  ): Promise<string[]>;
}

interface Update {
  readonly expression: string;
  /** Besides that the lead exists. */
  readonly condition?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Who opened and handled a lead is part of the lead's own item, so that it is erased, backed up and restored with it. The
 * stream announces it to the list.
 */
export function makeLeadHandling({ client, tables, now }: LeadReaderContext): LeadHandling {
  /** Undefined if it was made; otherwise the lead as it is. False if the workspace has no such lead. */
  async function update(
    workspaceId: string,
    leadId: string,
    { expression, condition, values }: Update,
    signal: AbortSignal,
  ): Promise<LeadItem | undefined | false> {
    const live = 'workspaceId = :workspaceId AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';
    const command = new UpdateCommand({
      TableName: tables.leads,
      Key: { leadId, part: 'lead' },
      UpdateExpression: expression,
      // An erased lead has no workspace, so nothing brings it back.
      ConditionExpression: condition ? `${live} AND ${condition}` : live,
      ExpressionAttributeValues: {
        ':workspaceId': workspaceId,
        ':now': wholeSeconds(now()),
        ...values,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(command, { abortSignal: signal });
        return undefined;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const item = error.Item ? unmarshall(error.Item) : {};
          return item.workspaceId === workspaceId && !hasExpired(item, now()) ? item : false;
        }
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  }

  const deed = (by: string): Opened => ({ at: new Date(now()).toISOString(), by });

  async function openOne(workspaceId: string, leadId: string, by: string, signal: AbortSignal) {
    const opening = {
      expression: 'SET opened = :opened',
      condition: 'attribute_not_exists(opened)',
      values: { ':opened': deed(by) },
    };
    return (await update(workspaceId, leadId, opening, signal)) !== false;
  }

  /** Two may do it at once. Whoever comes second finds the lead changed, and looks again. */
  async function handleOne(
    workspaceId: string,
    leadId: string,
    { by, handled, note }: HandlingChange,
    signal: AbortSignal,
  ): Promise<boolean> {
    const opened = deed(by);
    const wasOpened = 'opened = if_not_exists(opened, :opened)';
    if (!handled) {
      const toDo = { expression: `SET ${wasOpened} REMOVE handled`, values: { ':opened': opened } };
      return (await update(workspaceId, leadId, toDo, signal)) !== false;
    }
    const asNew: Handled = { ...opened, ...(note && { note }) };
    for (let attempt = 1; ; attempt += 1) {
      const marking = {
        expression: `SET handled = :handled, ${wasOpened}`,
        condition: 'attribute_not_exists(handled)',
        values: { ':handled': asNew, ':opened': opened },
      };
      const before = await update(workspaceId, leadId, marking, signal);
      if (before === undefined || before === false) return before !== false;
      const noting = noteUpdate(note);
      if (!noting) return true;
      const instead = await update(workspaceId, leadId, noting, signal);
      if (instead === undefined || instead === false) return instead !== false;
      await pauseBeforeRetry(attempt, signal);
    }
  }

  async function each(leadIds: readonly string[], act: (leadId: string) => Promise<boolean>) {
    const done = await Promise.all(leadIds.map(async (leadId) => isLeadId(leadId) && act(leadId)));
    return leadIds.filter((_, index) => done[index]);
  }

  return {
    open: (workspaceId, leadIds, by, signal) =>
      each(leadIds, (leadId) => openOne(workspaceId, leadId, by, signal)),
    handle: (workspaceId, leadIds, change, signal) =>
      each(leadIds, (leadId) => handleOne(workspaceId, leadId, change, signal)),
  };
}

/** Of a lead that is handled already. */
function noteUpdate(note: string | null | undefined): Update | undefined {
  if (note === undefined) return undefined;
  const condition = 'attribute_exists(handled)';
  if (note === null) return { expression: 'REMOVE handled.note', condition };
  return { expression: 'SET handled.note = :note', condition, values: { ':note': note } };
}
