import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import type { SuppressionReason } from '../recipients/recipient.ts';
import type { Destination } from './destination.ts';
import { toDestination } from './destinations-store.ts';

type EmailDestination = Pick<Destination, 'workspaceId' | 'destinationId' | 'email'>;

/** Whether the recipient of an email destination wants it. Every change is about one address, and no other. */
export interface RecipientState {
  find(workspaceId: string, destinationId: string, signal: AbortSignal): Promise<Destination | undefined>;
  /** False if the recipient has stopped it, or the address is another one by now. */
  confirm(of: EmailDestination, signal: AbortSignal): Promise<boolean>;
  /** Waits for the confirmation. The first `heldSince` stays. */
  wait(
    of: EmailDestination,
    times: Pick<Destination, 'askedAt' | 'askAgainAt' | 'heldSince'>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Nothing is sent any more, and the owner cannot change that. */
  stop(
    of: EmailDestination,
    reason: SuppressionReason,
    nowMilliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean>;
}

const NOT_DECIDED = 'email = :email AND (attribute_not_exists(confirmation) OR confirmation = :pending)';

export function makeRecipientState({ client, tables }: StoreContext<'destinations'>): RecipientState {
  const update = (
    { workspaceId, destinationId, email }: EmailDestination,
    { ExpressionAttributeValues, ...change }: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
    signal: AbortSignal,
  ) =>
    unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName: tables.destinations,
          Key: { workspaceId, destinationId },
          ...change,
          UpdateExpression: `${change.UpdateExpression} ADD revision :one`,
          ExpressionAttributeValues: { ':email': email, ':one': 1, ...ExpressionAttributeValues },
        }),
        { abortSignal: signal },
      ),
    );

  return {
    async find(workspaceId, destinationId, signal) {
      const Key = { workspaceId, destinationId };
      const get = new GetCommand({ TableName: tables.destinations, Key, ConsistentRead: true });
      const { Item } = await client.send(get, { abortSignal: signal });
      return Item && toDestination(Item);
    },

    confirm: (of, signal) =>
      update(
        of,
        {
          UpdateExpression: 'SET confirmation = :confirmed REMOVE heldSince, askAgainAt',
          ConditionExpression: NOT_DECIDED,
          ExpressionAttributeValues: { ':confirmed': 'confirmed', ':pending': 'pending' },
        },
        signal,
      ),

    async wait(of, { askedAt, askAgainAt, heldSince }, signal) {
      const set = [
        'confirmation = :pending',
        ...(askedAt === undefined ? [] : ['askedAt = :askedAt']),
        ...(askAgainAt === undefined ? [] : ['askAgainAt = :askAgainAt']),
        ...(heldSince === undefined ? [] : ['heldSince = if_not_exists(heldSince, :heldSince)']),
      ];
      const values = { ':askedAt': askedAt, ':askAgainAt': askAgainAt, ':heldSince': heldSince };
      await update(
        of,
        {
          UpdateExpression: `SET ${set.join(', ')}${askedAt === undefined ? '' : ' REMOVE askAgainAt'}`,
          ConditionExpression: NOT_DECIDED,
          ExpressionAttributeValues: {
            ':pending': 'pending',
            ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
          },
        },
        signal,
      );
    },

    stop: (of, reason, nowMilliseconds, signal) =>
      update(
        of,
        {
          UpdateExpression: `SET #status = :disabled, disabledReason = :reason, disabledAt = :now, confirmation = :stopped
            REMOVE heldSince, askAgainAt`,
          ConditionExpression:
            'email = :email AND (attribute_not_exists(confirmation) OR confirmation <> :stopped)',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':disabled': 'disabled',
            ':reason': reason,
            ':stopped': 'stopped',
            ':now': new Date(nowMilliseconds).toISOString(),
          },
        },
        signal,
      ),
  };
}
