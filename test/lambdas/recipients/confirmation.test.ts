import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../sending/sending-fixture.ts';
import { openRecipientsFixture } from './recipients-fixture.ts';

const fixture = await openRecipientsFixture();
const { own, signal } = fixture;

let count = 0;
const newAddress = () => {
  count += 1;
  return `person${count}@example.org`;
};

/** A destination whose recipient has confirmed. */
async function confirmed(email = newAddress()) {
  const destination = await fixture.create(email);
  await fixture.settle();
  await fixture.open('POST', fixture.linksTo(email).confirm);
  await fixture.settle();
  return destination;
}

const stateOf = async (id: string) => fixture.destination(own.workspaceId, id);

describe('a recipient', () => {
  test('gets nothing but one question until they confirm, and then all that waited', async () => {
    const email = newAddress();
    await fixture.nameWorkspace('Acme www.evil.example');
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    await fixture.accept(own.workspaceId);
    await fixture.accept(own.workspaceId);
    await fixture.runFor(2 * HOUR);
    expect(fixture.mailsTo(email).map(({ subject }) => subject)).toEqual([
      'Confirm emails from Acme evil example',
    ]);
    expect(fixture.mailsTo(email)[0]?.text).not.toMatch(/ada@|evil\.example|Score/);
    expect(await fixture.statusesOf(destinationId)).toEqual(['parked', 'parked']);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      heldSince: expect.any(String),
    });

    expect(await fixture.open('POST', fixture.linksTo(email).confirm)).toEqual({
      status: 200,
      title: 'Confirmed',
    });
    await fixture.runFor(MINUTE);
    expect(await fixture.statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
    const [, first] = fixture.mailsTo(email);
    expect(first).toMatchObject({
      tags: { workspaceId: own.workspaceId, destinationId },
      headers: {
        'List-Unsubscribe': `<${fixture.linksTo(email).stop}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    });
    expect(first?.text).toContain('the workspace "Acme evil example" sends its leads');
    const state = await stateOf(destinationId);
    expect(state).toMatchObject({ confirmation: 'confirmed', status: 'active' });
    expect(state).not.toHaveProperty('heldSince');
  });

  test('changes nothing by opening a link, as mail scanners do', async () => {
    const email = newAddress();
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    const before = [await stateOf(destinationId), await fixture.stored()];
    const { confirm, stop } = fixture.linksTo(email);
    for (let n = 0; n < 3; n += 1) {
      expect(await fixture.open('GET', confirm)).toMatchObject({ status: 200 });
      expect(await fixture.open('GET', stop)).toEqual({ status: 200, title: 'Stop these emails' });
    }
    expect([await stateOf(destinationId), await fixture.stored()]).toEqual(before);
    expect(fixture.queued).toEqual([]);
  });

  test('can confirm for 7 days, as often as they like, and then gets the page of a link that never existed', async () => {
    const [early, late] = [newAddress(), newAddress()];
    const [inTime, tooLate] = [await fixture.create(early), await fixture.create(late)];
    await fixture.settle();
    const [{ confirm }, { confirm: expired }] = [fixture.linksTo(early), fixture.linksTo(late)];
    fixture.clock.now += 7 * DAY - MINUTE;
    for (let n = 0; n < 2; n += 1) expect(await fixture.open('POST', confirm)).toMatchObject({ status: 200 });
    expect(await stateOf(inTime.destinationId)).toMatchObject({ confirmation: 'confirmed' });
    fixture.clock.now += DAY;
    const shown = [await fixture.open('GET', expired), await fixture.open('POST', expired)];
    const forged = [await fixture.open('GET', '0'.repeat(32)), await fixture.open('POST', 'x'.repeat(5_000))];
    expect(shown).toEqual(forged);
    expect(shown[0]).toMatchObject({ status: 404 });
    expect(await stateOf(tooLate.destinationId)).toMatchObject({ confirmation: 'pending' });
  });

  test('stops with one click, for good: the link to confirm works no more', async () => {
    const email = newAddress();
    const { destinationId } = await confirmed(email);
    const [asked] = fixture.mailsTo(email);
    const confirm = asked?.text.match(/https:\S+/)?.[0];
    await fixture.accept(own.workspaceId);
    await fixture.settle();
    const stopped = await fixture.open('POST', fixture.linksTo(email).stop, 'List-Unsubscribe=One-Click');
    expect(stopped).toEqual({ status: 200, title: 'Stopped' });
    expect(await stateOf(destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'stopped',
      confirmation: 'stopped',
    });
    expect(await fixture.open('POST', confirm)).toMatchObject({ status: 404 });
    const before = fixture.mailsTo(email).length;
    await fixture.accept(own.workspaceId);
    await fixture.runFor(HOUR);
    expect(fixture.mailsTo(email)).toHaveLength(before);
  });
});

describe('a member of the workspace', () => {
  test.each([
    ['counts as confirmed at once, if they have signed in', true, true, 'confirmed', /^New lead$/],
    // That may be a stranger.
    ['has to confirm if they were only invited', false, true, 'pending', /^Confirm emails from /],
    // It may not know who is a member.
    ['has to confirm if a program created it', true, false, 'pending', /^Confirm emails from /],
  ])('%s', async (_, joined, seesMembers, confirmation, subject) => {
    const email = newAddress();
    await fixture.addMember(email.toUpperCase(), joined);
    const { destinationId } = await fixture.create(email, { seesMembers });
    await fixture.accept(own.workspaceId);
    await fixture.runFor(MINUTE);
    expect(await stateOf(destinationId)).toMatchObject({ confirmation });
    expect(fixture.mailsTo(email)).toMatchObject([{ subject: expect.stringMatching(subject) }]);
  });
});

describe('a destination that was stored before recipients were asked', () => {
  const old = (email: string) =>
    fixture.newDestination(own.workspaceId, '', { kind: 'email', url: undefined, email });

  test('asks its recipient once, and its messages wait', async () => {
    const email = newAddress();
    const { destinationId } = await old(email);
    for (let n = 0; n < 3; n += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(3 * DAY);
    await fixture.accept(own.workspaceId);
    await fixture.runFor(DAY);
    expect(fixture.mailsTo(email).map(({ subject }) => subject)).toEqual(['Confirm emails from Test']);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      heldSince: expect.any(String),
    });
    await fixture.open('POST', fixture.linksTo(email).confirm);
    await fixture.runFor(MINUTE);
    expect(await fixture.statusesOf(destinationId)).toEqual(Array(4).fill('delivered'));
  });

  test('counts as confirmed if its recipient is a member', async () => {
    const email = newAddress();
    await fixture.addMember(email, true);
    const { destinationId } = await old(email);
    await fixture.accept(own.workspaceId);
    await fixture.runFor(MINUTE);
    expect(await fixture.statusesOf(destinationId)).toEqual(['delivered']);
    expect(fixture.mailsTo(email)).toHaveLength(1);
  });
});

test('another address has to be confirmed again, and the link to the old one confirms nothing', async () => {
  const [before, after] = [newAddress(), newAddress()];
  const { destinationId } = await confirmed(before);
  const oldLink = fixture.mailsTo(before)[0]?.text.match(/https:\S+/)?.[0];
  await fixture.destinationsOf(own.workspaceId).change(destinationId, { email: after }, signal);
  await fixture.settle();
  expect(await fixture.open('POST', oldLink)).toMatchObject({ status: 404 });
  await fixture.accept(own.workspaceId);
  await fixture.runFor(MINUTE);
  expect(fixture.mailsTo(after).map(({ subject }) => subject)).toEqual(['Confirm emails from a workspace']);
  expect(await fixture.statusesOf(destinationId)).toEqual(['parked']);
  await fixture.open('POST', fixture.linksTo(after).confirm);
  await fixture.runFor(MINUTE);
  expect(await fixture.statusesOf(destinationId)).toEqual(['delivered']);
  expect(fixture.mailsTo(before)).toHaveLength(1);
});

test('a mail that SES refuses does not count, and the next message asks again', async () => {
  const email = newAddress();
  fixture.mailResponses.push({ status: 400, error: 'ses_MessageRejected' });
  const { destinationId } = await fixture.create(email);
  await fixture.settle();
  expect(await stateOf(destinationId)).not.toHaveProperty('askedAt');
  await fixture.runFor(2 * HOUR);
  await fixture.accept(own.workspaceId);
  await fixture.settle();
  expect(await stateOf(destinationId)).toMatchObject({ askedAt: expect.any(String) });
  expect(fixture.mailsTo(email)).toHaveLength(2);
});
