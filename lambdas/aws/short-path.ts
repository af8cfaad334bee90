import { once } from 'node:events';
import type { Readable } from 'node:stream';
import {
  type BatchGetItemCommand,
  type BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommand,
  type TransactWriteItemsCommand,
  type UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { RetryStrategyV2, RetryToken, SdkError } from '@smithy/types';
import type { RequestSigner } from './request-signer.ts';

type Command =
  | BatchGetItemCommand
  | BatchWriteItemCommand
  | PutItemCommand
  | QueryCommand
  | TransactWriteItemsCommand
  | UpdateItemCommand;
type Config = DynamoDBClient['config'];
type SentRequest = Parameters<Config['requestHandler']['handle']>[0];
type Response = Awaited<ReturnType<Config['requestHandler']['handle']>>['response'];

/** The part of the SDK's interface that is used here. Its own types differ from one version of it to the next. */
interface Protocol {
  serializeRequest(operation: object, input: object, context: object): Promise<SentRequest>;
  deserializeResponse(operation: object, context: object, response: Response): Promise<unknown>;
}

/** Returns what sends the command, or undefined until the client has sent another one the whole way. */
type ShortPath = (command: Command, signal: AbortSignal | undefined) => (() => Promise<unknown>) | undefined;

const SHORT_PATHS = new WeakMap<object, ShortPath>();

/** What each attempt is reported to. */
export interface Watch {
  batchSucceeded(output: unknown): void;
  failed(input: object, error: unknown): void;
}

/**
 * For each command, the SDK builds a chain of middleware, resolves the endpoint, chooses how to sign and copies its
 * configuration, always with the same result. On the short path, the SDK's serializer, sockets, parser and retries are
 * called one after the other. The client's first command goes the whole way, and its endpoint is remembered.
 */
export function openShortPath(client: DynamoDBClient, signer: RequestSigner, watch: Watch): void {
  const { config, middlewareStack } = client;
  const { requestHandler } = config;
  const protocol = config.protocol as unknown as Protocol;
  let endpoint: object | undefined;
  let host = '';
  middlewareStack.add(
    (next) => (args) => {
      const { protocol, hostname, port, path, headers } = args.request as SentRequest;
      endpoint = { protocol, hostname, port, path };
      host = headers.host ?? '';
      middlewareStack.remove('rememberEndpoint');
      return next(args);
    },
    { step: 'finalizeRequest', name: 'rememberEndpoint' },
  );
  const context = { ...config, endpoint: async () => endpoint, streamCollector: readBytes };
  /** Known once an attempt has failed. */
  let retries: Retries | undefined;

  async function send({ input, schema }: Command, abortSignal: AbortSignal | undefined) {
    const [, namespace, name, traits, from, to] = schema as readonly unknown[];
    const operation = { namespace, name, traits, input: from, output: to };
    const request = await protocol.serializeRequest(operation, input, context);
    request.headers.host = host;
    for (let token: RetryToken | undefined; ; ) {
      let status: number | undefined;
      try {
        const signed = (await signer.sign(request)) as SentRequest;
        const { response } = await requestHandler.handle(signed, { abortSignal });
        status = response.statusCode;
        const output = await protocol.deserializeResponse(operation, context, response);
        if ('RequestItems' in input) watch.batchSucceeded(output);
        retries?.strategy.recordSuccess(token ?? retries.first);
        return { response, output };
      } catch (error) {
        const failure = error as SdkError;
        // If the body is no JSON, the SDK's parser leaves the status out, by which it is repeated.
        failure.$metadata ??= { httpStatusCode: status };
        watch.failed(input, failure);
        retries ??= await retriesOf(config);
        token = await nextAttempt(retries.strategy, token ?? retries.first, failure, abortSignal);
      }
    }
  }

  SHORT_PATHS.set(config, (command, signal) => endpoint && (() => send(command, signal)));
}

interface Retries {
  readonly strategy: RetryStrategyV2;
  readonly first: RetryToken;
}

async function retriesOf(config: Config): Promise<Retries> {
  const strategy = (await config.retryStrategy()) as RetryStrategyV2;
  return { strategy, first: await strategy.acquireInitialRetryToken('') };
}

/** Pauses as the SDK does. Throws the error if there is no other attempt, or no time for one. */
async function nextAttempt(
  strategy: RetryStrategyV2,
  token: RetryToken,
  error: SdkError,
  signal: AbortSignal | undefined,
): Promise<RetryToken> {
  if (signal?.aborted) throw error;
  const isTransient = isTransientError(error) && ('TRANSIENT' as const);
  const errorType = isThrottlingError(error) ? 'THROTTLING' : isTransient || 'CLIENT_ERROR';
  const next = strategy.refreshRetryTokenForRetry(token, { error, errorType });
  const ways = signal ? [next, once(signal, 'abort').then(() => Promise.reject(error))] : [next];
  return Promise.race(ways).catch(() => Promise.reject(error));
}

/** The SDK's own collector pipes the response through a second stream. */
function readBytes(stream: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', reject);
  });
}

/** Lets a command take the short path, if its client has one. */
export function onShortPath<C extends Command>(command: C): C {
  const wholeWay = command.resolveMiddleware.bind(command) as (...args: unknown[]) => unknown;
  return Object.assign(command, {
    resolveMiddleware(stack: unknown, config: Config, options?: { abortSignal?: AbortSignal }) {
      return SHORT_PATHS.get(config)?.(command, options?.abortSignal) ?? wholeWay(stack, config, options);
    },
  });
}

/** As the document client writes attributes. */
export const toAttributes = (item: object) => marshall(item, { removeUndefinedValues: true });

type PutInput = ConstructorParameters<typeof PutItemCommand>[0];

/** The document client's `PutCommand`, on the short path. */
export function putOnShortPath({
  Item,
  ExpressionAttributeValues: values,
  ...rest
}: Omit<PutInput, 'Item' | 'ExpressionAttributeValues'> & {
  readonly Item: object;
  readonly ExpressionAttributeValues?: object;
}): PutItemCommand {
  const valuesIfAny = values && { ExpressionAttributeValues: toAttributes(values) };
  return onShortPath(new PutItemCommand({ ...rest, ...valuesIfAny, Item: toAttributes(Item) }));
}
