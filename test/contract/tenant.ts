import { randomBytes } from 'node:crypto';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { requestFor, type Sender, type Submission } from '../../conformance/world/submission.ts';
import { toDocumentClient } from '../../lambdas/aws/document-client.ts';
import { recordPrefix } from '../../lambdas/rejections/rejection-record.ts';
import { makeAdministration } from '../../lambdas/settings/administration/administration.ts';
import { fromLeadItem, type Lead } from '../../lambdas/submission/lead-item.ts';
import type { Surface } from '../../lambdas/submission/limits.ts';
import { localStack } from '../local-stack.ts';
import { type HttpAnswer, send } from './http.ts';

export { requestFor, SAMPLE, type Submission, submissionId } from '../../conformance/world/submission.ts';

/** A workspace of its own with a form, a secret and a token: what one row of the contract needs. */
export type Tenant = Sender;

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

  /** The record of this rejection, of the workspace or of none. It is there as soon as the answer is. */
  async function recordOf(answer: HttpAnswer, workspaceId: string | undefined) {
    const requestId = answer.headers['x-amzn-requestid'];
    const found = await Promise.all(
      [tables.rejections, tables.unauthenticatedRejections].map((TableName) =>
        client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'requestId = :requestId AND begins_with(sk, :owner)',
            ExpressionAttributeValues: { ':requestId': requestId, ':owner': recordPrefix(workspaceId) },
            ConsistentRead: true,
          }),
        ),
      ),
    );
    return found.flatMap(({ Items = [] }) => Items)[0];
  }

  return { client, tables, administration, newTenant, lead, leadIds, diagnostics, recordOf };
}

export function submit(surface: Surface, tenant: Tenant, submission: Submission = {}): Promise<HttpAnswer> {
  return send(requestFor(surface, tenant, submission));
}

/** What a sender may see of a rejection: all of it but the date, the request's ids and the connection's own. */
export function visible({ status, headers, body }: HttpAnswer) {
  const passing = new Set(['date', 'x-amzn-requestid', 'x-amz-apigw-id', 'connection', 'keep-alive']);
  const lasting = Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)));
  return { status, headers: lasting, body };
}
