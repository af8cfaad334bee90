import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { INDEXES, TTL_ATTRIBUTE } from '../contract.ts';
import { ifUnchanged } from '../owner-api/revise.ts';
import type { MessageKey } from './message.ts';
import type { DestinationHealth, DueCursor } from './retry-schedule.ts';

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
export interface HealthStore {
  read(destinationId: string, signal: AbortSignal): Promise<DestinationHealth | undefined>;
  /** Counts a message that failed, once however often it fails. Returns what is known now. */
  countFailure(
    of: DestinationKey & MessageKey,
    failure: { readonly isAboutMessage: boolean; readonly nowMilliseconds: number },
    signal: AbortSignal,
  ): Promise<DestinationHealth>;
  /** A message was delivered: forgets all failures. */
  clearFailures(of: DestinationKey, signal: AbortSignal): Promise<void>;
  /** Opens the breaker or plans its next probe. False if somebody else was faster. */
  open(of: DestinationKey, plan: ProbePlan, seen: DestinationHealth, signal: AbortSignal): Promise<boolean>;
  /** The destination works, or may work (`untried`): deletes all failures, and makes what waits due. */
  recover(of: DestinationKey, nowMs: number, signal: AbortSignal, untried?: 'untried'): Promise<void>;
  /** Makes sure that the destination is checked by this time. */
  remind(of: DestinationKey, dueAt: number, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
  /** Plans the next check, or none. False if the health has changed since it was read. */
  reschedule(
    of: DestinationKey,
    dueAt: number | undefined,
    seen: DestinationHealth,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Claims the page of waiting messages that ends there. False if somebody else has claimed a page since. */
  claim(
    of: DestinationKey,
    page: ClaimedPage,
    seen: DestinationHealth,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The destination was deleted: what is known about it is deleted with its messages. */
  expire(of: DestinationKey, expiresAtSeconds: number, signal: AbortSignal): Promise<void>;
  /** Destinations that have to be looked at, the longest overdue first. */
  due(nowMilliseconds: number, limit: number, signal: AbortSignal): Promise<DestinationKey[]>;
}

export interface ProbePlan {
  readonly openedAt: string;
  readonly probeStep: number;
  readonly probeAt: number;
  readonly dueAt: number;
}

export interface ClaimedPage {
  readonly drainedTo: DueCursor;
  readonly nowMilliseconds: number;
  /** When to check again, if every later write is lost. */
  readonly dueAt: number;
}

interface Change {
  readonly expression: string;
  /** What is added beside the revision: `failed :message`. */
  readonly adds?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly condition?: string;
}

const FAILURES = 'failed, refused, failures, failingSince';

/** Whose health it is, and the schema version. */
const KNOWN = 'SET workspaceId = :workspaceId, v = :one';

/** Tells the messages of one destination apart, in a set of a few dozen. */
const shortHash = ({ leadId, type }: MessageKey) =>
  createHash('sha256').update(`${leadId}#${type}`).digest('base64url').slice(0, 8);

export function makeHealthStore({ client, tables }: StoreContext<'messages'>): HealthStore {
  const table = tables.messages;

  /** Every change raises the revision. Undefined if the condition failed. */
  async function change(
    { workspaceId, destinationId }: DestinationKey,
    { expression, adds, values, condition }: Change,
    signal: AbortSignal,
  ): Promise<DestinationHealth | undefined> {
    const lists = expression.includes('#queue');
    try {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { destinationId, sk: HEALTH },
          UpdateExpression: `${expression} ADD ${adds ? `${adds}, ` : ''}revision :one`,
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

  const read: HealthStore['read'] = async (destinationId, signal) => {
    const get = { TableName: table, Key: { destinationId, sk: HEALTH }, ConsistentRead: true };
    const { Item } = await client.send(new GetCommand(get), { abortSignal: signal });
    return Item as DestinationHealth | undefined;
  };

  return {
    read,

    async countFailure(of, { isAboutMessage, nowMilliseconds }, signal) {
      const values = { ':message': new Set([shortHash(of)]) };
      const counted = isAboutMessage
        ? await change(of, { expression: KNOWN, adds: 'refused :message', values }, signal)
        : await change(
            of,
            {
              expression: `${KNOWN}, failingSince = if_not_exists(failingSince, :now)`,
              adds: 'failed :message',
              values: { ...values, ':now': new Date(nowMilliseconds).toISOString() },
              // An open breaker needs no more of them, and the set stays small.
              condition: 'attribute_not_exists(openedAt)',
            },
            signal,
          );
      return counted ?? (await read(of.destinationId, signal)) ?? {};
    },

    async clearFailures(of, signal) {
      await change(of, { expression: `REMOVE ${FAILURES}, untriedSince` }, signal);
    },

    async open(of, { openedAt, probeStep, probeAt, dueAt }, seen, signal) {
      const opened = await change(
        of,
        {
          expression: `${KNOWN}, openedAt = :openedAt, failingSince = if_not_exists(failingSince, :openedAt),
            probeStep = :probeStep, probeAt = :probeAt, #queue = :destinations, dueAt = :dueAt`,
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
              ? 'attribute_not_exists(openedAt) AND (attribute_exists(failed) OR attribute_exists(refused))'
              : 'probeStep = :seenStep',
        },
        signal,
      );
      return opened !== undefined;
    },

    async recover(of, nowMs, signal, untried) {
      const expression = `${KNOWN}, #queue = :destinations, dueAt = :now, touchedAt = :now
        ${untried ? ', untriedSince = :now' : ''} REMOVE ${FAILURES}${untried ? '' : ', untriedSince'},
        openedAt, probeStep, probeAt, drainedTo, drainedAt`;
      await change(of, { expression, values: { ':now': nowMs } }, signal);
    },

    async remind(of, dueAt, nowMilliseconds, signal) {
      const values = { ':dueAt': dueAt, ':now': nowMilliseconds };
      const expression = `${KNOWN}, #queue = :destinations, dueAt = :dueAt, touchedAt = :now`;
      const condition = 'attribute_not_exists(dueAt) OR dueAt > :dueAt';
      const isEarlier = await change(of, { expression, values, condition }, signal);
      // Also if the planned time stays: an invocation that is about to cancel it must notice.
      if (!isEarlier) {
        await change(of, { expression: 'SET touchedAt = :now', values: { ':now': nowMilliseconds } }, signal);
      }
    },

    async reschedule(of, dueAt, seen, signal) {
      const unchanged = ifUnchanged(seen);
      const expression =
        dueAt === undefined ? 'REMOVE #queue, dueAt' : 'SET #queue = :destinations, dueAt = :dueAt';
      const values = { ...unchanged.values, ...(dueAt !== undefined && { ':dueAt': dueAt }) };
      return (await change(of, { expression, values, condition: unchanged.condition }, signal)) !== undefined;
    },

    async claim(of, { drainedTo, nowMilliseconds, dueAt }, { drains }, signal) {
      const claimed = await change(
        of,
        {
          expression: `${KNOWN}, drainedTo = :drainedTo, drainedAt = :now, #queue = :destinations, dueAt = :dueAt`,
          adds: 'drains :one',
          values: {
            ':drainedTo': drainedTo,
            ':now': nowMilliseconds,
            ':dueAt': dueAt,
            ...(drains !== undefined && { ':drains': drains }),
          },
          condition: drains === undefined ? 'attribute_not_exists(drains)' : 'drains = :drains',
        },
        signal,
      );
      return claimed !== undefined;
    },

    async expire(of, expiresAtSeconds, signal) {
      const expression = `SET ${TTL_ATTRIBUTE} = :expiresAt REMOVE #queue, dueAt`;
      const condition = `attribute_exists(revision) AND attribute_not_exists(${TTL_ATTRIBUTE})`;
      await change(of, { expression, condition, values: { ':expiresAt': expiresAtSeconds } }, signal);
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
