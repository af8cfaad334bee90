import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StoreContext } from '#aws/dynamodb.ts';
import type { ShardEvent } from '#model/stream-record.ts';

export interface StreamedSample {
  readonly leadId?: string;
  readonly workspaceId?: string;
  readonly formId?: string;
  readonly receivedAt?: string;
  readonly score?: number;
  readonly clean?: boolean;
  readonly surface?: string;
  readonly body?: { readonly S: string };
  readonly packed?: { readonly B: string };
  readonly test?: boolean;
}

/** Whole, since other tests list all workspaces. */
const WORKSPACE = { name: 'Test', createdAt: '2026-11-15T00:00:00.000Z', v: 1 };

/** Background functions write nothing for a workspace that does not exist. */
export async function newWorkspace({ client, tables }: StoreContext<'workspaces'>): Promise<string> {
  const workspaceId = `ws_${randomUUID()}`;
  await putWorkspace({ client, tables }, workspaceId);
  return workspaceId;
}

export async function putWorkspace(
  { client, tables }: StoreContext<'workspaces'>,
  workspaceId: string,
): Promise<void> {
  const Item = { ...WORKSPACE, workspaceId, status: 'active', configVersion: 1 };
  await client.send(new PutCommand({ TableName: tables.workspaces, Item }));
}

/** As `leadctl workspace offboard` does it first. */
export async function beginOffboarding(
  { client, tables }: StoreContext<'workspaces'>,
  workspaceId: string,
): Promise<void> {
  const Item = { ...WORKSPACE, workspaceId, status: 'suspended', offboardingSince: 1, configVersion: 2 };
  await client.send(new PutCommand({ TableName: tables.workspaces, Item }));
}

/** A stream with one shard, as a mapping with a tumbling window delivers it. */
export function newShard() {
  const shard = { shardId: `shardId-${randomUUID()}`, eventSourceARN: 'arn:aws:dynamodb:::table/stream' };
  return (Records: NonNullable<ShardEvent['Records']>): ShardEvent => ({ Records, ...shard });
}

/** Just below a longer number, so that comparing sequence numbers as text would fail. */
let sequence = 99_990;

/** A new lead as a DynamoDB stream delivers it. */
export function insertOf(sample: StreamedSample = {}): DynamoDBRecord {
  sequence += 1;
  const leadId = sample.leadId ?? randomUUID();
  return {
    eventID: randomUUID(),
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      SequenceNumber: String(sequence),
      Keys: { leadId: { S: leadId }, part: { S: 'lead' } },
      NewImage: {
        leadId: { S: leadId },
        part: { S: 'lead' },
        workspaceId: { S: sample.workspaceId ?? 'ws_1' },
        formId: { S: sample.formId ?? 'form_1' },
        receivedAt: { S: sample.receivedAt ?? '2026-11-15T12:34:56.789Z' },
        score: { N: String(sample.score ?? 70) },
        clean: { BOOL: sample.clean ?? true },
        ...(sample.surface && { surface: { S: sample.surface } }),
        ...(sample.test && { test: { BOOL: true } }),
        ...(sample.packed
          ? { packed: sample.packed }
          : { body: sample.body ?? { S: '{"email":"ada@analytical-engines.co.uk"}' } }),
      },
    },
  };
}

/** Other records of the stream: the enrichment of a lead, a change, a deletion, an incomplete item. */
export function noise(): DynamoDBRecord[] {
  const { dynamodb } = insertOf();
  const image = dynamodb?.NewImage ?? {};
  const { workspaceId: _, ...incomplete } = image;
  return [
    { eventName: 'INSERT', dynamodb: { ...dynamodb, NewImage: { ...image, part: { S: 'enrichment' } } } },
    { eventName: 'MODIFY', dynamodb: { ...dynamodb, NewImage: image } },
    { eventName: 'REMOVE', dynamodb: { SequenceNumber: '1', Keys: dynamodb?.Keys ?? {} } },
    { eventName: 'INSERT', dynamodb: { ...dynamodb, NewImage: incomplete } },
  ];
}
