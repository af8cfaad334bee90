import { createHmac, randomUUID } from 'node:crypto';
import { openStack } from '../../bin/operator/open-stack.ts';
import { atOnce, openHttp } from '../../conformance/world/http.ts';
import { newNonce, openPage } from '../../conformance/world/page.ts';
import { CLEAN, requestFor, type Sender, submissionId } from '../../conformance/world/submission.ts';
import { type Owner, openOwnerAccounts } from '../../conformance/world/throw-away.ts';
import { SURFACES } from '../../lambdas/model/limits.ts';
import { allowPages } from '../contract/tenant.ts';
import { makeStoredAlerts } from '../lambdas/alerts/stored-alerts.ts';
import { type Receiver, respondWith, startReceiver } from '../sending/receiver.ts';
import { until } from '../until.ts';

export type Stack = ReturnType<typeof openStack>;
type Made = Readonly<Record<string, string>>;

/** A page of a list, and the page that its cursor leads to. */
export interface TurnedPage {
  readonly path: string;
  readonly cursor: string;
  readonly next: unknown;
}

/** What senders and owners hold of a workspace with one of everything. */
export interface Everything {
  readonly sender: Sender;
  /** A form to which a provider delivers. */
  readonly source: { readonly slug: string; readonly secret: string };
  readonly apiKey: string;
  /** Hosts of destinations, up to the slash: two that received messages, and one that nobody serves. */
  readonly receivers: readonly string[];
  /** What the settings API says about it, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly pages: readonly TurnedPage[];
}

/** Nothing listens here. The message is still written. */
export const NOBODY = 'http://127.0.0.1:9/';
const PROVIDER_SECRET = 'the-secret-of-the-provider-0123456789';

/**
 * Stores one of everything through the service's own endpoints, as senders, owners and operators do. Every request must
 * succeed, and all work in the background be done.
 */
export async function makeEverything(outputsFile: string): Promise<Everything> {
  const stack = openStack(outputsFile);
  const accounts = openOwnerAccounts(stack.outputs, atOnce);
  const [receiver, slow] = [await startReceiver(), await startSlowReceiver()];
  try {
    const sender = await newSender(stack);
    const owner = await accounts.signIn(sender.workspaceId);
    const destinations = [
      { kind: 'webhook', url: receiver.url, onlyClean: false },
      { kind: 'webhook', url: slow.url, onlyClean: false },
      { kind: 'slack', url: NOBODY },
      { kind: 'email', email: 'sales@example.com' },
    ];
    const made: Made[] = [];
    for (const each of destinations) made.push(await owner.must<Made>('POST', '/destinations', each));
    const leadIds = await submitEverywhere(stack, sender);
    const { slug, secret } = await newSource(stack);
    const source = { slug, secret };
    await deliverOnce(stack, source);
    await until(
      () => owner.must<{ leads: unknown[] }>('GET', '/leads'),
      ({ leads }) => leads.length >= leadIds.length,
    );
    await until(
      async () => Math.min(receiver.received.length, slow.received.length),
      (count) => count >= leadIds.length,
    );
    const apiKey = await handle(owner, stack, leadIds);
    await until(
      () => owner.must<{ enrichment: { state: string } }>('GET', `/leads/${leadIds[0]}`),
      ({ enrichment }) => enrichment.state !== 'pending',
    );
    const { answers, pages } = await readBack(owner, {
      leadIds,
      sender,
      destinationId: made[0]?.destinationId,
    });
    const receivers = [receiver.url, slow.url, NOBODY].map((url) => `${new URL(url).host}/`);
    return { sender, source, apiKey, receivers, answers, pages };
  } finally {
    await receiver.close();
    await slow.close();
    accounts.close();
    stack.client.destroy();
    stack.queueClient.destroy();
  }
}

/** Its first response takes too long, so that what follows uses the slow lane. */
export async function startSlowReceiver(): Promise<Receiver> {
  const slow = await startReceiver();
  slow.play(
    (response, request) => void setTimeout(respondWith(204), 3_100, response, request),
    respondWith(204),
  );
  return slow;
}

/** With a form for backends and pages. */
export async function newSender(stack: Stack): Promise<Sender> {
  const { administration } = stack;
  const { workspaceId } = await administration.createWorkspace({ name: 'Copperfield' });
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
  const { secret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({ formId });
  const sender = { workspaceId, formId, slug, secret, token, tokenId };
  await allowPages(stack, sender);
  return sender;
}

/** With a key, from a page, and rejected with and without a known sender. Returns the accepted leads. */
export async function submitEverywhere({ outputs }: Stack, sender: Sender): Promise<string[]> {
  const http = openHttp(outputs.ingestUrl);
  try {
    const leadIds: string[] = [];
    for (const surface of SURFACES) {
      const headers = { 'X-SVC-Idempotency-Key': randomUUID() };
      const request = requestFor(surface, sender, { body: CLEAN, headers });
      leadIds.push(submissionId(await http.send(request)));
      if (submissionId(await http.send(request)) !== leadIds.at(-1)) throw new Error('it was not replayed');
      for (const refused of [{ body: '[]' }, { token: `${sender.token}x`, secret: `${sender.secret}x` }]) {
        const { status } = await http.send(requestFor(surface, sender, refused));
        // The same response for every rejection of a webhook.
        if (status >= 500) throw new Error(`a rejection was answered with ${status}`);
      }
    }
    leadIds.push(submissionId(await openPage(http.send, sender).submit(newNonce(), { body: CLEAN })));
    return leadIds;
  } finally {
    http.close();
  }
}

/** A sender on Surface 1c, whose secret is that of the provider. */
export async function newSource(stack: Stack): Promise<Sender> {
  const { administration } = stack;
  const sender = await newSender(stack);
  await administration.setFormProvider(sender.formId, { name: 'github' });
  await administration.setProviderSecret({ formId: sender.formId, secret: PROVIDER_SECRET });
  return { ...sender, secret: PROVIDER_SECRET };
}

export async function deliver({ outputs }: Stack, { slug, secret }: Everything['source'], body: string) {
  const { send, close } = openHttp(outputs.sourcesUrl ?? '');
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
  return send({ path: `/sources/v1/${slug}`, headers, body }).finally(close);
}

export async function deliverOnce(stack: Stack, source: Everything['source']): Promise<void> {
  const { status, body } = await deliver(stack, source, CLEAN);
  if (status >= 300) throw new Error(`a delivery was answered with ${status} ${body}`);
}

/** What owners do with leads and settings. Returns an API key. */
async function handle(owner: Owner, stack: Stack, [first = '', second = '', third = '']: string[]) {
  const { must } = owner;
  const form = await must<Made>('POST', '/forms', { name: 'Quotes' });
  await must('PUT', `/forms/${form.formId}/delivery/secret`, {});
  await must('POST', `/forms/${form.formId}/delivery/rotate`, { graceSeconds: 3_600 });
  await must('POST', `/forms/${form.formId}/test`);
  await must('POST', `/forms/${form.formId}/archive`);
  await must('POST', `/leads/${first}/review`, { verdict: 'good' });
  await must('POST', `/leads/${second}/review`, { verdict: 'spam' });
  await must('PUT', '/senders', { sender: 'acme.com', status: 'trusted' });
  await must('POST', '/leads/opened', { submissionIds: [first] });
  await must('POST', '/leads/handled', { submissionIds: [first], handled: true, note: 'Called' });
  await must('DELETE', `/leads/${third}`);
  await must('PUT', '/alert-settings', { silence: { factor: 2 } });
  await must('POST', '/members', { email: `invited-${randomUUID()}@example.com`, role: 'viewer' });
  const scopes = ['leads:read', 'stats:read'];
  const { apiKey = '' } = await must<Made>('POST', '/api-keys', { name: 'Zapier', scopes });
  const { workspaceId = '' } = await must<Made>('GET', '/workspace');
  const alerts = makeStoredAlerts(stack);
  await alerts.close(await alerts.open(workspaceId, { at: Date.now() - 60_000 }), Date.now());
  await alerts.open(workspaceId, { at: Date.now() });
  return apiKey;
}

interface Known {
  readonly leadIds: readonly string[];
  readonly sender: Sender;
  readonly destinationId: string | undefined;
}

async function readBack(owner: Owner, { leadIds, sender, destinationId }: Known) {
  const [first = '', second = ''] = leadIds;
  const paths = [
    ...['/forms', `/forms/${sender.formId}`, '/deliveries', '/tokens', '/api-keys'],
    ...['/senders', '/learning', '/alert-settings', `/forms/${sender.formId}/leads`, '/leads'],
    ...[`/leads/${first}`, `/leads/${second}`],
  ];
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = await owner.must('GET', path);
  const changing = ['/destinations', '/alerts', '/diagnostics', `/leads/${first}/messages`];
  for (const path of changing) await owner.must('GET', path);
  const from = new Date(Date.now() - 24 * 60 * 60 * 1_000).toISOString();
  const lists = [
    ...[`/forms/${sender.formId}/leads?limit=1`, '/leads?limit=1', `/leads?limit=1&sort=score&from=${from}`],
    ...['/leads?q=mina&limit=1', `/destinations/${destinationId}/messages?limit=1`, '/alerts?limit=1'],
    ...['/activity?limit=1'],
  ];
  const pages: TurnedPage[] = [];
  for (const path of lists) {
    const { cursor } = await owner.must<{ cursor?: string }>('GET', path);
    if (cursor === undefined) throw new Error(`${path} has one page only`);
    pages.push({ path, cursor, next: await owner.must('GET', `${path}&cursor=${cursor}`) });
  }
  return { answers, pages };
}
