import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, isConflict, pauseBeforeRetry } from '../../aws/dynamodb.ts';
import type { LeadRoles } from '../../model/lead-fields.ts';
import { fromPerhapsDamagedItem, hasExpired, isLeadId, type Lead } from '../../model/lead-item.ts';
import { toReviewItem } from '../../model/review-item.ts';
import { cleanUnreviewed, isByKey, type LeadVerdict, type Review } from '../../model/senders.ts';
import type { LeadReaderContext } from '../whole-leads-store.ts';

export interface Reviews {
  /** In the order given; undefined for what this workspace does not have. */
  read(workspaceId: string, leadIds: readonly string[], signal: AbortSignal): Promise<(Lead | undefined)[]>;
  /** Null withdraws the verdict. False if the lead is gone. */
  write(lead: Lead, decision: Decision, roles: LeadRoles | undefined, signal: AbortSignal): Promise<boolean>;
}

/** `by` is as in a review. */
export interface Decision {
  readonly verdict: LeadVerdict | null;
  readonly by: string;
}

export function makeReviews({ client, tables, now }: LeadReaderContext): Reviews {
  async function read(workspaceId: string, leadIds: readonly string[], signal: AbortSignal) {
    const known = leadIds.filter(isLeadId);
    const addresses = known.map((leadId) => ({ table: tables.leads, key: { leadId, part: 'lead' } }));
    const items = known.length === 0 ? [] : await batchGet(client, addresses, signal);
    return leadIds.map((leadId) => {
      const item = items[known.indexOf(leadId)];
      const isShown = item?.workspaceId === workspaceId && !hasExpired(item, now());
      // A damaged lead can be reviewed, but its sender is unknown.
      return item && isShown ? fromPerhapsDamagedItem(item) : undefined;
    });
  }

  /** If the lead is changed between read and write, both are repeated. */
  async function write(
    lead: Lead,
    decision: Decision,
    roles: LeadRoles | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    let seen: Lead | undefined = lead;
    for (let attempt = 1; seen !== undefined; attempt += 1) {
      if (isDecided(seen.review, decision)) return true;
      try {
        const at = new Date(now()).toISOString();
        const command = reviewCommand(tables.leads, seen, { ...decision, at }, roles);
        await client.send(command, { abortSignal: signal });
        return true;
      } catch (error) {
        if (!isConflict(error) && !isChanged(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
      [seen] = await read(lead.workspaceId, [lead.leadId], signal);
    }
    return false;
  }

  return { read, write };
}

/** The first who said so stays, but a person's word takes the place of a program's: only that one teaches. */
function isDecided(review: Review | undefined, { verdict, by }: Decision): boolean {
  if ((review?.verdict ?? null) !== verdict) return false;
  return review === undefined || !isByKey(review) || isByKey({ by });
}

/**
 * Both items or none. The lead has the verdict itself, so that every reader of leads sees it without another read;
 * the item beside it is what the stream's readers follow. The score never changes.
 */
function reviewCommand(
  table: string,
  seen: Lead,
  { verdict, by, at }: Decision & { readonly at: string },
  roles: LeadRoles | undefined,
): TransactWriteCommand {
  const { leadId, workspaceId, formId, score, expiresAt } = seen;
  const unreviewed = cleanUnreviewed(seen);
  const clean = verdict === null ? unreviewed : verdict === 'good';
  const note = toReviewItem({
    leadId,
    workspaceId,
    formId,
    score,
    clean,
    verdict: verdict ?? 'none',
    at,
    // A clean lead that was marked as spam may not have been sent yet. Afterwards, messages are no longer remembered.
    madeClean: clean && !seen.clean && (!unreviewed || isRecent(seen.receivedAt, at)),
    expiresAt,
  });
  const set = [
    'clean = :clean',
    'scoredClean = :scoredClean',
    ...(verdict === null ? [] : ['review = :review']),
    ...(roles ? ['#roles = if_not_exists(#roles, :roles)'] : []),
  ];
  return new TransactWriteCommand({
    TransactItems: [
      {
        Update: {
          TableName: table,
          Key: { leadId, part: 'lead' },
          UpdateExpression: `SET ${set.join(', ')}${verdict === null ? ' REMOVE review' : ''}`,
          ConditionExpression: `workspaceId = :workspaceId AND ${
            seen.review ? 'review = :seenReview' : 'attribute_not_exists(review)'
          }`,
          ...(roles && { ExpressionAttributeNames: { '#roles': 'roles' } }),
          ExpressionAttributeValues: {
            ':workspaceId': workspaceId,
            ':clean': clean,
            ':scoredClean': seen.scoredClean ?? seen.clean,
            ...(verdict !== null && { ':review': { verdict, at, by } }),
            ...(seen.review && { ':seenReview': seen.review }),
            ...(roles && { ':roles': roles }),
          },
        },
      },
      { Put: { TableName: table, Item: note } },
    ],
  });
}

/** As long as messages are kept, and duplicates recognized. */
const RECENT_MS = 30 * 24 * 60 * 60 * 1000;

function isRecent(receivedAt: string, at: string): boolean {
  return Date.parse(at) - Date.parse(receivedAt) < RECENT_MS;
}

/** Reviewed by somebody else, or erased. */
function isChanged(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed'
  );
}
