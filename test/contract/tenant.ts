import { createHmac, randomBytes } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { fromLeadItem, type Lead } from '../../lambdas/core/lead-item.ts';
import type { Surface } from '../../lambdas/core/surfaces.ts';
import { makeAdministration } from '../../lambdas/stores/administration/index.ts';
import { toDocumentClient } from '../../lambdas/stores/document-client.ts';
import { localStack } from '../local-stack.ts';
import { type HttpAnswer, type HttpRequest, send } from './http.ts';

export const SAMPLE =
  '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}';

/** A workspace of its own with a form, a secret and a token: what one row of the contract needs. */
export interface Tenant {
  readonly workspaceId: string;
  readonly formId: string;
  readonly slug: string;
  readonly secret: string;
  readonly token: string;
  readonly tokenId: string;
}

export interface Submission {
  readonly body?: string | Buffer;
  /** Added to what a correct submission sends; `null` leaves a header out. */
  readonly headers?: Record<string, string | string[] | null>;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly token?: string;
  readonly slug?: string;
}

/** The running stack, as a test that knows only its outputs file sees it. */
export function openContract() {
  const { tables, newClient } = localStack();
  const client = toDocumentClient(newClient());
  const administration = makeAdministration({ client, tables, now: Date.now, randomBytes });

  async function newTenant(): Promise<Tenant> {
    const { workspaceId } = await administration.createWorkspace({ name: 'Contract' });
    const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
    const { secret } = await administration.setSecret({ formId });
    const { token, tokenId } = await administration.createToken({ formId });
    return { workspaceId, formId, slug, secret, token, tokenId };
  }

  async function lead(leadId: string): Promise<Lead | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.leads, Key: { leadId, part: 'lead' }, ConsistentRead: true }),
    );
    return Item && fromLeadItem(Item);
  }

  async function leadIds({ formId }: Tenant): Promise<string[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.leads,
        IndexName: 'byForm',
        KeyConditionExpression: 'formId = :formId',
        ExpressionAttributeValues: { ':formId': formId },
      }),
    );
    return Items.map(({ leadId }) => leadId as string);
  }

  async function diagnostics(partition: string, prefix?: string): Promise<Record<string, unknown>[]> {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tables.diagnostics,
        KeyConditionExpression: `workspaceId = :partition${prefix ? ' AND begins_with(sk, :prefix)' : ''}`,
        ExpressionAttributeValues: { ':partition': partition, ...(prefix && { ':prefix': prefix }) },
        ConsistentRead: true,
      }),
    );
    return Items;
  }

  /** The event that was kept for one of these answers, in the workspace's partition or in those of nobody. */
  async function eventOf(answer: HttpAnswer, workspaceId: string | undefined) {
    const partitions = workspaceId
      ? [workspaceId]
      : Array.from({ length: 16 }, (_, shard) => `unattributed#${String(shard).padStart(2, '0')}`);
    const events = await Promise.all(partitions.map((partition) => diagnostics(partition, 'event#')));
    return events.flat().find(({ requestId }) => requestId === answer.headers['x-amzn-requestid']);
  }

  return { client, tables, administration, newTenant, lead, leadIds, diagnostics, eventOf };
}

export function submit(surface: Surface, tenant: Tenant, submission: Submission = {}): Promise<HttpAnswer> {
  return send(requestFor(surface, tenant, submission));
}

export function requestFor(surface: Surface, tenant: Tenant, submission: Submission): HttpRequest {
  const { body = SAMPLE, slug = tenant.slug } = submission;
  const credentials = surface === '1a' ? bearer(tenant, submission) : signed(tenant, submission, body);
  const headers: Record<string, string | string[]> = {};
  const wanted = { 'Content-Type': 'application/json', ...credentials, ...submission.headers };
  for (const [name, value] of Object.entries(wanted)) if (value !== null) headers[name] = value;
  return { path: surface === '1a' ? '/api/v1/ingest' : `/api/v1/ingest/${slug}`, headers, body };
}

function bearer(tenant: Tenant, { token = tenant.token }: Submission) {
  return { Authorization: `Bearer ${token}` };
}

/** Signs as a provider would who has read nothing but the specification. */
function signed(tenant: Tenant, submission: Submission, body: string | Buffer) {
  const { secret = tenant.secret, timestamp = String(Math.floor(Date.now() / 1000)) } = submission;
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': submission.signature ?? signature };
}

export function submissionId(answer: HttpAnswer): string {
  if (answer.status !== 202) throw new Error(`expected 202, got ${answer.status} ${answer.body}`);
  return (JSON.parse(answer.body) as { submission_id: string }).submission_id;
}

/** What a sender may see of a rejection: all of it but the date, the request's ids and the connection's own. */
export function visible({ status, headers, body }: HttpAnswer) {
  const passing = new Set(['date', 'x-amzn-requestid', 'x-amz-apigw-id', 'connection', 'keep-alive']);
  const lasting = Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));
  return { status, headers: lasting, body };
}
