import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import { type DestinationKey, healthAddress } from './health-store.ts';
import { type DestinationHealth, FAST_RESPONSES_THAT_CLEAR } from './retry-schedule.ts';

/** Beside the health of destinations, under the workspace's id. */
const LANE = '#slow-lane';

export const laneAddress = (table: string, workspaceId: string) => ({
  table,
  key: { destinationId: workspaceId, sk: LANE },
});

/** What is kept about a workspace's use of the slow lane, until 30 days after it was last used. */
export interface LaneItem {
  readonly holder?: string;
  readonly heldUntil?: number;
  /** Destinations that have messages for the lane and found it taken. */
  readonly waiting?: ReadonlySet<string>;
  /** When a destination of the workspace was last slow, also one that is deleted. */
  readonly lastSlowAt?: string;
}

/** The lane for destinations that respond slowly: in it, a workspace has one invocation at a time. */
export interface SlowLane {
  /** Takes the lane for one invocation. False if another one has it. */
  take(workspaceId: string, holder: string, nowMilliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** Ends the invocation's turn. Returns a destination that waits for the lane, if there is one. */
  release(workspaceId: string, holder: string, signal: AbortSignal): Promise<string | undefined>;
  /** Makes a destination wait until the lane is released. False if nobody has the lane. */
  wait(of: DestinationKey, nowMilliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** The destination has more for the lane than was just queued. */
  addWaiting(of: DestinationKey, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
  /** A slow response, or none in time: from now on, the destination uses the lane. */
  markSlow(of: DestinationKey, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
  /** A fast response. Enough of them in a row, and the destination leaves the lane. */
  countFast(of: DestinationKey, nowMilliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The timeout of the send function: an invocation that died has ended by then. */
const TURN_MS = 30_000;
const KEPT_SECONDS = 30 * 24 * 60 * 60;

export function makeSlowLane({ client, tables }: StoreContext<'messages'>): SlowLane {
  const table = tables.messages;
  const keptUntil = (nowMilliseconds: number) => Math.ceil(nowMilliseconds / 1000) + KEPT_SECONDS;

  const update = (
    key: Readonly<Record<string, string>>,
    { expression, condition, values }: Change,
    ReturnValues: 'ALL_OLD' | 'ALL_NEW',
    signal: AbortSignal,
  ) =>
    client.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: expression,
        ConditionExpression: condition,
        ExpressionAttributeValues: values,
        ReturnValues,
      }),
      { abortSignal: signal },
    );

  const updateLane = (workspaceId: string, change: Change, signal: AbortSignal) =>
    update(laneAddress(table, workspaceId).key, change, 'ALL_OLD', signal);

  const updateHealth = (destinationId: string, { values, ...change }: Change, signal: AbortSignal) =>
    update(
      healthAddress(table, destinationId).key,
      { ...change, values: { ':one': 1, ...values } },
      'ALL_NEW',
      signal,
    );

  return {
    take: (workspaceId, holder, nowMilliseconds, signal) =>
      unlessConditionFails(
        updateLane(
          workspaceId,
          {
            expression: 'SET holder = :holder, heldUntil = :until, expiresAt = :expiresAt, v = :one',
            // Also if it is ours: the SDK repeats a write whose response was lost.
            condition: 'attribute_not_exists(heldUntil) OR heldUntil <= :now OR holder = :holder',
            values: {
              ':holder': holder,
              ':until': nowMilliseconds + TURN_MS,
              ':now': nowMilliseconds,
              ':expiresAt': keptUntil(nowMilliseconds),
              ':one': 1,
            },
          },
          signal,
        ),
      ),

    async release(workspaceId, holder, signal) {
      let waiting: string[] = [];
      const isMine = await unlessConditionFails(
        updateLane(
          workspaceId,
          {
            expression: 'REMOVE holder, heldUntil',
            condition: 'holder = :holder',
            values: { ':holder': holder },
          },
          signal,
        ).then(({ Attributes }) => {
          waiting = [...((Attributes as LaneItem).waiting ?? [])];
        }),
      );
      const [next] = waiting;
      if (!isMine || next === undefined) return undefined;
      const values = { ':next': new Set([next]) };
      await updateLane(workspaceId, { expression: 'DELETE waiting :next', values }, signal);
      return next;
    },

    wait: ({ workspaceId, destinationId }, nowMilliseconds, signal) =>
      unlessConditionFails(
        updateLane(
          workspaceId,
          {
            expression: 'ADD waiting :destination',
            condition: 'heldUntil > :now',
            values: { ':destination': new Set([destinationId]), ':now': nowMilliseconds },
          },
          signal,
        ),
      ),

    async addWaiting({ workspaceId, destinationId }, nowMilliseconds, signal) {
      const expression = 'SET expiresAt = :expiresAt, v = :one ADD waiting :destination';
      const values = {
        ':destination': new Set([destinationId]),
        ':expiresAt': keptUntil(nowMilliseconds),
        ':one': 1,
      };
      await updateLane(workspaceId, { expression, values }, signal);
    },

    async markSlow({ workspaceId, destinationId }, nowMilliseconds, signal) {
      const now = new Date(nowMilliseconds).toISOString();
      const values = { ':now': now, ':workspaceId': workspaceId };
      const expression = `SET workspaceId = :workspaceId, v = :one, lastSlowAt = :now,
        strainedAt = if_not_exists(strainedAt, :now) REMOVE fastResponses ADD revision :one`;
      await updateHealth(destinationId, { expression, values }, signal);
      await updateLane(
        workspaceId,
        {
          expression: 'SET lastSlowAt = :now, expiresAt = :expiresAt, v = :one',
          values: { ':now': now, ':expiresAt': keptUntil(nowMilliseconds), ':one': 1 },
        },
        signal,
      );
    },

    async countFast({ workspaceId, destinationId }, nowMilliseconds, signal) {
      const { Attributes } = await updateHealth(
        destinationId,
        {
          expression: 'SET workspaceId = :workspaceId, v = :one ADD fastResponses :one, revision :one',
          values: { ':workspaceId': workspaceId },
        },
        signal,
      );
      if (((Attributes as DestinationHealth).fastResponses ?? 0) < FAST_RESPONSES_THAT_CLEAR) return;
      await unlessConditionFails(
        updateHealth(
          destinationId,
          {
            expression: `SET clearedAt = :now REMOVE strainedAt, lastSlowAt, fastResponses ADD revision :one`,
            // A slow response may have come in between.
            condition: 'fastResponses >= :enough',
            values: {
              ':now': new Date(nowMilliseconds).toISOString(),
              ':enough': FAST_RESPONSES_THAT_CLEAR,
            },
          },
          signal,
        ),
      );
    },
  };
}

interface Change {
  readonly expression: string;
  readonly condition?: string;
  readonly values: Readonly<Record<string, unknown>>;
}
