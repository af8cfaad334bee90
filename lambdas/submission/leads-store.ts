import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  batchGet,
  isConflict,
  pauseBeforeRetry,
  retryThrottled,
  type StoreContext,
} from '../aws/dynamodb.ts';
import { onShortPath, putOnShortPath, toAttributes } from '../aws/short-path.ts';
import type { Workspace } from '../model/configuration.ts';
import { type Lead, toLeadItem } from '../model/lead-item.ts';
import { type AnySurface, wholeSeconds } from '../model/limits.ts';
import type { Reason } from '../model/reasons.ts';
import {
  acceptanceExpiry,
  denialExpiry,
  denialOn,
  isLive,
  type KeyRecord,
  markerName,
} from './idempotency-key.ts';
import type { DenialMarker, IdempotencyKey, OriginalResponse } from './submission.ts';

export interface KeyedLead {
  readonly lead: Lead;
  readonly key: IdempotencyKey;
  readonly response: OriginalResponse;
  /** This surface's denial marker when this submission began: the only one it may overrule. */
  readonly denialSeen: DenialMarker | undefined;
  readonly nowMilliseconds: number;
}

/** Stored by us, or decided by a concurrent duplicate, whose response we then return too. */
export type KeyedOutcome = { stored: true } | { original: OriginalResponse } | { denied: Reason };

export interface Leads {
  store(lead: Lead, signal: AbortSignal): Promise<void>;
  storeOnce(keyed: KeyedLead, signal: AbortSignal): Promise<KeyedOutcome>;
}

interface LeadsContext extends StoreContext<'leads' | 'idempotency'> {
  readonly idempotency: Pick<Idempotency, 'readRecord'>;
}

export function makeLeads({ client, tables, idempotency }: LeadsContext): Leads {
  async function store(lead: Lead, signal: AbortSignal): Promise<void> {
    try {
      // Every accepted request sends it: the document client takes longer for the same.
      const command = putOnShortPath({
        TableName: tables.leads,
        Item: toLeadItem(lead),
        ConditionExpression: 'attribute_not_exists(leadId)',
      });
      await retryThrottled(() => client.send(command, { abortSignal: signal }), signal);
    } catch (error) {
      // The id is new, so the existing lead is ours: a first attempt succeeded and its response was lost.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async function storeOnce(keyed: KeyedLead, signal: AbortSignal): Promise<KeyedOutcome> {
    const command = pairCommand(tables, keyed);
    for (let attempt = 1; ; attempt += 1) {
      let standing: KeyRecord | undefined;
      try {
        await client.send(command, { abortSignal: signal });
        return { stored: true };
      } catch (error) {
        standing = standingRecord(error);
        if (!standing && !isConflict(error) && !isConditionFailure(error)) throw error;
      }
      standing ??= await idempotency.readRecord(keyed.key.hash, signal);
      const settled = settledBy(standing, keyed);
      if (settled) return settled;
      await pauseBeforeRetry(attempt, signal);
    }
  }

  return { store, storeOnce };
}

/** Lead and record in one transaction, so that neither can exist without the other. The hot gate item is no part. */
function pairCommand(
  tables: LeadsContext['tables'],
  { lead, key, response, denialSeen, nowMilliseconds }: KeyedLead,
) {
  const record = {
    keyHash: key.hash,
    kind: 'accepted',
    ...response,
    leadId: lead.leadId,
    expiresAt: acceptanceExpiry(nowMilliseconds, key.isDelivery),
    v: 1,
  };
  return onShortPath(
    new TransactWriteItemsCommand({
      // The same token on every attempt: DynamoDB then reports success for a repeat of a committed attempt.
      ClientRequestToken: lead.leadId,
      TransactItems: [
        {
          Put: {
            TableName: tables.leads,
            Item: toAttributes(toLeadItem(lead)),
            ConditionExpression: 'attribute_not_exists(leadId)',
          },
        },
        {
          Put: {
            TableName: tables.idempotency,
            Item: toAttributes(record),
            ConditionExpression:
              'attribute_not_exists(keyHash) OR expiresAt <= :now' +
              ' OR (kind = :denied AND attribute_not_exists(#marker)) OR #marker = :denialSeen',
            ExpressionAttributeNames: { '#marker': markerName(lead.surface) },
            ExpressionAttributeValues: toAttributes({
              ':now': wholeSeconds(nowMilliseconds),
              ':denied': 'denied',
              ':denialSeen': denialSeen ?? 'none',
            }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
      ],
    }),
  );
}

/** The record that failed our condition. */
function standingRecord(error: unknown): KeyRecord | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const item = error.CancellationReasons?.[1]?.Item;
  return item ? (unmarshall(item) as KeyRecord) : undefined;
}

function isConditionFailure(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
  );
}

/** A live acceptance is the response; our surface's marker that we did not see is a duplicate's denial, and we agree. */
function settledBy(standing: KeyRecord | undefined, keyed: KeyedLead): KeyedOutcome | undefined {
  if (!standing || !isLive(standing, keyed.nowMilliseconds)) return undefined;
  if (standing.kind === 'accepted') {
    return { original: standing };
  }
  const marker = denialOn(standing, keyed.lead.surface);
  return marker && marker.denialId !== keyed.denialSeen?.denialId ? { denied: marker.reason } : undefined;
}

export interface Denial extends DenialMarker {
  readonly keyHash: string;
  readonly surface: AnySurface;
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
  /** Stores the denial's marker under the key, unless a live acceptance is there, which is then the response. */
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
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.idempotency, Key: { keyHash }, ConsistentRead: true }),
      { abortSignal: signal },
    );
    return Item as KeyRecord | undefined;
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
