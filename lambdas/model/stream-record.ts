/** The parts of a DynamoDB stream record that are read here; values are in DynamoDB's own JSON. */
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
 * The event of a stream mapping with a tumbling window. The window itself is not used, but without one the event names
 * no shard.
 */
export interface ShardEvent {
  readonly Records?: readonly StreamRecord[];
  readonly shardId?: string;
  readonly eventSourceARN?: string;
}

export interface Shard {
  readonly streamArn: string;
  readonly shardId: string;
}

export function requireShard({ shardId, eventSourceARN: streamArn }: ShardEvent): Shard {
  if (!shardId || !streamArn) throw new Error('The mapping needs a tumbling window: shardId is missing');
  return { streamArn, shardId };
}

interface StreamValue {
  readonly S?: string | undefined;
  readonly B?: unknown;
  readonly N?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly M?: Readonly<Record<string, StreamValue>> | undefined;
}
