import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../local-account.ts';
import type { StreamRecord } from './stream-delivery.ts';

export interface Shard {
  readonly ShardId?: string;
  readonly ParentShardId?: string;
}

export interface ShardPage {
  readonly Shards?: readonly Shard[];
  readonly LastEvaluatedShardId?: string | undefined;
}

export interface StartOfReading {
  readonly ShardId: string;
  readonly ShardIteratorType: 'TRIM_HORIZON' | 'LATEST' | 'AFTER_SEQUENCE_NUMBER';
  readonly SequenceNumber?: string | undefined;
}

export interface ReadRecords {
  readonly Records?: readonly StreamRecord[];
  readonly NextShardIterator?: string | undefined;
}

/** The calls that follow a stream. */
export interface StreamsApi {
  describe(streamArn: string, after: string | undefined, signal: AbortSignal): Promise<ShardPage>;
  openIterator(streamArn: string, from: StartOfReading, signal: AbortSignal): Promise<string | undefined>;
  getRecords(iterator: string | undefined, limit: number, signal: AbortSignal): Promise<ReadRecords>;
}

/** What DynamoDB says instead of an answer, under the name of the SDK's class for it. */
export class StreamsError extends Error {
  override readonly name: string;

  constructor(type: string) {
    super(type);
    this.name = type.slice(type.indexOf('#') + 1);
  }
}

/**
 * The streams of DynamoDB Local as JSON. The SDK would make typed objects of each record, only for us to turn them back
 * into JSON: that was a large part of what the main thread did.
 */
export function makeStreamsApi(
  endpoint: string,
  accessKeyId: string = LOCAL_CREDENTIALS.accessKeyId,
): StreamsApi & { destroy(): void } {
  const agent = new Agent({ keepAlive: true });
  const scope = `${accessKeyId}/20260101/${LOCAL_REGION}/dynamodb/aws4_request`;
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    // The engine wants to see one and checks none.
    Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
  };

  async function send(name: string, body: string, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const target = `DynamoDBStreams_20120810.${name}`;
      request(endpoint, {
        ...{ method: 'POST', agent, signal },
        headers: { ...headers, 'X-Amz-Target': target, 'Content-Length': Buffer.byteLength(body) },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(body);
    });
  }

  async function call<Output>(name: string, input: object, signal: AbortSignal): Promise<Output> {
    const response = await send(name, JSON.stringify(input), signal);
    const answer = (await json(response)) as Output & { __type?: string };
    if (response.statusCode !== 200) throw new StreamsError(answer.__type ?? `status ${response.statusCode}`);
    return answer;
  }

  return {
    async describe(StreamArn, ExclusiveStartShardId, signal) {
      const input = { StreamArn, ExclusiveStartShardId };
      const answer = await call<{ StreamDescription?: ShardPage }>('DescribeStream', input, signal);
      return answer.StreamDescription ?? {};
    },
    async openIterator(StreamArn, from, signal) {
      const input = { StreamArn, ...from };
      return (await call<{ ShardIterator?: string }>('GetShardIterator', input, signal)).ShardIterator;
    },
    getRecords: (ShardIterator, Limit, signal) => call('GetRecords', { ShardIterator, Limit }, signal),
    destroy: () => agent.destroy(),
  };
}
