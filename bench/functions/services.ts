import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { decode, encode } from 'dns-packet';
import { type Closers, listenOnLoopback } from '../../local/lifecycle.ts';
import type { WireCall, WireInput } from '../units/wire-calls.ts';

/** A request of a function to another service than DynamoDB. */
export interface OtherCall {
  /** `AmazonSQS.SendMessageBatch`, `SES`, or `webhook` for everything that is no service of AWS. */
  readonly target: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface RecordedServices {
  readonly endpoint: string;
  readonly dns: string;
  dynamoDb(): readonly WireCall[];
  others(): readonly OtherCall[];
  /** Everything put on queues. */
  messages(): string[];
  /** Sent and received, without headers. */
  bytes(): number;
  reset(): void;
}

type Answer = (input: Readonly<Record<string, unknown>>) => object;

const md5 = (content: unknown) => createHash('md5').update(String(content)).digest('hex');
const failure = (__type: string) => ({ __type, message: 'as asked' });

/** What AWS would answer to functions that have no reason to be refused. Only the calls are of interest. */
function answersOf(keys: string): Readonly<Record<string, Answer>> {
  const pending = new Map<unknown, unknown>();
  return {
    'AmazonSQS.SendMessageBatch': ({ Entries }) => ({
      Successful: (Entries as { Id: string; MessageBody: string }[]).map(({ Id, MessageBody }) => ({
        Id,
        MessageId: Id,
        MD5OfMessageBody: md5(MessageBody),
      })),
    }),
    'AmazonSQS.SendMessage': ({ MessageBody }) => ({ MessageId: '1', MD5OfMessageBody: md5(MessageBody) }),
    'AmazonSQS.GetQueueAttributes': () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    'AWSEvents.PutEvents': ({ Entries }) => ({
      FailedEntryCount: 0,
      Entries: (Entries as object[]).map((_, index) => ({ EventId: String(index) })),
    }),
    'DynamoDBStreams_20120810.DescribeStream': () => ({ StreamDescription: { Shards: [] } }),
    'AWSCognitoIdentityProviderService.GetTokensFromRefreshToken': tokens,
    'AWSCognitoIdentityProviderService.InitiateAuth': tokens,
    'secretsmanager.GetSecretValue': ({ VersionStage, VersionId }) => {
      const found = VersionStage === 'AWSPENDING' ? pending.get(VersionId) : keys;
      return found === undefined ? failure('ResourceNotFoundException') : { SecretString: found };
    },
    'secretsmanager.PutSecretValue': ({ ClientRequestToken, SecretString }) => {
      pending.set(ClientRequestToken, SecretString);
      return {};
    },
    'secretsmanager.DescribeSecret': () => ({ VersionIdsToStages: { before: ['AWSCURRENT'] } }),
    'secretsmanager.UpdateSecretVersionStage': () => ({}),
    SES: () => ({ MessageId: '1' }),
    webhook: () => ({}),
  };
}

const tokens: Answer = () => ({
  AuthenticationResult: { IdToken: 'a.b.c', AccessToken: 'a.b.c', ExpiresIn: 3_600, TokenType: 'Bearer' },
});

const DYNAMODB = 'DynamoDB_20120810.';

/** One server for all that functions call. DynamoDB's requests go on to the engine, which says what it charges. */
export async function startRecordedServices(
  dynamoDb: string,
  browserKeys: string,
  closers: Closers,
): Promise<RecordedServices> {
  const answers = answersOf(browserKeys);
  let calls: WireCall[] = [];
  let others: OtherCall[] = [];
  let bytes = 0;

  async function forward({ headers }: IncomingMessage, target: string, sent: string) {
    const input = JSON.parse(sent) as WireInput;
    const response = await fetch(dynamoDb, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        'x-amz-date': String(headers['x-amz-date']),
        authorization: String(headers.authorization),
      },
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }),
    });
    const received = await response.text();
    const { ConsumedCapacity = [] } = JSON.parse(received) as { ConsumedCapacity?: object };
    const action = target.slice(DYNAMODB.length);
    calls.push({ action, input, refused: !response.ok, consumed: [ConsumedCapacity].flat() });
    return { status: response.status, received };
  }

  function answer(target: string, sent: string) {
    const input = (sent.startsWith('{') ? JSON.parse(sent) : {}) as Record<string, unknown>;
    others.push({ target, input });
    const result = answers[target]?.(input) ?? failure('UnknownOperationException');
    return { status: '__type' in result ? 400 : 200, received: JSON.stringify(result) };
  }

  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const target = targetOf(request);
    const { status, received } = target.startsWith(DYNAMODB)
      ? await forward(request, target, sent)
      : answer(target, sent);
    bytes += Buffer.byteLength(sent) + Buffer.byteLength(received);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(received);
  });
  server.keepAliveTimeout = 0;
  return {
    endpoint: await listenOnLoopback(server, closers),
    dns: await startMailHosts(closers),
    dynamoDb: () => calls,
    others: () => others,
    messages: () =>
      others
        .filter(({ target }) => target === 'AmazonSQS.SendMessageBatch')
        .flatMap(({ input }) => input.Entries as { MessageBody: string }[])
        .map(({ MessageBody }) => MessageBody),
    bytes: () => bytes,
    reset() {
      [calls, others, bytes] = [[], [], 0];
    },
  };
}

function targetOf({ headers, url = '' }: IncomingMessage): string {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target;
  return url.startsWith('/v2/email/') ? 'SES' : 'webhook';
}

/** Says of every domain that one host takes its mail. */
async function startMailHosts(closers: Closers): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { id, questions: [question] = [] } = decode(query);
    if (question === undefined) return;
    const { name, type } = question;
    const answers =
      type === 'MX'
        ? [{ name, type, ttl: 60, data: { preference: 10, exchange: `mx.${name}` } } as const]
        : [];
    socket.send(
      encode({ id, type: 'response', flags: 0x180, questions: [question], answers }),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.defer(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
