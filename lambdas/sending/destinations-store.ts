import { QueryCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import { onShortPath, toAttributes } from '../aws/short-path.ts';
import type { Destination, DisabledReason } from './destination.ts';

export const destinationAddress = (table: string, workspaceId: string, destinationId: string) => ({
  table,
  key: { workspaceId, destinationId },
});

export interface DestinationReader {
  /** All of a workspace, in one strongly consistent call: there are at most 20. */
  list(workspaceId: string, signal: AbortSignal): Promise<Destination[]>;
}

export function makeDestinationReader({ client, tables }: StoreContext<'destinations'>): DestinationReader {
  return {
    async list(workspaceId, signal) {
      const query = new QueryCommand({
        TableName: tables.destinations,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: toAttributes({ ':workspaceId': workspaceId }),
        ConsistentRead: true,
      });
      const { Items = [] } = await client.send(onShortPath(query), { abortSignal: signal });
      return Items.map((item) => toDestination(unmarshall(item)));
    },
  };
}

export interface DestinationSwitch {
  /** Stops sending to a destination. False if it was not active. */
  disable(
    of: Pick<Destination, 'workspaceId' | 'destinationId'>,
    reason: DisabledReason,
    nowMilliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean>;
}

export function makeDestinationSwitch({ client, tables }: StoreContext<'destinations'>): DestinationSwitch {
  return {
    disable: ({ workspaceId, destinationId }, reason, nowMilliseconds, signal) =>
      unlessConditionFails(
        client.send(
          new UpdateCommand({
            TableName: tables.destinations,
            Key: { workspaceId, destinationId },
            UpdateExpression:
              'SET #status = :disabled, disabledReason = :reason, disabledAt = :now ADD revision :one',
            ConditionExpression: '#status = :active',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':disabled': 'disabled',
              ':active': 'active',
              ':reason': reason,
              ':now': new Date(nowMilliseconds).toISOString(),
              ':one': 1,
            },
          }),
          { abortSignal: signal },
        ),
      ),
  };
}

/** What the owner's API and operators change. It writes secrets and cannot read them. */
export interface DestinationStore {
  find(workspaceId: string, destinationId: string, signal: AbortSignal): Promise<Destination | undefined>;
  create(destination: Destination, secret: NewSecret, signal: AbortSignal): Promise<void>;
  /** False if somebody else changed it since it was read. `undefined` removes an attribute. */
  change(seen: Destination, changes: Partial<Destination>, signal: AbortSignal): Promise<boolean>;
  /** Does nothing if a later change of the destination has set one. */
  setSlackUrl(destinationId: string, slackUrl: string, revision: number, signal: AbortSignal): Promise<void>;
  /** The old secret also signs until the given time. False if a later rotation was faster. */
  rotateSecret(destinationId: string, rotation: Rotation, signal: AbortSignal): Promise<boolean>;
  remove(workspaceId: string, destinationId: string, signal: AbortSignal): Promise<boolean>;
}

export interface NewSecret {
  readonly signingSecret?: string | undefined;
  readonly slackUrl?: string | undefined;
}

export interface Rotation {
  readonly signingSecret: string;
  /** When the old one ends, in milliseconds. */
  readonly endsAt: number;
  /** Of the destination, after the change that announced the rotation. */
  readonly revision: number;
}

/** Late and repeated writes change nothing. */
const IF_LATER = '(attribute_not_exists(revision) OR revision < :revision)';

export function makeDestinationStore({
  client,
  tables,
}: StoreContext<'destinations' | 'destinationSecrets'>): DestinationStore {
  const keyOf = (workspaceId: string, destinationId: string) => ({
    TableName: tables.destinations,
    Key: { workspaceId, destinationId },
  });

  const writeSecret = (update: Omit<UpdateCommandInput, 'TableName'>, signal: AbortSignal) =>
    unlessConditionFails(
      client.send(new UpdateCommand({ TableName: tables.destinationSecrets, ...update }), {
        abortSignal: signal,
      }),
    );

  return {
    async find(workspaceId, destinationId, signal) {
      if (destinationId === '' || destinationId.length > 200) return undefined;
      const get = new GetCommand({ ...keyOf(workspaceId, destinationId), ConsistentRead: true });
      const { Item } = await client.send(get, { abortSignal: signal });
      return Item && toDestination(Item);
    },

    async create(destination, secret, signal) {
      // The secret first: a destination without one could not be used.
      if (secret.signingSecret !== undefined || secret.slackUrl !== undefined) {
        const { workspaceId, destinationId } = destination;
        const item = { destinationId, workspaceId, ...secret, v: 1 };
        await client.send(new PutCommand({ TableName: tables.destinationSecrets, Item: item }), {
          abortSignal: signal,
        });
      }
      // Repeated late, it must not undo a change.
      const put = new PutCommand({
        TableName: tables.destinations,
        Item: { ...destination, v: 1 },
        ConditionExpression: 'attribute_not_exists(destinationId)',
      });
      await unlessConditionFails(client.send(put, { abortSignal: signal }));
    },

    change(seen, changes, signal) {
      const next = Object.fromEntries(
        Object.entries({ ...seen, ...changes, revision: (seen.revision ?? 0) + 1, v: 1 }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      const { revision } = seen;
      return unlessConditionFails(
        client.send(
          new PutCommand({
            TableName: tables.destinations,
            Item: next,
            ConditionExpression:
              revision === undefined
                ? 'attribute_exists(destinationId) AND attribute_not_exists(revision)'
                : 'revision = :seen',
            ...(revision !== undefined && { ExpressionAttributeValues: { ':seen': revision } }),
          }),
          { abortSignal: signal },
        ),
      );
    },

    async setSlackUrl(destinationId, slackUrl, revision, signal) {
      await writeSecret(
        {
          Key: { destinationId },
          UpdateExpression: 'SET slackUrl = :slackUrl, revision = :revision',
          ConditionExpression: `attribute_exists(slackUrl) AND ${IF_LATER}`,
          ExpressionAttributeValues: { ':slackUrl': slackUrl, ':revision': revision },
        },
        signal,
      );
    },

    async rotateSecret(destinationId, { signingSecret, endsAt, revision }, signal) {
      const values = { ':secret': signingSecret, ':endsAt': endsAt };
      const isRotated = await writeSecret(
        {
          Key: { destinationId },
          UpdateExpression:
            'SET previousSecret = signingSecret, previousEndsAtMilliseconds = :endsAt, signingSecret = :secret, revision = :revision',
          ConditionExpression: `attribute_exists(signingSecret) AND ${IF_LATER}`,
          ExpressionAttributeValues: { ...values, ':revision': revision },
        },
        signal,
      );
      if (isRotated) return true;
      // The SDK repeats a write whose response was lost: if it is the current secret, it was written.
      return writeSecret(
        {
          Key: { destinationId },
          UpdateExpression: 'SET previousEndsAtMilliseconds = :endsAt',
          ConditionExpression: 'signingSecret = :secret',
          ExpressionAttributeValues: values,
        },
        signal,
      );
    },

    async remove(workspaceId, destinationId, signal) {
      const command = new DeleteCommand({
        ...keyOf(workspaceId, destinationId),
        ConditionExpression: 'attribute_exists(destinationId)',
      });
      const isRemoved = await unlessConditionFails(client.send(command, { abortSignal: signal }));
      // Also if there was no destination: removing it may have been cut short here.
      const removeSecret = new DeleteCommand({
        TableName: tables.destinationSecrets,
        Key: { destinationId },
        ConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
      });
      await unlessConditionFails(client.send(removeSecret, { abortSignal: signal }));
      return isRemoved;
    },
  };
}

export function toDestination(item: Readonly<Record<string, unknown>>): Destination {
  const { v: _version, ...destination } = item;
  return destination as Partial<Destination> as Destination;
}
