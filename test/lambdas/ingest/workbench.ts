import { randomBytes, randomUUID } from 'node:crypto';
import { GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { toDocumentClient } from '#aws/document-client.ts';
import { SAMPLE, type Sender } from '#conformance/world/submission.ts';
import { ownerOf, type RejectionRecord } from '#rejections/rejection-record.ts';
import { makeAdministration } from '#settings/administration/administration.ts';
import type { TickClock } from '#submission/answer-on-tick.ts';
import { slugConfigurations, tokenConfigurations } from '#submission/configuration-store.ts';
import { makeLeadId } from '#submission/ids.ts';
import { makeIngestStores } from '#submission/ingest-dependencies.ts';
import { makeIngestServer } from '#submission/ingest-server/handler.ts';
import { makeIngestWebhook } from '#submission/ingest-webhook/handler.ts';
import { fromLeadItem, type Lead } from '#submission/lead-item.ts';
import type { Surface } from '#submission/limits.ts';
import { makeTelemetry } from '#submission/report-outcome.ts';
import { signatureOf } from '#submission/signed-request.ts';
import { localStack } from '../../local-stack.ts';
import { recordCalls } from './recorded-calls.ts';

export { SAMPLE, type Sender };

const REJECTION_TABLES = ['rejections', 'unauthenticatedRejections'] as const;

export interface Request {
  readonly body?: string | Buffer | null;
  readonly headers?: Record<string, string | string[]>;
  readonly slug?: string;
  readonly requestId?: string;
  readonly userAgent?: string;
}

/** A busy machine must not fail a test, so deadlines are long unless a test is about them. */
interface Patience {
  readonly logLines?: string[];
  readonly deadlineMilliseconds?: number;
  readonly recordingMilliseconds?: number;
  readonly tickClock?: TickClock;
}

/**
 * The real handlers over DynamoDB Local, with a clock that tests move and a client whose calls they see. Each pair of
 * handlers is an environment of its own, with its own memory, as on Lambda.
 */
export function openWorkbench(startAt = Date.parse('2026-11-15T12:00:10Z')) {
  const stack = localStack();
  const clock = { now: startAt };
  const now = () => clock.now;
  const rawClient = stack.newClient();
  const calls = recordCalls(rawClient);
  const client = toDocumentClient(rawClient);
  const observer = toDocumentClient(stack.newClient());
  const administration = makeAdministration({ client: observer, tables: stack.tables, now, randomBytes });

  /** Where this bench's functions have recorded rejections. Diagnostics follows later, off the tables' streams. */
  const recorded: { table: string; record: RejectionRecord }[] = [];
  client.middlewareStack.add(
    (next) => (args) => {
      const { TableName = '', Item } = args.input as { TableName?: string; Item?: Record<string, unknown> };
      if (REJECTION_TABLES.some((noun) => stack.tables[noun] === TableName)) {
        recorded.push({ table: TableName, record: Item as unknown as RejectionRecord });
      }
      return next(args);
    },
    { step: 'initialize', name: 'recordedRejections' },
  );

  function newEnvironment(
    {
      logLines = [],
      deadlineMilliseconds = 60_000,
      recordingMilliseconds = 60_000,
      tickClock = { now, sleepUntil: async () => undefined },
    } = {} as Patience,
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

  /** Sets a counter as if that many submissions had been accepted already. */
  async function pretendCounted({ workspaceId }: Sender, counter: string, count: number): Promise<void> {
    await observer.send(
      new UpdateCommand({
        TableName: stack.tables.workspaces,
        Key: { workspaceId },
        UpdateExpression: 'SET #counter = :count',
        ExpressionAttributeNames: { '#counter': counter },
        ExpressionAttributeValues: { ':count': count },
      }),
    );
  }

  async function workspaceItem(workspaceId: string): Promise<Record<string, unknown>> {
    const { Item } = await observer.send(
      new GetCommand({ TableName: stack.tables.workspaces, Key: { workspaceId }, ConsistentRead: true }),
    );
    return Item ?? {};
  }

  async function leadById(leadId: string): Promise<Lead | undefined> {
    const { Item } = await observer.send(
      new GetCommand({ TableName: stack.tables.leads, Key: { leadId, part: 'lead' }, ConsistentRead: true }),
    );
    return Item && fromLeadItem(Item);
  }

  async function leadIdsOf(formId: string): Promise<string[]> {
    const ids: string[] = [];
    const pages = paginateQuery(
      { client: observer },
      {
        TableName: stack.tables.leads,
        IndexName: 'byForm',
        KeyConditionExpression: 'formId = :formId',
        ExpressionAttributeValues: { ':formId': formId },
      },
    );
    for await (const { Items = [] } of pages) ids.push(...Items.map(({ leadId }) => leadId as string));
    return ids;
  }

  async function diagnosticsOf(workspaceId: string, skPrefix?: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    const pages = paginateQuery(
      { client: observer },
      {
        TableName: stack.tables.diagnostics,
        KeyConditionExpression: `workspaceId = :workspaceId${skPrefix ? ' AND begins_with(sk, :prefix)' : ''}`,
        ExpressionAttributeValues: { ':workspaceId': workspaceId, ...(skPrefix && { ':prefix': skPrefix }) },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) items.push(...Items);
    return items;
  }

  /** The records of a workspace as they stand in the tables; of nobody without one. */
  async function rejectionsOf(workspaceId?: string): Promise<(RejectionRecord & { table: string })[]> {
    const theirs = recorded.filter(({ record }) =>
      record.sharedBy ? record.sharedBy.includes(workspaceId ?? '') : ownerOf(record) === workspaceId,
    );
    const stored = await Promise.all(
      theirs.map(async ({ table, record: { requestId, sk } }) => {
        const { Item } = await observer.send(
          new GetCommand({ TableName: table, Key: { requestId, sk }, ConsistentRead: true }),
        );
        return Item && [{ ...(Item as RejectionRecord), table }];
      }),
    );
    return stored.flatMap((item) => item ?? []);
  }

  return {
    stack,
    clock,
    calls,
    client,
    observer,
    administration,
    newEnvironment,
    newSender,
    newForm,
    pretendCounted,
    workspaceItem,
    leadById,
    leadIdsOf,
    diagnosticsOf,
    rejectionsOf,
    /** The reasons recorded for a workspace, with how often. */
    async reasonsOf(workspaceId: string): Promise<Record<string, number>> {
      const reasons: Record<string, number> = {};
      for (const { reason } of await rejectionsOf(workspaceId)) reasons[reason] = (reasons[reason] ?? 0) + 1;
      return reasons;
    },
  };
}

export type Workbench = ReturnType<typeof openWorkbench>;

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

/** As API Gateway hands a request over: base64, every header with all of its values. */
function gatewayEvent(
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

/** The id of an accepted submission; fails the test on anything else. */
export function submissionId(answer: { statusCode: number; body: string }): string {
  if (answer.statusCode !== 202) throw new Error(`expected 202, got ${answer.statusCode} ${answer.body}`);
  return (JSON.parse(answer.body) as { submission_id: string }).submission_id;
}

export const REJECTED = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"status":"rejected"}',
};
