import { marshall } from '@aws-sdk/util-dynamodb';
import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import { rateWindowsAt, type Surface } from '#submission/limits.ts';
import type { Item } from '../double/attribute-value.ts';
import type { World } from '../service/world.ts';

/** Sets counters as if so many submissions had been counted already. */
export function pretendCounted(
  { double, countedBefore, sender: { workspaceId } }: World,
  surface: Surface,
  at: number,
  counted: { readonly minute?: number; readonly day?: number },
): void {
  const { minuteCounter, dayCounter } = rateWindowsAt(surface, at);
  const entries = [
    [minuteCounter, counted.minute],
    [dayCounter, counted.day],
  ] as const;
  for (const [name, count] of entries) {
    if (count === undefined) continue;
    countedBefore.set(name, count);
    double.execute('UpdateItem', {
      TableName: 'workspaces',
      Key: { workspaceId: { S: workspaceId } },
      UpdateExpression: 'SET #counter = :count',
      ExpressionAttributeNames: { '#counter': name },
      ExpressionAttributeValues: { ':count': { N: String(count) } },
    });
  }
}

/** Puts a record under a key as an earlier submission has left it. */
export function putKeyRecord(
  { double, sender: { workspaceId } }: World,
  key: string,
  record: Record<string, unknown>,
): string {
  const keyHash = hashIdempotencyKey(workspaceId, key);
  double.execute('PutItem', {
    TableName: 'idempotency',
    Item: marshall({ keyHash, v: 1, ...record }) as unknown as Item,
  });
  return keyHash;
}
