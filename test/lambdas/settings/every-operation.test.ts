import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { learnedKey } from '#model/learned.ts';
import { mayReadLeads } from '#owner-api/route-access.ts';
import { type OperationId, ROUTES } from '#owner-api/route-table.ts';
import { SCOPES, type Scope } from '#owner-api/scopes.ts';
import { indexNow } from '../leads/lead-fixture.ts';
import { OPERATIONS, type Operation } from '../owner-api/api-document.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { fillPath, oneOfEach } from './one-of-each.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-15T12:00:00Z'));
const { lead } = indexNow(fixture);

const PERSON = 'zqxada@zqxengines.co.uk';
const LEAD = {
  name: 'Zqxada Byron',
  email: PERSON,
  phone: '+44 20 7946 0018',
  company: 'Zqxengines',
  message: 'We need a quote for 40 zqxmachines, please.',
};
/** Occurs in every field of the lead, and in nothing else of the workspace. */
const CONTENTS = /zqx|7946 ?0018/i;

/** A valid body for each operation that needs one; the ids are those of the lead's workspace. */
const BODIES: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => unknown>> = {
  createForm: () => ({ name: 'Another' }),
  changeForm: () => ({ name: 'Renamed' }),
  setSecret: () => ({ secret: 'a secret that is long enough' }),
  debugSignature: () => ({ bodyBase64: Buffer.from(JSON.stringify({ name: 'Ada' })).toString('base64') }),
  setProviderSecret: () => ({ secret: 'a secret that is long enough' }),
  previewDelivery: () => ({ body: '{"name":"Ada"}' }),
  createToken: ({ formId }) => ({ formId }),
  exportPerson: () => ({ email: PERSON }),
  erasePerson: () => ({ email: PERSON }),
  reviewLead: () => ({ verdict: 'spam' }),
  openLeads: ({ leadId }) => ({ submissionIds: [leadId] }),
  handleLeads: ({ leadId }) => ({ submissionIds: [leadId], handled: true, note: 'zqxnote' }),
  reviewLeads: ({ leadId }) => ({ verdict: 'spam', submissionIds: [leadId] }),
  putSender: () => ({ sender: 'acme.com', status: 'blocked' }),
  changeLearning: () => ({ enabled: true }),
  createDestination: () => ({ kind: 'webhook', url: 'https://receiver.example.com/2' }),
  changeDestination: () => ({ name: 'Renamed' }),
  replayMessages: () => ({ since: '2026-11-15T00:00:00Z' }),
  changeAlertSettings: () => ({ clockDrift: { enabled: false } }),
  inviteMember: () => ({ email: 'grace@example.com', role: 'viewer' }),
  changeMember: () => ({ role: 'owner' }),
  createApiKey: () => ({ name: 'Zapier', scopes: ['stats:read'] }),
};

/** Right before it is read: the stack learns from the review above, and forgets this. */
async function learn(workspaceId: string) {
  const count = { leads: 3, senders: 3 };
  const Item = {
    ...learnedKey(workspaceId),
    learned: { words: { zqxmachines: 5 }, signals: {}, forms: {} },
    from: { good: count, spam: count },
    learnedAt: '2026-11-15T11:00:00Z',
    revision: 1,
    v: 1,
  };
  await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.workspaces, Item }));
}

/** A workspace with the contents of a lead wherever the service keeps them. */
async function seed() {
  const sender = await fixture.newSender();
  const leadId = await lead(sender, LEAD);
  // Of the same person, so that they are related.
  const other = await lead(sender, LEAD);
  const owner = fixture.ownerOf(sender.workspaceId);
  await owner.patch(`/forms/${sender.formId}`, { body: { provider: { name: 'tally' } } });
  await owner.post(`/leads/${other}/review`, { body: { verdict: 'good' } });
  await fixture.newEnvironment().webhook({ ...sender, secret: 'wrong' }, { body: JSON.stringify(LEAD) });
  const { body: email } = await owner.post('/destinations', {
    body: { kind: 'email', email: 'sales@example.com' },
  });
  const ids = await oneOfEach(fixture, sender, leadId);
  const { workspaceId } = sender;
  return { owner, ids, workspaceId, emailDestinationId: email.destinationId as string };
}

let shared: ReturnType<typeof seed> | undefined;

const REVIEWS = ['reviewLead', 'reviewLeads'];

/** What removes or reviews something gets a new workspace: the others would not find it as it was. */
function workspaceFor({ method, operationId }: Operation, isRefused: boolean) {
  const isRemoved = method === 'DELETE' || ['archiveForm', 'erasePerson', ...REVIEWS].includes(operationId);
  if (isRemoved && !isRefused) return seed();
  shared ??= seed();
  return shared;
}

const asKey = (scopes: readonly Scope[]) => ({
  authorized: { actor: 'key:key_1', actorName: 'Zapier', role: undefined, scopes: scopes.join(' ') },
});

const accessOf = ({ operationId }: Operation) => ROUTES[operationId as OperationId].scopes;

/** As an owner, or as a key with these scopes. */
async function call(operation: Operation, scopes?: readonly Scope[]) {
  const isRefused = scopes !== undefined && !accessOf(operation).every((scope) => scopes.includes(scope));
  const at = await workspaceFor(operation, isRefused);
  const { operationId, method, path } = operation;
  const body = BODIES[operationId]?.(at.ids);
  if (operationId.endsWith('Learning')) await learn(at.workspaceId);
  const send = at.owner[method.toLowerCase() as 'get'];
  // Only recipients of email are asked.
  const ids = operationId === 'askRecipient' ? { ...at.ids, destinationId: at.emailDestinationId } : at.ids;
  return send(fillPath(path, ids), {
    ...(scopes && asKey(scopes)),
    ...(body !== undefined && { body }),
  });
}

/** A number may only be known to those who may know of which leads, though it says nothing about one. */
const COUNT = 'countLeads';
const named = (isWanted: (operation: Operation) => boolean) =>
  OPERATIONS.filter(isWanted).map((each) => [each.operationId, each] as const);
const isForKeys = (operation: Operation) => accessOf(operation).length > 0;

describe('without leads:read, no response has the contents of a lead', () => {
  test.each(named(isForKeys))('%s', async (_operationId, operation) => {
    // Fewer scopes open no more: route-access.unit.test.ts.
    const others = SCOPES.filter((each) => each !== 'leads:read');
    const { status, text } = await call(operation, others);
    expect(status < 300).toBe(!accessOf(operation).includes('leads:read'));
    expect(text).not.toMatch(CONTENTS);
  });
});

describe('with leads:read, the contents are there, so the test above would see them', () => {
  const isReader = (operation: Operation) =>
    accessOf(operation).includes('leads:read') || REVIEWS.includes(operation.operationId);

  test.each(named(isReader))('%s', async (_operationId, operation) => {
    const { status, text } = await call(operation, ['leads:read', ...accessOf(operation)]);
    expect(status).toBe(200);
    if (operation.operationId !== COUNT) expect(text).toMatch(CONTENTS);
  });
});

test.each(named((operation) => !isForKeys(operation)))(
  '%s is for members',
  async (_operationId, operation) => {
    expect((await call(operation)).status).toBeLessThan(300);
  },
);

test('every operation has succeeded in the tests above, as documented', () => {
  const succeeded = ({ operationId, statuses }: Operation) =>
    statuses.every((status) => status >= '300' || fixture.exercised.has(`${operationId} ${status}`));
  expect(OPERATIONS.filter((each) => !succeeded(each)).map(({ operationId }) => operationId)).toEqual([]);
});

test.each(named(() => true))(
  '%s does nothing unless the authorizer says for whom',
  async (_id, { method, path }) => {
    const send = fixture.ownerOf('ws_nobody')[method.toLowerCase() as 'get'];
    const at = path.replace('/settings', '').replace(/\{\w+\}/g, 'x');
    // api-key-format.unit.test.ts has everything that is nobody.
    expect((await send(at, { authorized: { workspaceId: undefined } })).status).toBe(401);
    expect((await send(at, { authorized: { role: 'admin' } })).status).toBe(401);
  },
);

test('a key without leads:read that reviews gets ids', async () => {
  const at = await seed();
  const one = await at.owner.post(`/leads/${at.ids.leadId}/review`, {
    ...asKey(['leads:write']),
    body: { verdict: 'spam' },
  });
  expect(one.body).toEqual({ submissionId: at.ids.leadId, senders: { full: false } });
  const several = await at.owner.post('/leads/review', {
    ...asKey(['leads:write']),
    body: { verdict: 'spam', submissionIds: [at.ids.leadId, 'other'] },
  });
  expect(several.body).toEqual({ reviewed: [at.ids.leadId], notFound: ['other'], senders: { full: false } });
});

test('members may read leads whatever their role', () => {
  const user = { kind: 'user', workspaceId: 'ws_1', id: 'u', name: 'ada@example.com' } as const;
  expect(mayReadLeads({ ...user, role: 'viewer' })).toBe(true);
});
