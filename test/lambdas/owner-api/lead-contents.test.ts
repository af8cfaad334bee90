import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { learnedKey } from '#model/learned.ts';
import { mayReadLeads } from '#owner-api/route-access.ts';
import { type OperationId, ROUTES } from '#owner-api/route-table.ts';
import { SCOPES, type Scope } from '#owner-api/scopes.ts';
import { indexNow } from '../leads/lead-fixture.ts';
import { fillPath, oneOfEach } from '../settings/one-of-each.ts';
import { OPERATIONS, type Operation } from './api-document.ts';
import { type Call, openOwnerFixture } from './owner-fixture.ts';

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

let read: ReturnType<typeof seed> | undefined;

/** Whatever changes something gets a new workspace: it may erase the lead. */
function workspaceFor({ method }: Operation) {
  if (method !== 'GET') return seed();
  read ??= seed();
  return read;
}

const asKey = (scopes: readonly Scope[]): Call => ({
  authorized: { actor: 'key:key_1', actorName: 'Zapier', role: undefined, scopes: scopes.join(' ') },
});

const accessOf = ({ operationId }: Operation) => ROUTES[operationId as OperationId].scopes;

async function call(operation: Operation, scopes: readonly Scope[], at: Awaited<ReturnType<typeof seed>>) {
  const { operationId, method, path } = operation;
  const body = BODIES[operationId]?.(at.ids);
  if (operationId.endsWith('Learning')) await learn(at.workspaceId);
  const send = at.owner[method.toLowerCase() as 'get'];
  // Only recipients of email are asked.
  const ids = operationId === 'askRecipient' ? { ...at.ids, destinationId: at.emailDestinationId } : at.ids;
  return send(fillPath(path, ids), { ...asKey(scopes), ...(body !== undefined && { body }) });
}

const REVIEWS = ['reviewLead', 'reviewLeads'];
/** A number may only be known to those who may know of which leads, though it says nothing about one. */
const COUNT = 'countLeads';
const forKeys = OPERATIONS.filter((operation) => accessOf(operation).length > 0);
const named = (operations: readonly Operation[]) =>
  operations.map((each) => [each.operationId, each] as const);

describe('without leads:read, no response has the contents of a lead', () => {
  test.each(named(forKeys))('%s', async (_operationId, operation) => {
    const at = await workspaceFor(operation);
    for (const scope of SCOPES.filter((each) => each !== 'leads:read')) {
      expect((await call(operation, [scope], at)).text).not.toMatch(CONTENTS);
    }
    const others = SCOPES.filter((each) => each !== 'leads:read');
    const { status, text } = await call(operation, others, await workspaceFor(operation));
    expect(status < 300).toBe(!accessOf(operation).includes('leads:read'));
    expect(text).not.toMatch(CONTENTS);
  });
});

describe('with leads:read, the contents are there, so the test above would see them', () => {
  const readers = forKeys.filter(
    (operation) => accessOf(operation).includes('leads:read') || REVIEWS.includes(operation.operationId),
  );

  test.each(named(readers))('%s', async (_operationId, operation) => {
    const { status, text } = await call(
      operation,
      ['leads:read', ...accessOf(operation)],
      await workspaceFor(operation),
    );
    expect(status).toBe(200);
    if (operation.operationId !== COUNT) expect(text).toMatch(CONTENTS);
  });
});

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
