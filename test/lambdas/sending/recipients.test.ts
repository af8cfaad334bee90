import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-15T12:00:10.000Z'));
const EMAIL = 'sales@example.com';

async function newOwner() {
  fixture.queued.length = 0;
  return fixture.newOwner();
}

async function newDestination(body: object = { kind: 'email', email: EMAIL }) {
  const owner = await newOwner();
  const { destinationId } = (await owner.post('/destinations', { body })).body;
  return { owner, destinationId, at: `/destinations/${destinationId}` };
}

/** As the send function and the links in mails do it. */
function store(workspaceId: string, destinationId: string, changes: Readonly<Record<string, unknown>>) {
  const names = Object.keys(changes);
  return fixture.observer.send(
    new UpdateCommand({
      TableName: fixture.stack.tables.destinations,
      Key: { workspaceId, destinationId },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')} ADD revision :one`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':one': 1,
        ...Object.fromEntries(names.map((name) => [`:${name}`, changes[name]])),
      },
    }),
  );
}

const asKey = { actor: 'key:key_1', role: undefined, scopes: 'destinations:write destinations:read' };

describe('who is a member counts', () => {
  test.each([
    ['for an owner', {}, true],
    ['not for an API key, which may not list members', asKey, false],
  ])('%s', async (_, authorized, seesMembers) => {
    const owner = await newOwner();
    const body = { kind: 'email', email: EMAIL };
    const { status, body: made } = await owner.post('/destinations', { body, authorized });
    expect(status).toBe(201);
    expect(made).toMatchObject({ confirmation: 'pending', status: 'active' });
    const at = `/destinations/${made.destinationId}`;
    await owner.patch(at, { body: { email: `other-${EMAIL}` }, authorized });
    await owner.post(`${at}/confirmation`, { authorized });
    expect(fixture.queued).toEqual(
      Array(3).fill(
        expect.objectContaining({ task: 'confirm', destinationId: made.destinationId, seesMembers }),
      ),
    );
  });
});

describe('an email address has one destination in a workspace', () => {
  test('however it is spelled, and another workspace can have it too', async () => {
    const { owner } = await newDestination();
    const body = { kind: 'email', email: 'SALES@Example.com' };
    const refused = await owner.post('/destinations', { body });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toMatch(/Another destination of this workspace sends to this email address/);
    const other = await owner.post('/destinations', { body: { ...body, email: 'b@example.com' } });
    const moved = await owner.patch(`/destinations/${other.body.destinationId}`, { body: { email: EMAIL } });
    expect(moved.status).toBe(409);
    await newDestination(body);
  });

  test('which can be changed to another spelling of itself without a new confirmation', async () => {
    const { owner, destinationId, at } = await newDestination();
    await store(owner.workspaceId, destinationId, { confirmation: 'confirmed' });
    const { body } = await owner.patch(at, { body: { email: 'Sales@example.com' } });
    expect(body).toMatchObject({ email: EMAIL, confirmation: 'confirmed' });
  });
});

describe('the confirmation email', () => {
  test('is sent again once a day', async () => {
    const { owner, destinationId, at } = await newDestination();
    await store(owner.workspaceId, destinationId, { askedAt: new Date(fixture.clock.now).toISOString() });
    expect((await owner.get(at)).body).toMatchObject({ confirmationSentAt: expect.any(String) });
    const refused = await owner.post(`${at}/confirmation`);
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toMatch(/One confirmation email can be sent per address and day/);
    fixture.clock.now += 24 * 60 * 60 * 1000;
    expect((await owner.post(`${at}/confirmation`)).status).toBe(202);
  });

  test.each([
    ['a webhook', { kind: 'webhook', url: 'https://receiver.example.com/' }, {}],
    ['a confirmed recipient', undefined, { confirmation: 'confirmed' }],
    ['one who stopped it', undefined, { confirmation: 'stopped', status: 'disabled' }],
  ])('is not sent to %s', async (_, body, changes) => {
    const { owner, destinationId, at } = await newDestination(body);
    await store(owner.workspaceId, destinationId, { name: 'x', ...changes });
    fixture.queued.length = 0;
    expect((await owner.post(`${at}/confirmation`)).status).toBe(409);
    expect(fixture.queued).toEqual([]);
  });
});

test('an owner cannot activate or pause what the recipient stopped', async () => {
  const { owner, destinationId, at } = await newDestination();
  const stopped = { status: 'disabled', disabledReason: 'complained', confirmation: 'stopped' };
  await store(owner.workspaceId, destinationId, stopped);
  for (const status of ['active', 'paused'])
    expect((await owner.patch(at, { body: { status } })).status).toBe(409);
  expect((await owner.patch(at, { body: { name: 'Sales' } })).body).toMatchObject({
    ...stopped,
    name: 'Sales',
  });
});

test.each([
  ['webhook', { kind: 'webhook', url: 'https://receiver.example.com/' }],
  ['email', undefined],
])('a %s is tested at most 5 times per hour', async (_, body) => {
  const { owner, destinationId, at } = await newDestination(body);
  if (!body) await store(owner.workspaceId, destinationId, { confirmation: 'confirmed' });
  for (let n = 0; n < 5; n += 1) expect((await owner.post(`${at}/test`)).status).toBe(202);
  const refused = await owner.post(`${at}/test`);
  expect(refused.status).toBe(429);
  expect(refused.body.detail).toMatch(/tested 5 times in an hour/);
  fixture.clock.now += 60 * 60 * 1000;
  expect((await owner.post(`${at}/test`)).status).toBe(202);
});

test.each([
  ['that has not confirmed', { confirmation: 'pending' }, /has not confirmed this email address yet/],
  ['that stopped it', { confirmation: 'stopped', status: 'disabled' }, /the recipient stopped it/],
])('a recipient %s gets no test and no try, and the owner the reason', async (_, state, reason) => {
  const { owner, destinationId, at } = await newDestination();
  await store(owner.workspaceId, destinationId, state);
  fixture.queued.length = 0;
  for (const action of ['test', 'try']) {
    const { status, body } = await owner.post(`${at}/${action}`);
    expect(status).toBe(409);
    expect(body.detail).toMatch(reason);
  }
  expect(fixture.queued).toEqual([]);
});
