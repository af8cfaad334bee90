import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../local-account.ts';

/** Calls the operations of one service. */
export interface ServiceClient {
  call<Output>(operation: string, input: object, signal?: AbortSignal): Promise<Output>;
  destroy(): void;
}

/** How the service calls itself in `X-Amz-Target`. */
export const STREAMS = 'DynamoDBStreams_20120810';
export const SQS = 'AmazonSQS';

/** An error from a service, named like the SDK's class. */
export class ServiceError extends Error {
  override readonly name: string;

  constructor(type: string) {
    super(type);
    this.name = type.slice(type.indexOf('#') + 1);
  }
}

/**
 * Calls a local engine as JSON. The SDK would sign and check what nobody checks here, and convert each record to objects
 * that we convert back, which took much of the main thread's time.
 */
export function makeServiceClient(
  target: typeof STREAMS | typeof SQS,
  endpoint: string,
  accessKeyId: string = LOCAL_CREDENTIALS.accessKeyId,
): ServiceClient {
  const agent = new Agent({ keepAlive: true });
  const scope = `${accessKeyId}/20260101/${LOCAL_REGION}/${target === SQS ? 'sqs' : 'dynamodb'}/aws4_request`;
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    // Required but not checked.
    Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
  };

  function send(operation: string, body: string, signal: AbortSignal | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(endpoint, {
        method: 'POST',
        agent,
        signal,
        headers: {
          ...headers,
          'X-Amz-Target': `${target}.${operation}`,
          'Content-Length': Buffer.byteLength(body),
        },
      })
        .once('response', resolve)
        .once('error', (error: NodeJS.ErrnoException) => {
          // The engine closed a connection that was idle, at the moment of its next request. All operations here may be
          // repeated.
          if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(operation, body, signal));
          else reject(error);
        })
        .end(body);
    });
  }

  return {
    async call<Output>(operation: string, input: object, signal?: AbortSignal) {
      const response = await send(operation, JSON.stringify(input), signal);
      const output = (await json(response)) as Output & { __type?: string };
      if (response.statusCode !== 200)
        throw new ServiceError(output.__type ?? `status ${response.statusCode}`);
      return output;
    },
    destroy: () => agent.destroy(),
  };
}
