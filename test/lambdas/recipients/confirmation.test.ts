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

  test('can confirm for 7 days, and as often as they like', async () => {
    const email = newAddress();
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    const { confirm } = fixture.linksTo(email);
    fixture.clock.now += 7 * DAY - MINUTE;
    for (let n = 0; n < 2; n += 1) expect(await fixture.open('POST', confirm)).toMatchObject({ status: 200 });
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'confirmed' });
  });

  test('cannot confirm after 8 days, and gets the same page as for a link that never existed', async () => {
    const email = newAddress();
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    const { confirm } = fixture.linksTo(email);
    fixture.clock.now += 8 * DAY;
    const expired = [await fixture.open('GET', confirm), await fixture.open('POST', confirm)];
    const forged = [await fixture.open('GET', '0'.repeat(32)), await fixture.open('POST', 'x'.repeat(5_000))];
    expect(expired).toEqual(forged);
    expect(expired[0]).toMatchObject({ status: 404 });
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'pending' });
  });

  test('stops with one click, for good: the link to confirm works no more', async () => {
    const email = newAddress();
    const destination = await confirmed(email);
    const { destinationId } = destination;
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
    await expect(
      fixture.destinationsOf(own.workspaceId).change(destinationId, { status: 'active' }, signal),
    ).rejects.toThrow('the recipient stopped it');
    await expect(
      fixture.destinationsOf(own.workspaceId).change(destinationId, { status: 'paused' }, signal),
    ).rejects.toThrow('the recipient stopped it');
    const before = fixture.mailsTo(email).length;
    await fixture.accept(own.workspaceId);
    await fixture.runFor(HOUR);
    expect(fixture.mailsTo(email)).toHaveLength(before);
  });
});

describe('a member of the workspace', () => {
  test('counts as confirmed at once, if they have signed in', async () => {
    const email = newAddress();
    await fixture.addMember(email.toUpperCase(), true);
    const { destinationId } = await fixture.create(email, { seesMembers: true });
    await fixture.accept(own.workspaceId);
    await fixture.runFor(MINUTE);
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'confirmed' });
    expect(fixture.mailsTo(email).map(({ subject }) => subject)).toEqual(['New lead']);
  });

  test('has to confirm if they were only invited: that may be a stranger', async () => {
    const email = newAddress();
    await fixture.addMember(email, false);
    const { destinationId } = await fixture.create(email, { seesMembers: true });
    await fixture.settle();
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'pending' });
  });

  test('has to confirm if a program created it, which may not know who is a member', async () => {
    const email = newAddress();
    await fixture.addMember(email, true);
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    await fixture.accept(own.workspaceId);
    await fixture.runFor(HOUR);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      askedAt: expect.any(String),
    });
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
