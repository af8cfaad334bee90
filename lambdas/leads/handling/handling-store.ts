import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, isConflict, pauseBeforeRetry, unlessConditionFails } from '../../aws/dynamodb.ts';
import type { Followed, Handled, Opened } from '../../model/handling.ts';
import { hasExpired, isLeadId } from '../../model/lead-item.ts';
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

/** What is to be written to a lead in this state; undefined if it is as asked for. */
type Decide = (seen: Followed) => Update | undefined;

/**
 * Who opened and handled a lead is part of the lead's own item, so that it is erased, backed up and restored with it. The
 * stream announces it to the list.
 */
export function makeLeadHandling({ client, tables, now }: LeadReaderContext): LeadHandling {
  /** In the order given; undefined for what this workspace does not have. */
  async function read(workspaceId: string, leadIds: readonly string[], signal: AbortSignal) {
    const known = leadIds.filter(isLeadId);
    const attributes = ['leadId', 'part', 'workspaceId', 'expiresAt', 'opened', 'handled'];
    const addresses = known.map((leadId) => ({
      table: tables.leads,
      key: { leadId, part: 'lead' },
      attributes,
    }));
    const items = known.length === 0 ? [] : await batchGet(client, addresses, signal);
    return leadIds.map((leadId) => {
      const item = items[known.indexOf(leadId)];
      const isShown = item?.workspaceId === workspaceId && !hasExpired(item, now());
      return isShown ? (item as Followed) : undefined;
    });
  }

  /** False if the lead is no longer as it was seen, or is gone: an erased lead has no workspace. */
  function write(workspaceId: string, leadId: string, update: Update, signal: AbortSignal): Promise<boolean> {
    const live = 'workspaceId = :workspaceId AND (attribute_not_exists(expiresAt) OR expiresAt > :now)';
    const command = new UpdateCommand({
      TableName: tables.leads,
      Key: { leadId, part: 'lead' },
      UpdateExpression: update.expression,
      ConditionExpression: update.condition ? `${live} AND ${update.condition}` : live,
      ExpressionAttributeValues: {
        ':workspaceId': workspaceId,
        ':now': wholeSeconds(now()),
        ...update.values,
      },
    });
    return unlessConditionFails(client.send(command, { abortSignal: signal }));
  }

  /** If somebody else changes the lead between read and write, both are repeated. */
  async function bringTo(
    workspaceId: string,
    leadId: string,
    first: Followed | undefined,
    decide: Decide,
    signal: AbortSignal,
  ): Promise<boolean> {
    let seen = first;
    for (let attempt = 1; seen !== undefined; attempt += 1) {
      const update = decide(seen);
      if (!update) return true;
      try {
        if (await write(workspaceId, leadId, update, signal)) return true;
      } catch (error) {
        // A review is being written.
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
      [seen] = await read(workspaceId, [leadId], signal);
    }
    return false;
  }

  async function bringAllTo(
    workspaceId: string,
    leadIds: readonly string[],
    decide: Decide,
    signal: AbortSignal,
  ): Promise<string[]> {
    const seen = await read(workspaceId, leadIds, signal);
    const done = await Promise.all(
      leadIds.map((leadId, index) => bringTo(workspaceId, leadId, seen[index], decide, signal)),
    );
    return leadIds.filter((_, index) => done[index]);
  }

  const deed = (by: string): Opened => ({ at: new Date(now()).toISOString(), by });

  return {
    open: (workspaceId, leadIds, by, signal) =>
      bringAllTo(workspaceId, leadIds, (seen) => opening(seen, deed(by)), signal),
    handle: (workspaceId, leadIds, { by, handled, note }, signal) =>
      bringAllTo(
        workspaceId,
        leadIds,
        (seen) => (handled ? handlingUpdate(seen, deed(by), note) : toDoUpdate(seen, deed(by))),
        signal,
      ),
  };
}

function opening({ opened }: Followed, deed: Opened): Update | undefined {
  if (opened) return undefined;
  const condition = 'attribute_not_exists(opened)';
  return { expression: 'SET opened = :opened', condition, values: { ':opened': deed } };
}

/** Whoever handles a lead has seen it. */
const WAS_OPENED = 'opened = if_not_exists(opened, :opened)';

function handlingUpdate(
  { handled }: Followed,
  deed: Opened,
  note: string | null | undefined,
): Update | undefined {
  if (handled) return note === undefined || (handled.note ?? null) === note ? undefined : noteUpdate(note);
  const asNew: Handled = { ...deed, ...(note && { note }) };
  return {
    expression: `SET handled = :handled, ${WAS_OPENED}`,
    condition: 'attribute_not_exists(handled)',
    values: { ':handled': asNew, ':opened': deed },
  };
}

/** Who handled the lead, and when, stays. */
function noteUpdate(note: string | null): Update {
  const condition = 'attribute_exists(handled)';
  if (note === null) return { expression: 'REMOVE handled.note', condition };
  return { expression: 'SET handled.note = :note', condition, values: { ':note': note } };
}

function toDoUpdate({ opened, handled }: Followed, deed: Opened): Update | undefined {
  if (opened && !handled) return undefined;
  return { expression: `SET ${WAS_OPENED} REMOVE handled`, values: { ':opened': deed } };
}
