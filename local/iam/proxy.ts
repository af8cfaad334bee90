import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { invokedBy } from '../lambda-api.ts';
import { type Closers, isFromProgram, listenOnLoopback } from '../lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import { SEND_EMAIL_PATH } from '../sending-services.ts';
import type { Call } from './evaluate.ts';

/** An AWS service and its local engine. */
export interface ProxiedService {
  /** The prefix of `X-Amz-Target`, for example `DynamoDB_20120810`. See below for REST services. */
  readonly target: string;
  readonly endpoint: URL;
  /** Undefined lets the request pass. */
  refuse(accessKeyId: string, operation: string, body: string): Refusal | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request to a REST service would name as its target, by path. Of Lambda, the operation is the function's name. */
function restTarget(url = ''): string | undefined {
  if (url === SEND_EMAIL_PATH) return 'SES.SendEmail';
  const invoked = invokedBy(url);
  return invoked && `${INVOKE_TARGET}.${invoked}`;
}

export const INVOKE_TARGET = 'LambdaInvoke';

const CREDENTIAL = /Credential=([^/,\s]+)\//;

/** One server for all engines: the request names its service, and its signature the caller. */
export async function startProxy(
  services: readonly ProxiedService[],
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const agent = new Agent({ keepAlive: true });
  closers.defer(() => agent.destroy());
  const server = createServer((incoming, response) => {
    if (!isFromProgram(incoming)) {
      response.writeHead(403).end();
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => serve(incoming, Buffer.concat(chunks), response, { services, agent }));
  });
  // Functions keep their connections open.
  server.keepAliveTimeout = 0;
  return { endpoint: await listenOnLoopback(server, closers) };
}

interface Behind {
  readonly services: readonly ProxiedService[];
  readonly agent: Agent;
}

function serve(
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { services, agent }: Behind,
): void {
  const named = incoming.headers['x-amz-target'] ?? restTarget(incoming.url);
  const [target, operation = ''] = String(named).split('.');
  const accessKeyId = CREDENTIAL.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
  const service = services.find((candidate) => candidate.target === target);
  const refusal = service
    ? service.refuse(accessKeyId, operation, body.toString())
    : { status: 400, message: `${target} is not supported` };
  if (service === undefined || refusal !== undefined) respond(response, refusal);
  else forward(incoming, body, response, { agent, endpoint: service.endpoint });
}

function respond(response: ServerResponse, refusal: Refusal | undefined): void {
  response.writeHead(refusal?.status ?? 400, {
    'content-type': 'application/x-amz-json-1.0',
    ...refusal?.headers,
  });
  response.end(
    JSON.stringify({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: refusal?.message,
    }),
  );
}

function forward(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { agent, endpoint }: { readonly agent: Agent; readonly endpoint: URL },
): void {
  const { hostname, port } = endpoint;
  const { 'transfer-encoding': _chunked, ...kept } = headers;
  const outgoing = request({
    agent,
    hostname,
    port,
    method,
    path: url,
    headers: { ...kept, 'content-length': body.length },
  });
  outgoing.on('response', (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
    incoming.pipe(response);
  });
  // The client sees a closed connection, as it would without the proxy.
  outgoing.on('error', () => response.destroy());
  // When a client gives up, for example on a long poll, the engine's connection closes, too.
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  outgoing.end(body);
}

/** What IAM must allow for an EventBridge request. */
export function eventBusCalls(
  operation: string,
  { Entries = [] }: { readonly Entries?: readonly { readonly EventBusName?: string }[] },
): Call[] {
  if (operation !== 'PutEvents') throw new Error(`the permissions of events:${operation} are not known`);
  const buses = new Set(Entries.map(({ EventBusName = 'default' }) => EventBusName));
  return [...buses].map((bus) => ({
    action: 'events:PutEvents',
    resource: bus.startsWith('arn:') ? bus : arn('events', `event-bus/${bus}`),
  }));
}

/** What IAM must allow for a request to a user pool. */
export function userPoolCalls(operation: string, { UserPoolId }: { readonly UserPoolId?: string }): Call[] {
  if (!operation.startsWith('Admin') || !UserPoolId) {
    throw new Error(`the permissions of cognito-idp:${operation} are not known`);
  }
  return [{ action: `cognito-idp:${operation}`, resource: arn('cognito-idp', `userpool/${UserPoolId}`) }];
}

interface SendEmailBody {
  readonly FromEmailAddress?: string;
  readonly ConfigurationSetName?: string;
  readonly Destination?: { readonly ToAddresses?: readonly string[] };
}

/**
 * What IAM must allow for an SES request, as in the sandbox, where every recipient is an identity too, and as if the
 * sender's address, not its domain, were verified.
 */
export function sesCalls(
  operation: string,
  { FromEmailAddress = '', ConfigurationSetName, Destination }: SendEmailBody,
): Call[] {
  if (operation !== 'SendEmail') throw new Error(`the permissions of ses:${operation} are not known`);
  const address = /<([^<>]*)>$/.exec(FromEmailAddress)?.[1] ?? FromEmailAddress;
  const resources = [
    ...[address, ...(Destination?.ToAddresses ?? [])].map((identity) => `identity/${identity}`),
    ...(ConfigurationSetName === undefined ? [] : [`configuration-set/${ConfigurationSetName}`]),
  ];
  return resources.map((resource) => ({
    action: 'ses:SendEmail',
    resource: arn('ses', resource),
    context: { 'ses:FromAddress': address },
  }));
}

const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${resource}`;
