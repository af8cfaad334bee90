import { randomBytes, randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { SAMPLE, type Sender } from '../../conformance/world/submission.ts';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { makeAdministration } from '../../lambdas/settings/administration/administration.ts';
import { makeTelemetry, type TickClock } from '../../lambdas/submission/answer-and-report.ts';
import { slugConfigurations, tokenConfigurations } from '../../lambdas/submission/configuration-store.ts';
import { makeIngestStores } from '../../lambdas/submission/ingest-dependencies.ts';
import { makeIngestServer } from '../../lambdas/submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '../../lambdas/submission/ingest-webhook/handler.ts';
import { makeLeadId } from '../../lambdas/submission/lead-item.ts';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { signatureOf } from '../../lambdas/submission/signed-request.ts';
import { recordCalls } from './recorded-calls.ts';
import type { RunningStack } from './running-stack.ts';

export type { Sender };

export interface Request {
  readonly body?: string | Buffer | null;
  readonly headers?: Record<string, string | string[]>;
  readonly slug?: string;
  readonly requestId?: string;
  readonly userAgent?: string;
}

/** Deadlines are long by default, so that a busy machine does not fail a test. */
interface EnvironmentOptions {
  readonly logLines?: string[];
  readonly deadlineMilliseconds?: number;
  readonly recordingMilliseconds?: number;
  readonly tickClock?: TickClock;
}

/**
 * The real ingest handlers in this process, over the engines of a running stack, with a clock that the caller moves and
 * a client whose calls are recorded. Each environment has its own memory, as on Lambda.
 */
export function openIngestWorkbench(stack: RunningStack, startAt = Date.parse('2026-11-15T12:00:10Z')) {
  const clock = { now: startAt };
  const now = () => clock.now;
  const rawClient = stack.newClient();
  const calls = recordCalls(rawClient);
  const client = toDocumentClient(rawClient);
  const observer = toDocumentClient(stack.newClient());
  const administration = makeAdministration({ client: observer, tables: stack.tables, now, randomBytes });

  function newEnvironment(
    {
      logLines = [],
      deadlineMilliseconds = 60_000,
      recordingMilliseconds = 60_000,
      tickClock = { now, sleepUntil: async () => undefined },
    } = {} as EnvironmentOptions,
  ) {
    const dependencies = {
      ...makeIngestStores({
        client,
        recordingClient: client,
        tables: stack.tables,
        random: Math.random,
        recordingMilliseconds,
      }),
      deadlineMilliseconds,
      tickClock,
      telemetry: makeTelemetry(now, (line) => void logLines.push(line)),
      now,
      newId: randomUUID,
      newLeadId: (at: number) => makeLeadId(at, randomBytes(10)),
    };
    const server = makeIngestServer({
      ...dependencies,
      tokens: tokenConfigurations({ client, tables: stack.tables }),
    });
    const webhook = makeIngestWebhook({
      ...dependencies,
      slugs: slugConfigurations({ client, tables: stack.tables }),
    });
    const invoke = (handler: typeof server, event: APIGatewayProxyEvent) =>
      // The pipeline's first step puts a submission in the event's place.
      handler(event as unknown as Parameters<typeof handler>[0], {} as Context);
    return {
      dependencies,
      logLines,
      server: (sender: Sender, request: Request = {}) => invoke(server, serverEvent(sender, request)),
      webhook: (sender: Sender, request: Request = {}) =>
        invoke(webhook, webhookEvent(sender, request, clock.now)),
      send(surface: Surface, sender: Sender, request: Request = {}) {
        return surface === '1a' ? this.server(sender, request) : this.webhook(sender, request);
      },
    };
  }

  async function newSender(name = 'Workbench'): Promise<Sender> {
    const { workspaceId } = await administration.createWorkspace({ name });
    return { workspaceId, ...(await newForm(workspaceId)) };
  }

  async function newForm(workspaceId: string) {
    const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact' });
    const { secret } = await administration.setSecret({ formId });
    const { token, tokenId } = await administration.createToken({ formId });
    return { formId, slug, secret, token, tokenId };
  }

  return { stack, clock, calls, client, observer, administration, newEnvironment, newSender, newForm };
}

export type IngestWorkbench = ReturnType<typeof openIngestWorkbench>;

export function serverEvent({ token }: Sender, request: Request): APIGatewayProxyEvent {
  return gatewayEvent('/api/v1/ingest', null, request, { Authorization: `Bearer ${token}` });
}

function webhookEvent(sender: Sender, request: Request, nowMilliseconds: number): APIGatewayProxyEvent {
  const timestamp = String(Math.floor(nowMilliseconds / 1000));
  const signature = signatureOf(sender.secret, timestamp, bytesOf(request)).toString('hex');
  const slug = request.slug ?? sender.slug;
  return gatewayEvent('/api/v1/ingest/{slug}', { slug }, request, {
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signature,
  });
}

function bytesOf({ body = SAMPLE }: Request): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body ?? '');
}

/** As API Gateway passes a request to a function: base64, every header with all its values. */
export function gatewayEvent(
  resource: string,
  pathParameters: { slug: string } | null,
  request: Request,
  credentials: Record<string, string>,
): APIGatewayProxyEvent {
  const sent: Record<string, string | string[]> = {
    'Content-Type': 'application/json',
    ...credentials,
    ...request.headers,
  };
  const multiValueHeaders = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
  const bytes = bytesOf(request);
  return {
    resource,
    pathParameters,
    headers: Object.fromEntries(
      Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1)]),
    ),
    multiValueHeaders,
    body: request.body === null || bytes.length === 0 ? null : bytes.toString('base64'),
    isBase64Encoded: true,
    requestContext: {
      requestId: request.requestId ?? randomUUID(),
      extendedRequestId: 'xyz=',
      identity: { sourceIp: '192.0.2.1', userAgent: request.userAgent ?? 'workbench' },
    },
  } as unknown as APIGatewayProxyEvent;
}

/** The id of an accepted submission. Throws for any other answer. */
export function submissionId(answer: { statusCode: number; body: string }): string {
  if (answer.statusCode !== 202) throw new Error(`expected 202, got ${answer.statusCode} ${answer.body}`);
  return (JSON.parse(answer.body) as { submission_id: string }).submission_id;
}

export const REJECTED = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"status":"rejected"}',
};
