import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';

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
}

let sequence = 0;

/** A new lead as a DynamoDB stream delivers it. */
export function insertOf(sample: StreamedSample = {}): DynamoDBRecord {
  sequence += 1;
  const leadId = sample.leadId ?? randomUUID();
  return {
    eventID: randomUUID(),
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      SequenceNumber: String(sequence).padStart(21, '0'),
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
