import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Workspace } from '../core/configuration.ts';
import {
  denialExpiry,
  isLive,
  type KeyRecord,
  type OriginalResponse,
  wholeSeconds,
} from '../core/key-record.ts';
import type { Reason } from '../core/reasons.ts';
import { batchGet } from './batch-get.ts';
import { isConflict } from './conflicts.ts';
import { pauseBeforeRetry } from './pause-before-retry.ts';
import type { StoreContext } from './tables.ts';

export interface Denial {
  readonly keyHash: string;
  readonly denialId: string;
  readonly reason: Reason;
  readonly nowMilliseconds: number;
}

export interface Idempotency {
  /** The key's record, live or not, and the workspace as it is now, in one call. */
  read(
    keyHash: string,
    workspaceId: string,
    signal: AbortSignal,
  ): Promise<{ record: KeyRecord | undefined; workspace: Workspace | undefined }>;
  readRecord(keyHash: string, signal: AbortSignal): Promise<KeyRecord | undefined>;
  /** Leaves the denial's marker under the key, unless a live acceptance stands there: then that is the answer. */
  markDenied(denial: Denial, signal: AbortSignal): Promise<OriginalResponse | undefined>;
}

export function makeIdempotency({ client, tables }: StoreContext<'idempotency' | 'workspaces'>): Idempotency {
  async function read(keyHash: string, workspaceId: string, signal: AbortSignal) {
    const [record, workspace] = await batchGet(
      client,
      [
        { table: tables.idempotency, key: { keyHash } },
        { table: tables.workspaces, key: { workspaceId } },
      ],
      signal,
    );
    return { record: record as KeyRecord | undefined, workspace: workspace as Workspace | undefined };
  }

  async function readRecord(keyHash: string, signal: AbortSignal) {
    const answer = await client.send(
      new GetCommand({ TableName: tables.idempotency, Key: { keyHash }, ConsistentRead: true }),
      { abortSignal: signal },
    );
    return answer.Item as KeyRecord | undefined;
  }

  async function markDenied(denial: Denial, signal: AbortSignal): Promise<OriginalResponse | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(markCommand(tables.idempotency, denial), { abortSignal: signal });
        return undefined;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          const record = error.Item
            ? (unmarshall(error.Item) as KeyRecord)
            : await readRecord(denial.keyHash, signal);
          if (record?.kind === 'accepted' && isLive(record, denial.nowMilliseconds))
            return { statusCode: record.statusCode, body: record.body };
        } else if (!isConflict(error)) {
          throw error;
        }
        await pauseBeforeRetry(attempt, signal);
      }
    }
  }

  return { read, readRecord, markDenied };
}

function markCommand(table: string, { keyHash, denialId, reason, nowMilliseconds }: Denial) {
  return new PutCommand({
    TableName: table,
    Item: { keyHash, kind: 'denied', denialId, reason, expiresAt: denialExpiry(nowMilliseconds), v: 1 },
    ConditionExpression: 'attribute_not_exists(keyHash) OR expiresAt <= :now OR kind = :denied',
    ExpressionAttributeValues: { ':now': wholeSeconds(nowMilliseconds), ':denied': 'denied' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
}
