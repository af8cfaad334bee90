import { randomUUID } from 'node:crypto';
import { AdminSetUserPasswordCommand } from '@aws-sdk/client-cognito-identity-provider';
import { describe, expect, test } from '@jest/globals';
import { restOfStep } from '#access/members/handler.ts';
import { memberIdOf } from '#owner-api/principal.ts';
import type { Responded } from '../owner-api/owner-fixture.ts';
import { address, openTeamFixture } from './team-fixture.ts';

const fixture = openTeamFixture();
const { parties, invite, members, userOf, itemOf, newWorkspace, UserPoolId } = fixture;

/** The names of the calls to Cognito since the last look. */
const cognitoCalls: string[] = [];
fixture.cognito.middlewareStack.add(
  (next, { commandName }) =>
    (args) => {
      cognitoCalls.push(String(commandName));
      return next(args);
    },
  { step: 'initialize', name: 'cognitoCalls' },
);

/** A response with all the calls that led to it. */
async function watch<HttpResponse>(act: () => Promise<HttpResponse>) {
  fixture.clock.now += 1_000;
  fixture.calls.reset();
  cognitoCalls.length = 0;
  fixture.pauses.length = 0;
  const response = await act();
  const dynamodb = fixture.calls.commands();
  return { response, calls: { dynamodb, cognito: [...cognitoCalls], pauses: [...fixture.pauses] } };
}

/** Everything about a response but the address, with letters and digits of the id made equal. */
function shapeOf({ status, headers, text }: Responded, email: string) {
  const shape = text
    .replace(email, 'EMAIL')
    .replace(/(?<="memberId":"mem_)[0-9A-Za-z]+/, ({ length }) => `${length}`);
  return { status, headers, shape };
}

describe('inviting', () => {
  test("makes a user of the owner's workspace with the mark of an invitation", async () => {
    const email = address();
    const { body } = await invite(parties.owner, email);
    expect(body.memberId).toMatch(/^mem_[0-9A-Za-z]{22}$/);
    const user = await userOf(email);
    expect(memberIdOf(parties.owner.workspaceId, user?.sub)).toBe(body.memberId);
    expect(user).toMatchObject({
      email,
      'custom:workspace_id': parties.owner.workspaceId,
      'custom:invited': 'yes',
    });
    expect(await itemOf(body.memberId)).toMatchObject({ role: 'viewer', email, v: 1 });
  });

  test('ignores case, and takes nothing but an address and a role', async () => {
    const email = address();
    expect((await invite(parties.owner, email.toUpperCase())).body.email).toBe(email);
    for (const body of [
      {},
      { email },
      { email, role: 'admin' },
      { email: 'nobody', role: 'viewer' },
      { email: 'a b@example.com', role: 'viewer' },
      { email, role: 'viewer', workspaceId: 'ws_other' },
    ]) {
      expect((await parties.owner.post('/members', { body })).status).toBe(400);
    }
  });

  test('an address that another workspace uses looks the same, and changes nothing there', async () => {
    const theirs = await newWorkspace();
    const [taken, free] = [address(), address()];
    const { body: theirMember } = await invite(theirs, taken, 'owner');
    const first = await watch(() => invite(parties.owner, free));
    const second = await watch(() => invite(parties.owner, taken));
    expect(second.calls).toEqual(first.calls);
    expect(second.calls).toEqual({
      dynamodb: expect.arrayContaining(['PutItem']),
      cognito: ['AdminGetUserCommand', 'AdminCreateUserCommand'],
      pauses: [2_000],
    });
    expect(shapeOf(second.response, taken)).toEqual(shapeOf(first.response, free));
    expect(second.response.body.memberId).not.toBe(theirMember.memberId);
    const listed = await members();
    expect(listed.map(({ email, status }) => [email, status])).toEqual([
      [`${parties.myUserId}@example.com`, 'active'],
      [free, 'invited'],
      [taken, 'invited'],
    ]);
    // It can be removed like any other, and the user of the other workspace stays.
    const [freed, untaken] = [first, second].map(({ response }) => `/members/${response.body.memberId}`);
    const [removal, other] = [
      await watch(() => parties.owner.delete(freed ?? '')),
      await watch(() => parties.owner.delete(untaken ?? '')),
    ];
    expect(other.calls).toEqual(removal.calls);
    expect(shapeOf(other.response, taken)).toEqual(shapeOf(removal.response, free));
    expect(removal).toMatchObject({ response: { status: 200 }, calls: { pauses: [2_000] } });
    expect(await userOf(taken)).toMatchObject({ 'custom:workspace_id': theirs.workspaceId });
    expect(await itemOf(theirMember.memberId, theirs)).toMatchObject({ role: 'owner' });
  });

  test('a member of the own workspace is not invited twice, and keeps the role', async () => {
    const email = address();
    const first = await invite(parties.owner, email, 'owner');
    const second = await invite(parties.owner, email, 'viewer');
    expect(second).toMatchObject({ status: 202, body: { memberId: first.body.memberId, role: 'owner' } });
    expect(await members()).toHaveLength(2);
  });

  test('an invitation whose response was lost is completed by the next one', async () => {
    const email = address();
    const lost = await fixture.users.invite(email, parties.owner.workspaceId);
    const { body } = await invite(parties.owner, email);
    expect(body.memberId).toBe(memberIdOf(parties.owner.workspaceId, (lost as { userId: string }).userId));
    expect(await members()).toHaveLength(2);
  });

  test('a user of the own workspace who has signed in is not taken over by an invitation', async () => {
    const email = address();
    const made = await fixture.users.invite(email, parties.owner.workspaceId);
    const Password = `Aa1!${randomUUID()}`;
    await fixture.cognito.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
    );
    const theirId = memberIdOf(parties.owner.workspaceId, (made as { userId: string }).userId);
    expect((await invite(parties.owner, email)).body.memberId).not.toBe(theirId);
  });

  test('is possible 20 times per UTC day, also for taken addresses', async () => {
    const email = address();
    for (let n = 0; n < 20; n += 1) expect((await invite(parties.owner, email)).status).toBe(202);
    expect((await parties.owner.get('/members')).body.invitationsLeftToday).toBe(0);
    expect(await invite(parties.owner, address())).toMatchObject({
      status: 429,
      body: {
        type: 'urn:lead-ingest:problem:limit-reached',
        detail: 'A workspace can invite 20 people per day (UTC). Try again tomorrow.',
      },
    });
    expect((await invite(await newWorkspace(), address())).status).toBe(202);
    fixture.clock.now += 14 * 60 * 60 * 1000;
    expect((await invite(parties.owner, address())).status).toBe(202);
  });
});

test.each([
  [0, 2_000],
  [1, 1_999],
  [2_000, 0],
  [2_001, 1_999],
])('after %i ms, a response waits for %i ms more', (elapsed, rest) => {
  expect(restOfStep(elapsed)).toBe(rest);
});

test('addresses are not logged', () => {
  expect(fixture.logLines.length).toBeGreaterThan(40);
  expect(fixture.logLines.join()).not.toMatch(/@example\.com/i);
});
