import { randomUUID } from 'node:crypto';
import { type Sender, submissionId } from '../../local/fixture/ingest-fixture.ts';
import { BODIES } from '../fixtures/index.ts';
import type { Kit, Work } from './kit.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** As an HTTP API passes an owner's request to a function, after its authorizer. */
export function ownerEvent(
  { workspaceId }: Pick<Sender, 'workspaceId'>,
  method: string,
  pathAndQuery: string,
  body?: object,
): object {
  const { pathname, search, searchParams } = new URL(`http://owner/settings${pathAndQuery}`);
  const lambda = { workspaceId, actor: 'user:ada', actorName: 'ada@example.com', role: 'owner' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { 'content-type': 'application/json' },
    ...(search !== '' && { queryStringParameters: Object.fromEntries(searchParams) }),
    ...(body && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
    requestContext: {
      requestId: randomUUID(),
      http: { method, path: pathname, protocol: 'HTTP/1.1', sourceIp: '192.0.2.7', userAgent: 'bench' },
      authorizer: { lambda },
    },
  };
}

/** `{form}` and `{lead}` stand for a form of the workspace and its newest lead. */
export const SETTINGS_PAGES = {
  workspace: '/workspace',
  forms: '/forms',
  tokens: '/tokens',
  deliveries: '/deliveries',
  'the newest leads': '/leads',
  'leads of a form': '/forms/{form}/leads',
  'a lead': '/leads/{lead}',
  'a search for an address': '/leads?q=ada.byron@analytical-engines.co.uk',
  'a search for a word': '/leads?q=nobody',
  'statistics by day': `/stats?by=day&from=${since(30)}`,
  destinations: '/destinations',
  alerts: '/alerts',
  'API keys': '/api-keys',
  activity: '/activity',
  learning: '/learning',
};

export const DIAGNOSTICS_PAGES = {
  '7 days by hour': `/diagnostics?by=hour&from=${since(7)}`,
  'recent events': '/diagnostics/events',
};

const LEADS = 50;

interface Owned {
  readonly sender: Sender;
  readonly leadId: string;
}

const workspaces = new WeakMap<Kit, Promise<Owned>>();

/** One workspace for all pages, with as many leads as a page shows, indexed and counted. */
async function newOwner(kit: Kit): Promise<Owned> {
  const sender = await kit.newSender();
  const environment = kit.newEnvironment();
  let leadId = '';
  for (let n = 0; n < LEADS; n += 1) {
    leadId = submissionId(await environment.server(sender, { body: BODIES['1 KB'] }));
    const { workspaceId } = sender;
    const message = JSON.stringify({ type: 'lead.accepted', workspaceId, leadId });
    await kit.invoke('index-leads', { Records: [{ messageId: leadId, body: message }] });
  }
  return { sender, leadId };
}

/** A page of the owner's area, by its path. */
export function pages(paths: Readonly<Record<string, string>>): Record<string, Work> {
  const work =
    (path: string): Work =>
    async (kit) => {
      const owner = workspaces.get(kit) ?? newOwner(kit);
      workspaces.set(kit, owner);
      const { sender, leadId } = await owner;
      return () => ownerEvent(sender, 'GET', path.replace('{form}', sender.formId).replace('{lead}', leadId));
    };
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, work(path)]));
}
