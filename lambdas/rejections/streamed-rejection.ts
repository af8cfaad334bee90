import type { RejectionRecord } from './rejection-record.ts';

/** A record in the order of its shard. */
export interface StreamedRejection {
  readonly sequenceNumber: bigint;
  readonly record: RejectionRecord;
}

/** In DynamoDB's own JSON. */
type StreamValue = Readonly<Record<string, unknown>>;

export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly dynamodb?:
    | {
        readonly NewImage?: Readonly<Record<string, StreamValue>> | undefined;
        readonly SequenceNumber?: string | undefined;
      }
    | undefined;
}

/**
 * Undefined for deletions, for changes (a repeated write of the same record is none), and for items that somebody put there by hand and left incomplete. A stream is read in
 * order, so one item that cannot be read must not hold up the rest.
 */
export function newRejectionOf({ eventName, dynamodb }: StreamRecord): StreamedRejection | undefined {
  const { NewImage: image, SequenceNumber: sequenceNumber } = dynamodb ?? {};
  if (eventName === 'MODIFY' || !image || !sequenceNumber || !/^\d+$/.test(sequenceNumber)) return undefined;
  const item = plain({ M: image }) as Partial<RejectionRecord>;
  const complete =
    [item.requestId, item.sk, item.surface, item.reason].every(isText) &&
    !Number.isNaN(Date.parse(item.at ?? '')) &&
    typeof item.authenticated === 'boolean';
  if (!complete) return undefined;
  // DynamoDB Local leaves the type of an empty map out.
  const record = { ...(item as RejectionRecord), detail: item.detail ?? {} };
  return { sequenceNumber: BigInt(sequenceNumber), record };
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';

function plain(value: StreamValue): unknown {
  const [[type, inner] = ['NULL', true]] = Object.entries(value);
  if (type === 'N') return Number(inner);
  if (type === 'NULL') return null;
  if (type === 'L') return (inner as StreamValue[]).map(plain);
  if (type === 'M') {
    const entries = Object.entries(inner as Record<string, StreamValue>);
    return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]));
  }
  return inner;
}
