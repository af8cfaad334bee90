import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { openShortPath } from '#aws/short-path.ts';
import type { Input, Reply } from './dynamodb-double.ts';

/** Sends one attempt of one call, and returns the reply or throws the network error. */
export type Carry = (operation: string, input: Input, signal: AbortSignal | undefined) => Promise<Reply>;

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

function requestHandler(carry: Carry) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle({ headers, body }: HttpRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const operation = headers['x-amz-target']?.split('.')[1] ?? '';
      const text =
        typeof body === 'string'
          ? body
          : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
      const reply = await carry(operation, JSON.parse(text) as Input, abortSignal);
      return {
        response: {
          statusCode: reply.statusCode,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Buffer.from(JSON.stringify(reply.body)),
        },
      };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
    destroy: () => undefined,
  };
}

/** Settings that the SDK would otherwise read from files or the environment, which takes real time. */
const SETTLED = {
  region: 'eu-central-1',
  endpoint: 'http://double',
  credentials: { accessKeyId: 'double', secretAccessKey: 'double' },
  retryMode: 'standard',
  defaultsMode: 'standard',
  accountIdEndpointMode: 'disabled',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  endpointProvider: () => ({ url: new URL('http://double'), headers: {}, properties: {} }),
  endpointDiscoveryEnabledProvider: async () => false,
  userAgentAppId: async () => undefined,
} as const;

/** Middleware for signatures and headers, which only a real AWS reads and which take two thirds of the time of a call. */
const FOR_THE_NETWORK = [
  ...['httpAuthSchemeMiddleware', 'httpSigningMiddleware', 'getUserAgentMiddleware', 'hostHeaderMiddleware'],
  ...['recursionDetectionMiddleware', 'contentLengthMiddleware', 'loggerMiddleware'],
];

function withoutNetwork<Client extends DynamoDBClient | SQSClient>(client: Client): Client {
  for (const name of FOR_THE_NETWORK) client.middlewareStack.remove(name);
  // Endpoint, serializer and parser copy the configuration for every command. V8 keeps the SDK's as a dictionary, also
  // in its first copy, and a dictionary takes several times as long to copy.
  const config = { ...{ ...client.config } };
  client.middlewareStack.use(getSchemaSerdePlugin(config));
  return Object.assign(client, { config });
}

const optionsOf = (carry: Carry, maxAttempts: number): unknown => ({
  ...SETTLED,
  maxAttempts,
  requestHandler: requestHandler(carry),
});

/** The real SDK client with its marshalling, retries and errors, and the functions' own short path, without a network. */
export function wiredDynamoDb(carry: Carry, maxAttempts: number): DynamoDBClient {
  const client = withoutNetwork(new DynamoDBClient(optionsOf(carry, maxAttempts) as DynamoDBClientConfig));
  openShortPath(client, { sign: async (request) => request }, { batchSucceeded() {}, failed() {} });
  return client;
}

export const wiredSqs = (carry: Carry, maxAttempts: number) =>
  withoutNetwork(new SQSClient(optionsOf(carry, maxAttempts) as SQSClientConfig));
