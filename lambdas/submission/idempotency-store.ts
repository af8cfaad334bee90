import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGet } from '../aws/batch-get.ts';
import { isConflict, pauseBeforeRetry } from '../aws/retry.ts';
import type { StoreContext } from '../aws/tables.ts';
import type { Workspace } from './configuration.ts';
import { denialExpiry, isLive, type KeyRecord, markerName } from './idempotency-key.ts';
import type { Surface } from './limits.ts';
import { wholeSeconds } from './limits.ts';
import type { DenialMarker, OriginalResponse } from './submission.ts';

export interface Denial extends DenialMarker {
  readonly keyHash: string;
  readonly surface: Surface;
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
  /** Stores the denial's marker under the key, unless a live acceptance is there, which is then the answer. */
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
          if (record?.kind === 'accepted' && isLive(record, denial.nowMilliseconds)) return record;
        } else if (!isConflict(error)) {
          throw error;
        }
        await pauseBeforeRetry(attempt, signal);
      }
    }
  }

  return { read, readRecord, markDenied };
}

/** An update, so that the other surface's marker stays; of an expired acceptance nothing stays. */
function markCommand(table: string, { keyHash, surface, denialId, reason, nowMilliseconds }: Denial) {
  return new UpdateCommand({
    TableName: table,
    Key: { keyHash },
    UpdateExpression:
      'SET kind = :denied, #marker = :marker, expiresAt = :expiresAt, v = :v REMOVE statusCode, #body, bodySha256, leadId',
    ConditionExpression: 'attribute_not_exists(keyHash) OR expiresAt <= :now OR kind = :denied',
    ExpressionAttributeNames: { '#marker': markerName(surface), '#body': 'body' },
    ExpressionAttributeValues: {
      ':now': wholeSeconds(nowMilliseconds),
      ':denied': 'denied',
      ':marker': { denialId, reason },
      ':expiresAt': denialExpiry(nowMilliseconds),
      ':v': 1,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
}
