import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Alert, AlertOutcome, Finding } from '../../lambdas/alerts/alert.ts';
import { makeAlertStore } from '../../lambdas/alerts/alerts-store.ts';
import { describeClosed, describeOpened } from '../../lambdas/alerts/describe-alert.ts';
import { type LeadIdRange, leadIdRange } from '../../lambdas/leads/lead-filter.ts';
import { makeLearnedStore } from '../../lambdas/leads/learning/learned-store.ts';
import { makeLeadSearcher } from '../../lambdas/leads/search/lead-search-store.ts';
import { makeLeadId, toLeadItem } from '../../lambdas/model/lead-item.ts';
import { openContract, submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { waitFor } from '../until.ts';
import { openOwners, type TestOwner } from './owners.ts';

const MINUTE_MS = 60_000;
const never = new AbortController().signal;

/** Opens and closes alerts of a workspace as the watch does, but tells no destination. */
export function openAlerts(workspaceId: string) {
  const book = makeAlertStore(openContract());
  const now = Date.now();

  async function open(finding: Finding, minutesAgo: number): Promise<Alert> {
    const openedAt = now - minutesAgo * MINUTE_MS;
    const alert: Alert = {
      ...finding,
      workspaceId,
      alertId: makeLeadId(openedAt, randomBytes(10)),
      since: new Date(finding.since).toISOString(),
      openedAt: new Date(openedAt).toISOString(),
      opened: describeOpened(finding),
    };
    await book.open(alert, undefined, never);
    await book.announced(workspaceId, alert, ['alert.opened'], never);
    return alert;
  }

  return {
    minutesAgo: (minutes: number) => now - minutes * MINUTE_MS,
    open,

    async openAndClose(finding: Finding, outcome: AlertOutcome, minutesAgo: number, minutesOpen: number) {
      const alert = await open(finding, minutesAgo);
      const { alertId, kind, subject, since, openedAt, facts } = alert;
      const closedAt = now - (minutesAgo - minutesOpen) * MINUTE_MS;
      const closed = describeClosed({ state: alert, outcome, cause: 'other' }, closedAt);
      await book.close(
        { ...alert, closedAt: new Date(closedAt).toISOString(), outcome, closed },
        { alertId, kind, subject, since, openedAt, facts },
        never,
      );
      const events = outcome === 'superseded' ? [] : (['alert.closed'] as const);
      await book.announced(workspaceId, alert, events, never);
      return alert;
    },
  };
}

/**
 * One open alert, and one that was closed. The watch runs in the local stack too, so the open one is about a
 * destination that is disabled: the watch agrees and leaves it open.
 */
export async function seedAlerts(
  { workspaceId, formId, formName }: Tenant & { readonly formName: string },
  disabledDestinationId: string,
) {
  const { open, openAndClose, minutesAgo } = openAlerts(workspaceId);
  const form = { formId, formName };
  const { alertId } = await openAndClose(
    {
      kind: 'sender_broken',
      subject: `${formId}#1b`,
      since: minutesAgo(1_500),
      facts: {
        ...form,
        surface: '1b',
        lastAcceptedAt: new Date(minutesAgo(1_500)).toISOString(),
        rejections: 12,
        reason: 'signature_mismatch',
        expectedLeads: 9,
      },
    },
    'recovered',
    1_400,
    95,
  );
  await open(
    {
      kind: 'destination_failing',
      subject: disabledDestinationId,
      since: minutesAgo(1),
      facts: { destinationId: disabledDestinationId, destinationName: 'Sales channel', problem: 'gone' },
    },
    0,
  );
  return { alertId };
}

/** As if verdicts had taught it. Reviews in this workspace would replace it after a while. */
export async function seedLearned(workspaceId: string, otherFormId: string): Promise<void> {
  await makeLearnedStore(openContract()).write(
    workspaceId,
    undefined,
    {
      learned: {
        words: { quote: 6, seats: 5, demo: 3, project: 2, guaranteed: -7, website: -4, google: -2 },
        signals: { company_given: 3, foreign_links: -5 },
        forms: { [otherFormId]: { words: { demo: 0, seats: 7, unsubscribe: -6 }, signals: {} } },
      },
      from: { good: { leads: 14, senders: 11 }, spam: { leads: 9, senders: 8 } },
      learnedAt: new Date(Date.now() - MINUTE_MS).toISOString(),
    },
    never,
  );
}

/** A form that leads can be sent to. */
export async function newForm(
  workspaceId: string,
  name: string,
  { tokenName }: { readonly tokenName?: string } = {},
): Promise<Tenant> {
  const { administration } = openContract();
  const { formId, slug } = await administration.createForm({ workspaceId, name });
  const { secret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({
    formId,
    ...(tokenName && { name: tokenName }),
  });
  return { workspaceId, formId, slug, secret, token, tokenId };
}

/** An owner who has signed in before, and whose workspace has one form that leads can be sent to. */
export async function newOwnerWithForm(name = 'Contact us'): Promise<{ owner: TestOwner; form: Tenant }> {
  const owner = await openOwners().newOwner();
  return { owner, form: await newForm(owner.workspaceId, name) };
}

/** Sends a lead as a webhook. Returns the ID that the sender is told. */
export async function sendLead(form: Tenant, lead: object): Promise<string> {
  return submissionId(await submit('1b', form, { body: JSON.stringify(lead) }));
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
  asked: Parameters<ReturnType<typeof makeLeadSearcher>['search']>[1] = {},
): Promise<void> {
  const { client, tables } = openContract();
  const searcher = makeLeadSearcher({ client, tables, now: Date.now });
  const range = leadIdRange(undefined, undefined) as LeadIdRange;
  const page = { range, wanted: 1_000 };
  await waitFor(async () => {
    // The machine has better things to do than to serve this all the time.
    await sleep(300);
    const { leads } = await searcher.search(workspaceId, asked, page, new AbortController().signal);
    return leads.length === count;
  });
}
