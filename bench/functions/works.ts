import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { parseKeys } from '../../lambdas/browser/browser-keys.ts';
import { mintBrowserToken } from '../../lambdas/browser/browser-token.ts';
import { CONSOLE_HEADER, SESSION_COOKIE } from '../../lambdas/contract.ts';
import { signatureOf } from '../../lambdas/model/request-signature.ts';
import { addressHash, makeToken } from '../../lambdas/recipients/recipient.ts';
import { makeRecipientStore } from '../../lambdas/recipients/recipients-store.ts';
import { rejectionRecord } from '../../lambdas/rejections/rejection-record.ts';
import { activeMarkKey, makeActiveWorkspaces } from '../../lambdas/stats/active-workspaces-store.ts';
import { makeOwnerAdministration } from '../../lambdas/workspaces/administration.ts';
import { gatewayEvent, type Sender, serverEvent } from '../../local/fixture/ingest-fixture.ts';
import { BODIES } from '../fixtures/index.ts';
import { makeDestinations } from '../measure/sending.ts';
import { newSource, SECRET } from '../measure/sources.ts';
import { rejectedAt } from '../measure/write-units.ts';
import { inQueue, inStream, newLeads } from './events.ts';
import { BROWSER_KEYS, type Kit, type Work } from './kit.ts';
import { DIAGNOSTICS_PAGES, ownerEvent, pages, SETTINGS_PAGES } from './owner-pages.ts';

const body = BODIES['1 KB'];
const signal = () => AbortSignal.timeout(60_000);

/** Ten new leads each time, as events of one kind. */
const ofTenLeads =
  (toEvent: (leads: readonly Record<string, unknown>[]) => object): Work =>
  async (kit) => {
    const sender = await kit.newSender();
    return async () => toEvent(await newLeads(kit, sender));
  };

const acceptedEvent = ({ workspaceId, formId, leadId, receivedAt }: Record<string, unknown>) => ({
  type: 'lead.accepted',
  workspaceId,
  formId,
  leadId,
  at: receivedAt,
  clean: true,
});

/** Of the kit's leads, as if they came now: `dispatch` reads the destinations for each batch. */
const newEvent = (lead: Record<string, unknown>) => ({
  ...acceptedEvent(lead),
  at: new Date().toISOString(),
});

/** A sender whose workspace has one webhook. */
async function newForwardingSender(kit: Kit): Promise<Sender> {
  const sender = await kit.newSender();
  const url = `${kit.services.endpoint}/webhook`;
  const context = { client: kit.observer, tables: kit.stack.tables };
  await makeDestinations(context, sender.workspaceId, 1, kit.clock.now, url);
  return sender;
}

const sendTenMessages: Work = async (kit) => {
  const sender = await newForwardingSender(kit);
  return async () => {
    const leads = await newLeads(kit, sender);
    kit.services.reset();
    await kit.invoke('dispatch', inQueue(leads.map(acceptedEvent)));
    return inQueue(kit.services.messages());
  };
};

/** A rejection with the largest record, alone in its batch. */
const recordRejection =
  (authenticated: boolean): Work =>
  async (kit) => {
    const { workspaceId } = await kit.newSender();
    let n = 0;
    return () => {
      n += 1;
      const rejected = { ...rejectedAt(Date.now(), n), requestId: randomUUID() };
      return inStream([rejectionRecord(rejected, { workspaceIds: [workspaceId], authenticated }, 'x')]);
    };
  };

const KEY = parseKeys(BROWSER_KEYS)[0] as ReturnType<typeof parseKeys>[0];
const ORIGIN = 'https://www.example.com';

const submitFromPage: Work = async (kit) => {
  const { workspaceId, formId, slug } = await kit.newSender();
  const context = { client: kit.observer, tables: kit.stack.tables, now: Date.now, randomBytes };
  const browser = { enabled: true, origins: [ORIGIN] };
  await makeOwnerAdministration(context)(workspaceId).updateForm(formId, { browser });
  return () => {
    const nonce = randomBytes(16).toString('hex');
    const token = mintBrowserToken({ slug, nonce, origin: ORIGIN }, KEY, Date.now());
    const headers = { Authorization: `Bearer ${token}`, Origin: ORIGIN };
    return gatewayEvent('/api/v1/ingest/browser', null, { body }, headers);
  };
};

const openLink: Work = async (kit) => {
  const token = makeToken(randomBytes(16));
  const { workspaceId } = await kit.newSender();
  const link = {
    purpose: 'confirm',
    workspaceId,
    destinationId: 'dest_1',
    addressHash: addressHash('a@example.com'),
  };
  const store = makeRecipientStore({ client: kit.observer, tables: kit.stack.tables });
  await store.keepLink(token, link as Parameters<typeof store.keepLink>[1], signal());
  return () => ({ pathParameters: { token }, requestContext: { http: { method: 'GET' } } });
};

/** The opposite of what the score says. */
const REVIEWED = {
  good: 'We offer backlinks for the ranking of your site, shall we send our packages?',
  spam: 'We would like a pergola in our garden next spring, what would that cost?',
};

const learn: Work = async (kit) => {
  const sender = await kit.newSender();
  for (const [verdict, message] of Object.entries(REVIEWED)) {
    const bodyOf = (n: number) => JSON.stringify({ email: `ada@${verdict}-company-${n}.co.uk`, message });
    const submissionIds = (await newLeads(kit, sender, bodyOf)).map(({ leadId }) => leadId);
    await kit.invoke('settings', ownerEvent(sender, 'POST', '/leads/review', { verdict, submissionIds }));
  }
  return () => inQueue([{ task: 'learn', workspaceId: sender.workspaceId }]);
};

const authorizeKey: Work = async (kit) => {
  const fields = { name: 'Zapier', scopes: ['stats:read'] };
  const event = ownerEvent(await kit.newSender(), 'POST', '/api-keys', fields);
  const { body: answer } = (await kit.invoke('settings', event)) as { body: string };
  const { apiKey } = JSON.parse(answer) as { apiKey: string };
  return () => ({
    headers: { authorization: `Bearer ${apiKey}` },
    requestContext: { requestId: randomUUID() },
  });
};

const HOUR_MS = 3_600_000;

const watchWorkspace: Work = async (kit) => {
  const sender = await kit.newSender();
  const { observer: client, stack } = kit;
  const active = makeActiveWorkspaces({ client, tables: stack.tables });
  // Other functions have made other workspaces active.
  for (const { workspaceId } of await active.list(Date.now(), signal())) {
    await client.send(new DeleteCommand({ TableName: stack.tables.stats, Key: activeMarkKey(workspaceId) }));
  }
  // Received in the last hour, all at one time of it: near its end, the function would read the counts of two.
  const time = new Date(Date.now() - HOUR_MS);
  time.setUTCMinutes(10, 0, 0);
  const leads = await newLeads(kit, sender);
  await kit.invoke('stats', inStream(leads.map((lead) => ({ ...lead, receivedAt: time.toISOString() }))));
  return () => {
    time.setUTCMinutes(time.getUTCMinutes() + 5);
    return { time: time.toISOString() };
  };
};

const resumeSession: Work = async () => () => ({
  headers: { 'sec-fetch-site': 'same-origin', [CONSOLE_HEADER]: '1' },
  cookies: [`${SESSION_COOKIE}=a.b.c`],
  requestContext: { http: { method: 'POST' } },
});

const rotateKeys: Work = async () => () => {
  const ClientRequestToken = randomUUID();
  const SecretId = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:keys';
  return ['createSecret', 'setSecret', 'testSecret', 'finishSecret'].map((Step) => ({
    SecretId,
    ClientRequestToken,
    Step,
  }));
};

/** By function and name of the work. A function of the template that is not here fails a test. */
export const WORKS: Readonly<Record<string, Readonly<Record<string, Work>>>> = {
  'ingest-server': {
    'a lead': async (kit) => {
      const sender = await kit.newSender();
      return () => serverEvent(sender, { body });
    },
  },
  'ingest-webhook': {
    'a lead': async (kit) => {
      const { slug, secret } = await kit.newSender();
      return () => {
        const timestamp = String(Math.floor(Date.now() / 1000));
        const signature = signatureOf(secret, timestamp, Buffer.from(body)).toString('hex');
        const headers = { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
        return gatewayEvent('/api/v1/ingest/{slug}', { slug }, { body }, headers);
      };
    },
  },
  'source-submission': {
    'a delivery': async (kit) => {
      const { slug } = await newSource(kit);
      return () => {
        const delivered = JSON.stringify({ ...JSON.parse(body), delivery: randomUUID() });
        const signature = createHmac('sha256', SECRET).update(delivered).digest('hex');
        const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
        return gatewayEvent('/sources/v1/{slug}', { slug }, { body: delivered }, headers);
      };
    },
  },
  'mint-token': {
    'a token': async (kit) => {
      const { slug: form } = await kit.newSender();
      return () => {
        const asked = JSON.stringify({ form, nonce: randomBytes(16).toString('hex') });
        return gatewayEvent('/api/v1/ingest/browser/token', null, { body: asked }, { Origin: ORIGIN });
      };
    },
  },
  'browser-submission': { 'a lead': submitFromPage },
  'rotate-browser-keys': { 'a rotation': rotateKeys },
  retired: { 'a request': async () => () => ({}) },
  relay: { 'ten leads': ofTenLeads(inStream) },
  enrich: { 'ten leads': ofTenLeads((leads) => inQueue(leads.map(({ leadId }) => ({ leadId })))) },
  stats: { 'ten leads': ofTenLeads(inStream) },
  'index-leads': { 'ten leads': ofTenLeads((leads) => inQueue(leads.map(acceptedEvent))) },
  dispatch: {
    'ten leads, one webhook': async (kit) => {
      const sender = await newForwardingSender(kit);
      return async () => inQueue((await newLeads(kit, sender)).map(newEvent));
    },
    'ten leads, no destination': ofTenLeads((leads) => inQueue(leads.map(newEvent))),
  },
  send: {
    'ten messages': sendTenMessages,
    'a sweep that finds nothing': async () => () => ({ time: new Date().toISOString() }),
  },
  'recipient-links': { 'a link that is opened': openLink },
  recorder: { 'a rejection': recordRejection(true) },
  'recorder-unauthenticated': { 'a rejection': recordRejection(false) },
  watch: { 'a workspace': watchWorkspace },
  relearn: { 'twenty verdicts': learn },
  authorize: { 'a request with an API key': authorizeKey },
  invite: pages({ 'the list of members': '/members' }),
  settings: pages(SETTINGS_PAGES),
  diagnostics: pages(DIAGNOSTICS_PAGES),
  session: { 'a resumed session': resumeSession },
  'work-in-turn': { 'a turn in which nothing waits': async () => () => ({}) },
};
