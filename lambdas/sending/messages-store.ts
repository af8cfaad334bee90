import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import type { Message, MessageKey } from './message.ts';
import type { DueCursor } from './retry-schedule.ts';

const sortKey = ({ leadId, type }: Pick<MessageKey, 'leadId' | 'type'>) => `${leadId}#${type}`;

export const messageAddress = (table: string, key: MessageKey) => ({
  table,
  key: { destinationId: key.destinationId, sk: sortKey(key) },
});

/** What is written of a message. One that waits is in the index by due time, under its destination. */
export type MessageWrite = Omit<Message, 'revision'> & {
  /** When the table must send it, in milliseconds; absent if it does not wait. */
  readonly dueAt?: number | undefined;
};

/** Written by the send function alone. */
export interface Messages {
  /** False if somebody else has changed the message since it was read. */
  write(message: MessageWrite, seen: Message | undefined, signal: AbortSignal): Promise<boolean>;
  /** Deletes what the receiver's response may have repeated of the lead. */
  forget(key: MessageKey, signal: AbortSignal): Promise<void>;
  /** Messages that wait for a destination, in the order of their due time. The index lags behind a little. */
  waiting(
    destinationId: string,
    options: { readonly until: number; readonly limit: number; readonly after?: DueCursor | undefined },
    signal: AbortSignal,
  ): Promise<{ messages: Message[]; last: DueCursor | undefined; hasMore: boolean }>;
  /** A page of a destination's messages, in the order in which their leads came in, from a lead id on. */
  page(
    destinationId: string,
    options: { readonly from: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ messages: Message[]; next: string | undefined }>;
}

/** Attributes that a message has in some of its states only. */
const TRANSIENT_ATTRIBUTES = ['queue', 'dueAt', 'nextAttemptAt', 'answerExcerpt'];

export function makeMessages({ client, tables }: StoreContext<'messages'>): Messages {
  const table = tables.messages;

  const write: Messages['write'] = async ({ dueAt, destinationId, ...message }, seen, signal) => {
    const waits = dueAt !== undefined && { queue: destinationId, dueAt };
    const set = Object.entries({ ...message, ...waits, revision: (seen?.revision ?? 0) + 1, v: 1 }).filter(
      ([, value]) => value !== undefined,
    );
    const removed = TRANSIENT_ATTRIBUTES.filter((name) => !set.some(([each]) => each === name));
    const assignments = set.map(([name]) => `#${name} = :${name}`).join(', ');
    const removals = removed.map((name) => `#${name}`).join(', ');
    return unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: { destinationId, sk: sortKey(message) },
          UpdateExpression: `SET ${assignments}${removals && ` REMOVE ${removals}`}`,
          ConditionExpression: seen ? '#revision = :seen' : 'attribute_not_exists(#revision)',
          ExpressionAttributeNames: Object.fromEntries(
            [...set.map(([name]) => name), ...removed].map((name) => [`#${name}`, name]),
          ),
          ExpressionAttributeValues: {
            ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
            ...(seen && { ':seen': seen.revision }),
          },
        }),
        { abortSignal: signal },
      ),
    );
  };

  const forget: Messages['forget'] = async (key, signal) => {
    await unlessConditionFails(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: messageAddress(table, key).key,
          UpdateExpression: 'REMOVE answerExcerpt ADD revision :one',
          ConditionExpression: 'attribute_exists(answerExcerpt)',
          ExpressionAttributeValues: { ':one': 1 },
        }),
        { abortSignal: signal },
      ),
    );
  };

  const waiting: Messages['waiting'] = async (destinationId, { until, limit, after }, signal) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: INDEXES.messagesByDueTime,
        KeyConditionExpression: '#queue = :destinationId AND dueAt <= :until',
        ExpressionAttributeNames: { '#queue': 'queue' },
        ExpressionAttributeValues: { ':destinationId': destinationId, ':until': until },
        Limit: limit,
        ExclusiveStartKey: after && { queue: destinationId, destinationId, ...after },
      }),
      { abortSignal: signal },
    );
    const end = Items.at(-1);
    return {
      messages: Items.map(toMessage),
      last: end && { dueAt: end.dueAt as number, sk: end.sk as string },
      hasMore: LastEvaluatedKey !== undefined,
    };
  };

  const page: Messages['page'] = async (destinationId, { from, limit }, signal) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'destinationId = :destinationId AND sk >= :from',
        ExpressionAttributeValues: { ':destinationId': destinationId, ':from': from },
        Limit: limit,
        ConsistentRead: true,
      }),
      { abortSignal: signal },
    );
    // The key with a space at its end sorts right after the key itself.
    return { messages: Items.map(toMessage), next: LastEvaluatedKey && `${LastEvaluatedKey.sk} ` };
  };

  return { write, forget, waiting, page };
}

export function toMessage(item: Readonly<Record<string, unknown>>): Message {
  const { sk: _sk, queue: _queue, dueAt: _dueAt, v: _version, ...message } = item;
  return message as Partial<Message> as Message;
}
