import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import type { DestinationHealth } from './retry-schedule.ts';

/** The partition of the index by due time that lists destinations. Messages are listed under their destination. */
const DUE_DESTINATIONS = 'destinations';

/** Sorts before every lead id. */
const HEALTH = '#health';

export const healthAddress = (table: string, destinationId: string) => ({
  table,
  key: { destinationId, sk: HEALTH },
});

export interface DestinationKey {
  readonly workspaceId: string;
  readonly destinationId: string;
}

/** The state of the circuit breakers, shared by all environments. It is kept beside the messages. */
export interface HealthBook {
  read(destinationId: string, signal: AbortSignal): Promise<DestinationHealth | undefined>;
  /** One more failure in a row. Returns what is known now. */
  countFailure(of: DestinationKey, nowMilliseconds: number, signal: AbortSignal): Promise<DestinationHealth>;
  /** Opens the breaker or plans its next probe. False if somebody else was faster. */
  open(of: DestinationKey, plan: ProbePlan, seen: DestinationHealth, signal: AbortSignal): Promise<boolean>;
  /** The destination works: forgets all failures, and what waits is due. `untried`: nobody knows yet whether it does. */
  recover(
    of: DestinationKey,
    nowMilliseconds: number,
    signal: AbortSignal,
    untried?: 'untried' | undefined,
  ): Promise<void>;
  /** Makes sure that the destination is looked at by this time. */
  remind(of: DestinationKey, dueAt: number, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
  /** Plans the next look, or none, if nothing has happened since the health was read. */
  reschedule(
    of: DestinationKey,
    dueAt: number | undefined,
    seen: DestinationHealth,
    signal: AbortSignal,
  ): Promise<void>;
  /** Destinations that have to be looked at, the longest overdue first. */
  due(nowMilliseconds: number, limit: number, signal: AbortSignal): Promise<DestinationKey[]>;
}

export interface ProbePlan {
  readonly openedAt: string;
  readonly probeStep: number;
  readonly probeAt: number;
  readonly dueAt: number;
}

interface Change {
  readonly expression: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly condition?: string;
}

export function makeHealthBook({ client, tables }: StoreContext<'messages'>): HealthBook {
  const table = tables.messages;

  /** Every change raises the revision. Undefined if the condition failed. */
  async function change(
    { workspaceId, destinationId }: DestinationKey,
    { expression, values, condition }: Change,
    signal: AbortSignal,
  ): Promise<DestinationHealth | undefined> {
    const lists = expression.includes('#queue');
    try {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { destinationId, sk: HEALTH },
          UpdateExpression: `${expression} ADD revision :one`,
          ConditionExpression: condition,
          ...(lists && { ExpressionAttributeNames: { '#queue': 'queue' } }),
          ExpressionAttributeValues: {
            ':one': 1,
            ...(expression.includes(':workspaceId') && { ':workspaceId': workspaceId }),
            ...(expression.includes(':destinations') && { ':destinations': DUE_DESTINATIONS }),
            ...values,
          },
          ReturnValues: 'ALL_NEW',
        }),
        { abortSignal: signal },
      );
      return Attributes as DestinationHealth;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  return {
    async read(destinationId, signal) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: { destinationId, sk: HEALTH }, ConsistentRead: true }),
        { abortSignal: signal },
      );
      return Item as DestinationHealth | undefined;
    },

    async countFailure(of, nowMilliseconds, signal) {
      const expression =
        'SET workspaceId = :workspaceId, v = :one, failingSince = if_not_exists(failingSince, :now), failures = if_not_exists(failures, :zero) + :one';
      const values = { ':now': new Date(nowMilliseconds).toISOString(), ':zero': 0 };
      return (await change(of, { expression, values }, signal)) ?? {};
    },

    async open(of, { openedAt, probeStep, probeAt, dueAt }, seen, signal) {
      const opened = await change(
        of,
        {
          expression: `SET workspaceId = :workspaceId, v = :one, openedAt = :openedAt, probeStep = :probeStep,
            probeAt = :probeAt, #queue = :destinations, dueAt = :dueAt`,
          values: {
            ':openedAt': openedAt,
            ':probeStep': probeStep,
            ':probeAt': probeAt,
            ':dueAt': dueAt,
            ...(seen.openedAt !== undefined && { ':seenStep': seen.probeStep }),
          },
          // Failures that are counted meanwhile change nothing; another opening or a recovery does.
          condition:
            seen.openedAt === undefined
              ? 'attribute_not_exists(openedAt) AND attribute_exists(failures)'
              : 'probeStep = :seenStep',
        },
        signal,
      );
      return opened !== undefined;
    },

    async recover(of, nowMilliseconds, signal, untried) {
      const expression = `SET workspaceId = :workspaceId, v = :one, #queue = :destinations, dueAt = :now, touchedAt = :now
        ${untried ? ', untriedSince = :now' : ''}
        REMOVE failures, failingSince, openedAt, probeStep, probeAt${untried ? '' : ', untriedSince'}`;
      await change(of, { expression, values: { ':now': nowMilliseconds } }, signal);
    },

    async remind(of, dueAt, nowMilliseconds, signal) {
      const values = { ':dueAt': dueAt, ':now': nowMilliseconds };
      const expression =
        'SET workspaceId = :workspaceId, v = :one, #queue = :destinations, dueAt = :dueAt, touchedAt = :now';
      const condition = 'attribute_not_exists(dueAt) OR dueAt > :dueAt';
      const isEarlier = await change(of, { expression, values, condition }, signal);
      // Also if the planned time stays: an invocation that is about to cancel it must notice.
      if (!isEarlier) {
        await change(of, { expression: 'SET touchedAt = :now', values: { ':now': nowMilliseconds } }, signal);
      }
    },

    async reschedule(of, dueAt, seen, signal) {
      const unchanged =
        seen.revision === undefined
          ? { condition: 'attribute_not_exists(revision)', values: {} }
          : { condition: 'revision = :seen', values: { ':seen': seen.revision } };
      const expression =
        dueAt === undefined ? 'REMOVE #queue, dueAt' : 'SET #queue = :destinations, dueAt = :dueAt';
      const values = { ...unchanged.values, ...(dueAt !== undefined && { ':dueAt': dueAt }) };
      await change(of, { expression, values, condition: unchanged.condition }, signal);
    },

    async due(nowMilliseconds, limit, signal) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: INDEXES.messagesByDueTime,
          KeyConditionExpression: '#queue = :destinations AND dueAt <= :now',
          ExpressionAttributeNames: { '#queue': 'queue' },
          ExpressionAttributeValues: { ':destinations': DUE_DESTINATIONS, ':now': nowMilliseconds },
          Limit: limit,
        }),
        { abortSignal: signal },
      );
      return Items.map(({ workspaceId, destinationId }) => ({ workspaceId, destinationId }));
    },
  };
}
