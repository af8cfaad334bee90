import { randomBytes } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Http, type HttpResponse, openHttp, type Send } from '../../conformance/world/http.ts';
import { ORIGIN } from '../../conformance/world/page.ts';
import { requestFor, type Sender, type Submission } from '../../conformance/world/submission.ts';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { fromLeadItem, type Lead } from '../../lambdas/model/lead-item.ts';
import { type AnySurface, rateWindowsAt, type Surface } from '../../lambdas/model/limits.ts';
import { recordPrefix } from '../../lambdas/rejections/rejection-record.ts';
import { makeAdministration, makeOwnerAdministration } from '../../lambdas/workspaces/administration.ts';
import type { AdministrationContext } from '../../lambdas/workspaces/workspaces-store.ts';
import { localStack } from '../local-stack.ts';
import { itemAt, itemsOf, setAttributes } from '../stored-items.ts';

export type { HttpRequest, HttpResponse } from '../../conformance/world/http.ts';
export { requestFor, SAMPLE, type Submission, submissionId } from '../../conformance/world/submission.ts';

/** One client per stack: some tests start their own, in a worker that also runs tests on the shared one. */
const clients = new Map<string, Http>();

/** Sends to the stack that the test run started. */
export const send: Send = (request) => {
  const { ingestUrl } = localStack();
  const http = clients.get(ingestUrl) ?? openHttp(ingestUrl);
  clients.set(ingestUrl, http);
  return http.send(request);
};

/** A workspace with a form, a secret and a token. */
export type Tenant = Sender;

const WINDOWS = {
  minute: [60_000, 'minuteCounter', 1_000],
  day: [86_400_000, 'dayCounter', 50_000],
} as const;
type Window = keyof typeof WINDOWS;

/** The running stack, known only by its outputs file. */
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
    const item = await itemAt(client, tables.leads, { leadId, part: 'lead' });
    return item && fromLeadItem(item);
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

  const diagnostics = (workspaceId: string, sk?: string) =>
    itemsOf(client, tables.diagnostics, { workspaceId }, sk ? { sk } : {});

  /** The record of a rejection that belongs to this workspace or, if undefined, to none. */
  async function recordOf(response: HttpResponse, workspaceId: string | undefined) {
    const requestId = String(response.headers['x-amzn-requestid']);
    const found = await Promise.all(
      [tables.rejections, tables.unauthenticatedRejections].map((table) =>
        itemsOf(client, table, { requestId }, { sk: recordPrefix(workspaceId) }),
      ),
    );
    return found.flat()[0];
  }

  /** Uses up the limit of this window and the next, so that one that begins meanwhile does not reset it. */
  async function exhaust({ workspaceId }: Pick<Tenant, 'workspaceId'>, surface: AnySurface, window: Window) {
    const [length, counter, limit] = WINDOWS[window];
    await setAttributes(
      client,
      tables.workspaces,
      { workspaceId },
      {
        [rateWindowsAt(surface, Date.now())[counter]]: limit,
        [rateWindowsAt(surface, Date.now() + length)[counter]]: limit,
      },
    );
  }

  return { client, tables, administration, newTenant, lead, leadIds, diagnostics, recordOf, exhaust };
}

export function submit(surface: Surface, tenant: Tenant, submission: Submission = {}): Promise<HttpResponse> {
  return send(requestFor(surface, tenant, submission));
}

export { newNonce, ORIGIN, openPage } from '../../conformance/world/page.ts';

/** Lets pages of an origin send leads to the sender's form. */
export async function allowPages(
  { client, tables }: Pick<AdministrationContext, 'client' | 'tables'>,
  { workspaceId, formId }: Pick<Sender, 'workspaceId' | 'formId'>,
  origin: string = ORIGIN,
): Promise<void> {
  const administrationOf = makeOwnerAdministration({ client, tables, now: Date.now, randomBytes });
  await administrationOf(workspaceId).updateForm(formId, { browser: { enabled: true, origins: [origin] } });
}
