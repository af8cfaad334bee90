import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { makeLeadSearcher } from '../../lambdas/leads/search/lead-search-store.ts';
import { makeLeadId, toLeadItem } from '../../lambdas/model/lead-item.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';
import { waitFor } from '../until.ts';
import type { openOwners } from './owners.ts';

type Administration = ReturnType<typeof openOwners>['administration'];

/** A form that leads can be sent to. */
export async function newForm(
  administration: Administration,
  workspaceId: string,
  name: string,
): Promise<Tenant> {
  const { formId, slug } = await administration.createForm({ workspaceId, name });
  const { secret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({ formId });
  return { workspaceId, formId, slug, secret, token, tokenId };
}

/** Writes a lead as if it had been accepted at that time. The index follows the table. */
export async function writeLead(
  { workspaceId, formId }: Pick<Tenant, 'workspaceId' | 'formId'>,
  atMilliseconds: number,
  body: object,
): Promise<string> {
  const { client, tables } = openContract();
  const leadId = makeLeadId(atMilliseconds, randomBytes(10));
  const lead = {
    leadId,
    workspaceId,
    formId,
    surface: '1b',
    receivedAt: new Date(atMilliseconds).toISOString(),
    score: 80,
    clean: true,
    grade: 'A',
    signals: [],
    body: JSON.stringify(body),
  } as const;
  await client.send(new PutCommand({ TableName: tables.leads, Item: toLeadItem(lead) }));
  return leadId;
}

/** Waits until this many leads are listed: the index follows the leads. */
export async function untilListed(
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
  count: number,
): Promise<void> {
  const { client, tables } = openContract();
  const searcher = makeLeadSearcher({ client, tables, now: Date.now, withWords: true });
  const page = { range: { oldest: '0', newest: 'g' }, wanted: 1_000 };
  await waitFor(async () => {
    // The machine has better things to do than to serve this all the time.
    await sleep(300);
    const { leads } = await searcher.search(workspaceId, {}, page, new AbortController().signal);
    return leads.length === count;
  });
}
