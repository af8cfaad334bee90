import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { openStack } from '../../bin/operator/open-stack.ts';
import { atOnce, type HttpResponse, openHttp, type Send } from '../../conformance/world/http.ts';
import {
  requestFor,
  type Sender,
  type Submission,
  submissionId,
} from '../../conformance/world/submission.ts';
import { makeOwner, type Owner, openOwnerAccounts } from '../../conformance/world/throw-away.ts';
import { makeLeadPages } from '../../lambdas/leads/lead-pages-store.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { LIMITS, rateWindowsAt, SURFACES, type Surface } from '../../lambdas/model/limits.ts';
import { newNonce, openPage } from '../contract/tenant.ts';
import { makeStoredAlerts } from '../lambdas/alerts/stored-alerts.ts';
import { findOperation } from '../lambdas/owner-api/api-document.ts';
import {
  deliver,
  NOBODY,
  newSender,
  newSource,
  type Stack,
  startSlowReceiver,
  submitEverywhere,
} from '../released/everything.ts';
import { respondWith, startReceiver } from '../sending/receiver.ts';
import { until } from '../until.ts';
import { callMembers, resetPassword, respondToMail } from './people-traffic.ts';

type Submit = (surface: Surface, sender: Sender, submission?: Submission) => Promise<HttpResponse>;

const SPAM =
  '{"name":"SEO Expert","email":"rank@best-seo-offers.com","message":"Cheap backlinks, guaranteed first page ranking on Google! Buy now http://a.example http://b.example http://c.example"}';

/**
 * Makes every function do all that it does: submissions that are accepted, replayed and rejected, an enrichment that
 * fails, messages to every kind of destination, alerts, and each operation of the settings area. Returns the operations'
 * ids.
 */
export async function sendTraffic(outputsFile: string): Promise<Set<string>> {
  const stack = openStack(outputsFile);
  const accounts = openOwnerAccounts(stack.outputs, atOnce);
  const receiver = await startReceiver();
  receiver.play(respondWith(410));
  const slow = await startSlowReceiver();
  const http = openHttp(stack.outputs.ingestUrl);
  const submit: Submit = (surface, sender, submission = {}) =>
    http.send(requestFor(surface, sender, submission));
  try {
    const sender = await newSender(stack);
    const { call, used } = openSettings(await accounts.signIn(sender.workspaceId));
    const mail = await createDestinations(call, receiver.url);
    await call('POST', '/destinations', { kind: 'webhook', url: slow.url, onlyClean: false });
    const rejected = await sendSubmissions(stack, sender, submit, http.send);
    await sendToSources(stack);
    await failAnEnrichment(stack, submissionId(await submit('1a', sender, { body: SPAM })));
    await approachDailyLimit(stack, sender);
    await callSettings(call, rejected);
    await callPeople(call, stack, (email) => submit('1a', sender, { body: JSON.stringify({ email }) }));
    await callLearning(call, stack, (body) => submit('1a', sender, { body }));
    await callMembers(call, stack, sender);
    await resetPassword(outputsFile, stack.outputs);
    await callApiKeys(call, stack.outputs.settingsUrl ?? '');
    await callAlerts(
      call,
      (await makeStoredAlerts(stack).open(sender.workspaceId, { at: Date.now() })).alertId,
    );
    await respondToMail(outputsFile, { workspaceId: sender.workspaceId, ...mail });
    await until(
      async () => receiver.received.length,
      (count) => count > 0,
    );
    await submit('1a', sender, { body: SPAM });
    const before = slow.received.length;
    await until(
      async () => slow.received.length,
      (count) => count > before,
    );
    return used;
  } finally {
    await receiver.close();
    await slow.close();
    http.close();
    accounts.close();
    stack.client.destroy();
    stack.queueClient.destroy();
  }
}

/** What everybody sends, and what nobody else does: without a key, and from a page again. Returns a rejected request. */
async function sendSubmissions(stack: Stack, sender: Sender, submit: Submit, send: Send): Promise<string> {
  await submitEverywhere(stack, sender);
  for (const surface of SURFACES) submissionId(await submit(surface, sender));
  const page = openPage(send, sender);
  const nonce = newNonce();
  const first = submissionId(await page.submit(nonce));
  if (submissionId(await page.submit(nonce)) !== first) throw new Error('it was not replayed');
  await page.submit(newNonce(), { body: '[]' });
  return String((await submit('1b', sender, { body: '[]' })).headers['x-amzn-requestid']);
}

/** Surface 1c: accepted, repeated, refused for good and rejected, and once with a token. */
async function sendToSources(stack: Stack): Promise<void> {
  const source = await newSource(stack);
  for (const body of [SPAM, SPAM, 'nonsense']) await deliver(stack, source, body);
  await deliver(stack, { ...source, secret: 'another-secret-0123456789' }, SPAM);
  const { send, close } = openHttp(stack.outputs.sourcesUrl ?? '');
  await send({ path: '/sources/v1', headers: { 'X-API-Key': source.token }, body: SPAM }).finally(close);
}

/** A lead of a later version returns to the queue. This one is written by hand, because the stream skips changes. */
async function failAnEnrichment(
  { client, queueClient, tables, outputs }: Stack,
  leadId: string,
): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: tables.leads,
      Key: { leadId, part: 'lead' },
      UpdateExpression: 'SET v = :later, clean = :clean',
      ExpressionAttributeValues: { ':later': 99, ':clean': true },
    }),
  );
  const MessageBody = JSON.stringify({ leadId });
  await queueClient.send(new SendMessageCommand({ QueueUrl: outputs.enrichmentQueueUrl, MessageBody }));
}

/** So that the watch opens an alert about a surface with tokens. Its clock may be a day ahead. */
async function approachDailyLimit({ client, tables }: Stack, { workspaceId }: Sender): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: tables.workspaces,
      Key: { workspaceId },
      UpdateExpression: 'SET #today = :most, #tomorrow = :most',
      ExpressionAttributeNames: {
        '#today': rateWindowsAt('1a', Date.now()).dayCounter,
        '#tomorrow': rateWindowsAt('1a', Date.now() + 24 * 60 * 60 * 1000).dayCounter,
      },
      ExpressionAttributeValues: { ':most': 0.9 * LIMITS.submissionsPerDay },
    }),
  );
}

export type CallSettings = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;

function openSettings(owner: Owner): { call: CallSettings; used: Set<string> } {
  const used = new Set<string>();
  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { status, text } = await owner.call(method, path, body);
    const [bare = ''] = path.split('?');
    used.add(findOperation(method, `/settings${bare}`)?.operationId ?? `${method} ${path}`);
    if (status >= 400) throw new Error(`${method} ${path} was answered with ${status} ${text}`);
    return (text.startsWith('{') && !path.includes('export') ? JSON.parse(text) : {}) as Answer;
  }

  return { call, used };
}

async function callSettings(call: CallSettings, rejectedRequest: string): Promise<void> {
  await call('GET', '/workspace');
  const { formId } = await call<{ formId: string }>('POST', '/forms', { name: 'Quotes' });
  const at = `/forms/${formId}`;
  await call('PATCH', at, { name: 'Quotes and orders' });
  for (const path of ['/forms', at]) await call('GET', path);

  const { tokenId } = await call<{ tokenId: string }>('POST', '/tokens', { formId });
  await call('GET', '/tokens');
  await call('DELETE', `/tokens/${tokenId}`);

  await call('PUT', `${at}/delivery/secret`, {});
  await call('POST', `${at}/delivery/rotate`, { graceSeconds: 60 });
  for (const path of ['/deliveries', `${at}/delivery`]) await call('GET', path);
  await call('POST', `${at}/delivery/debug`, { bodyBase64: '' });
  await call('DELETE', `${at}/delivery/previous-secret`);

  await call('GET', '/providers');
  await call('PATCH', at, { provider: { name: 'tally' } });
  for (const graceSeconds of [0, 60]) await call('PUT', `${at}/provider/secret`, { graceSeconds });
  await call('DELETE', `${at}/provider/previous-secret`);
  await call('POST', `${at}/provider/preview`, { body: '{}' });
  await call('GET', `${at}/delivery`);
  await call('PATCH', at, { provider: null });

  const { submissionId: leadId } = await call<{ submissionId: string }>('POST', `${at}/test`);
  for (const path of [`${at}/leads`, `${at}/leads/export`, `/leads/${leadId}`]) await call('GET', path);
  await callSearch(call, leadId, ['/leads', '/leads?q=byron']);
  await callDestinations(call, leadId);
  await call('POST', `/leads/${leadId}/review`, { verdict: 'good' });
  await call('POST', '/leads/review', { verdict: null, submissionIds: [leadId] });
  await call('PUT', '/senders', { sender: 'acme.com', status: 'trusted' });
  await call('POST', '/leads/opened', { submissionIds: [leadId] });
  for (const more of [{ handled: true, note: 'Called' }, { handled: true, note: null }, { handled: false }]) {
    await call('POST', '/leads/handled', { submissionIds: [leadId], ...more });
  }
  for (const path of ['/senders', '/reviews/export', '/leads/count', '/leads/export'])
    await call('GET', path);
  await call('DELETE', `/leads/${leadId}`);
  await call('POST', `${at}/archive`);

  for (const path of ['/stats', '/diagnostics', '/diagnostics/events']) await call('GET', path);
  await call('GET', `/diagnostics/requests/${rejectedRequest}`);
}

/** Waits until a lead is found. */
async function callSearch(call: CallSettings, leadId: string, paths: string[]): Promise<void> {
  for (const path of paths) {
    await until(
      () => call<{ leads: { submissionId: string }[] }>('GET', path),
      ({ leads }) => leads.some(({ submissionId: id }) => id === leadId),
    );
  }
}

/** One lead is erased by the owner, and one by an operator: the index function then removes its entries. */
async function callPeople(
  call: CallSettings,
  stack: Stack,
  submit: (email: string) => Promise<HttpResponse>,
) {
  const [email, other] = ['grace@navy-yards.com', 'jean@eniac.org'];
  const leadId = submissionId(await submit(email));
  const second = submissionId(await submit(other));
  for (const each of [leadId, second]) await callSearch(call, each, ['/leads']);
  const { workspaceId } = await call<{ workspaceId: string }>('GET', '/workspace');
  await makeLeadPages({ ...stack, now: Date.now }).erase(workspaceId, second, AbortSignal.timeout(15_000));
  await call('GET', `/leads/${leadId}/related`);
  await call('POST', '/people/export', { email });
  await call('POST', '/people/erase', { email });
}

/** Enough verdicts to learn something, and what a workspace has left behind, which the schedule finds. */
async function callLearning(
  call: CallSettings,
  { client, tables }: Stack,
  submit: (body: string) => Promise<HttpResponse>,
) {
  const Item = { ...learnedKey('ws_gone'), learnedAt: new Date(0).toISOString(), revision: 1, v: 1 };
  await client.send(new PutCommand({ TableName: tables.workspaces, Item }));
  // The opposite of what the score says.
  const messages = {
    good: 'We offer backlinks for the ranking of your site, shall we send our packages?',
    spam: 'We would like a pergola in our garden next spring, what would that cost?',
  };
  for (const [verdict, message] of Object.entries(messages)) {
    const submissionIds: string[] = [];
    for (const n of [1, 2, 3, 4]) {
      const email = `ada@${verdict}-company-${n}.co.uk`;
      submissionIds.push(submissionId(await submit(JSON.stringify({ email, message }))));
    }
    await call('POST', '/leads/review', { verdict, submissionIds });
  }
  for (const enabled of [false, true]) await call('PATCH', '/learning', { enabled });
  await call('GET', '/learning');
}

async function callApiKeys(call: CallSettings, settingsUrl: string): Promise<void> {
  const body = { name: 'Zapier', scopes: ['stats:read'] };
  const { keyId, apiKey } = await call<{ keyId: string; apiKey: string }>('POST', '/api-keys', body);
  const { status } = await makeOwner(settingsUrl, apiKey, atOnce).call('GET', '/stats');
  if (status !== 200) throw new Error(`a key was answered with ${status}`);
  await call('GET', '/api-keys');
  await call('DELETE', `/api-keys/${keyId}`);
  await call('GET', '/activity');
}

async function callAlerts(call: CallSettings, alertId: string): Promise<void> {
  for (const path of ['/alerts', '/alerts?status=open', `/alerts/${alertId}`]) await call('GET', path);
  await call('POST', `/alerts/${alertId}/seen`);
  await call('PUT', '/alert-settings', { silence: { factor: 2 } });
  await call('GET', '/alert-settings');
}

/** One of each kind, for the leads that follow. The receiver is gone, which disables its destination. */
async function createDestinations(call: CallSettings, receiverUrl: string) {
  await call('POST', '/destinations', { kind: 'webhook', url: receiverUrl });
  await call('POST', '/destinations', { kind: 'slack', url: NOBODY });
  const email = 'sales@example.com';
  const made = await call<{ destinationId: string }>('POST', '/destinations', { kind: 'email', email });
  await call('POST', `/destinations/${made.destinationId}/confirmation`);
  return { email, destinationId: made.destinationId };
}

async function callDestinations(call: CallSettings, leadId: string): Promise<void> {
  const url = NOBODY;
  const create = async (kind: string) =>
    (await call<{ destinationId: string }>('POST', '/destinations', { kind, url })).destinationId;
  const [destinationId, slack] = [await create('webhook'), await create('slack')];
  await call('PATCH', `/destinations/${slack}`, { url: `${url}changed` });
  const at = `/destinations/${destinationId}`;
  await call('PATCH', at, { name: 'Nobody' });
  await call('POST', `${at}/rotate`, {});
  for (const path of ['/destinations', at, `/leads/${leadId}/messages`]) await call('GET', path);
  const { messageId } = await call<{ messageId: string }>('POST', `${at}/test`);
  await until(
    () => call<{ messages: unknown[] }>('GET', `${at}/messages`),
    ({ messages }) => messages.length > 0,
  );
  await call('GET', `/messages/${messageId}`);
  // Refused with 409 if nothing waits, after looking for it.
  await call('POST', `${at}/try`).catch(() => undefined);
  await call('POST', `/messages/${messageId}/replay`);
  await call('POST', `${at}/replay`, { since: new Date(0).toISOString() });
  for (const each of [at, `/destinations/${slack}`]) await call('DELETE', each);
}
