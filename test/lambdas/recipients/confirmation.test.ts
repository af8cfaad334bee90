import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../sending/sending-bench.ts';
import { openRecipientsBench } from './recipients-bench.ts';

const bench = await openRecipientsBench();
const { own, signal } = bench;

let count = 0;
const newAddress = () => {
  count += 1;
  return `person${count}@example.org`;
};

/** A destination whose recipient has confirmed. */
async function confirmed(email = newAddress()) {
  const destination = await bench.create(email);
  await bench.settle();
  await bench.open('POST', bench.linksTo(email).confirm);
  await bench.settle();
  return destination;
}

const stateOf = async (id: string) => bench.destination(own.workspaceId, id);

describe('a recipient', () => {
  test('gets nothing but one question until they confirm, and then all that waited', async () => {
    const email = newAddress();
    await bench.nameWorkspace('Acme www.evil.example');
    const { destinationId } = await bench.create(email);
    await bench.settle();
    await bench.accept(own.workspaceId);
    await bench.accept(own.workspaceId);
    await bench.runFor(2 * HOUR);
    expect(bench.mailsTo(email).map(({ subject }) => subject)).toEqual([
      'Confirm emails from Acme evil example',
    ]);
    expect(bench.mailsTo(email)[0]?.text).not.toMatch(/ada@|evil\.example|Score/);
    expect(await bench.statusesOf(destinationId)).toEqual(['parked', 'parked']);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      heldSince: expect.any(String),
    });

    expect(await bench.open('POST', bench.linksTo(email).confirm)).toEqual({
      status: 200,
      title: 'Confirmed',
    });
    await bench.runFor(MINUTE);
    expect(await bench.statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
    const [, first] = bench.mailsTo(email);
    expect(first).toMatchObject({
      tags: { workspaceId: own.workspaceId, destinationId },
      headers: {
        'List-Unsubscribe': `<${bench.linksTo(email).stop}>`,
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
    const { destinationId } = await bench.create(email);
    await bench.settle();
    const before = [await stateOf(destinationId), await bench.stored()];
    const { confirm, stop } = bench.linksTo(email);
    for (let n = 0; n < 3; n += 1) {
      expect(await bench.open('GET', confirm)).toMatchObject({ status: 200 });
      expect(await bench.open('GET', stop)).toEqual({ status: 200, title: 'Stop these emails' });
    }
    expect([await stateOf(destinationId), await bench.stored()]).toEqual(before);
    expect(bench.queued).toEqual([]);
  });

  test('can confirm for 7 days, and as often as they like', async () => {
    const email = newAddress();
    const { destinationId } = await bench.create(email);
    await bench.settle();
    const { confirm } = bench.linksTo(email);
    bench.clock.now += 7 * DAY - MINUTE;
    for (let n = 0; n < 2; n += 1) expect(await bench.open('POST', confirm)).toMatchObject({ status: 200 });
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'confirmed' });
  });

  test('cannot confirm after 8 days, and gets the same page as for a link that never existed', async () => {
    const email = newAddress();
    const { destinationId } = await bench.create(email);
    await bench.settle();
    const { confirm } = bench.linksTo(email);
    bench.clock.now += 8 * DAY;
    const expired = [await bench.open('GET', confirm), await bench.open('POST', confirm)];
    const forged = [await bench.open('GET', '0'.repeat(32)), await bench.open('POST', 'x'.repeat(5_000))];
    expect(expired).toEqual(forged);
    expect(expired[0]).toMatchObject({ status: 404 });
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'pending' });
  });

  test('stops with one click, for good: the link to confirm works no more', async () => {
    const email = newAddress();
    const destination = await confirmed(email);
    const { destinationId } = destination;
    const [asked] = bench.mailsTo(email);
    const confirm = asked?.text.match(/https:\S+/)?.[0];
    await bench.accept(own.workspaceId);
    await bench.settle();
    const stopped = await bench.open('POST', bench.linksTo(email).stop, 'List-Unsubscribe=One-Click');
    expect(stopped).toEqual({ status: 200, title: 'Stopped' });
    expect(await stateOf(destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'stopped',
      confirmation: 'stopped',
    });
    expect(await bench.open('POST', confirm)).toMatchObject({ status: 404 });
    await expect(
      bench.destinationsOf(own.workspaceId).change(destinationId, { status: 'active' }, signal),
    ).rejects.toThrow('the recipient stopped it');
    await expect(
      bench.destinationsOf(own.workspaceId).change(destinationId, { status: 'paused' }, signal),
    ).rejects.toThrow('the recipient stopped it');
    const before = bench.mailsTo(email).length;
    await bench.accept(own.workspaceId);
    await bench.runFor(HOUR);
    expect(bench.mailsTo(email)).toHaveLength(before);
  });
});

describe('a member of the workspace', () => {
  test('counts as confirmed at once, if they have signed in', async () => {
    const email = newAddress();
    await bench.addMember(email.toUpperCase(), true);
    const { destinationId } = await bench.create(email, { seesMembers: true });
    await bench.accept(own.workspaceId);
    await bench.runFor(MINUTE);
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'confirmed' });
    expect(bench.mailsTo(email).map(({ subject }) => subject)).toEqual(['New lead: form_1']);
  });

  test('has to confirm if they were only invited: that may be a stranger', async () => {
    const email = newAddress();
    await bench.addMember(email, false);
    const { destinationId } = await bench.create(email, { seesMembers: true });
    await bench.settle();
    expect(await stateOf(destinationId)).toMatchObject({ confirmation: 'pending' });
  });

  test('has to confirm if a program created it, which may not know who is a member', async () => {
    const email = newAddress();
    await bench.addMember(email, true);
    const { destinationId } = await bench.create(email);
    await bench.settle();
    await bench.accept(own.workspaceId);
    await bench.runFor(HOUR);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      askedAt: expect.any(String),
    });
  });
});

describe('a destination that was stored before recipients were asked', () => {
  const old = (email: string) =>
    bench.newDestination(own.workspaceId, '', { kind: 'email', url: undefined, email });

  test('asks its recipient once, and its messages wait', async () => {
    const email = newAddress();
    const { destinationId } = await old(email);
    for (let n = 0; n < 3; n += 1) await bench.accept(own.workspaceId);
    await bench.runFor(3 * DAY);
    await bench.accept(own.workspaceId);
    await bench.runFor(DAY);
    expect(bench.mailsTo(email).map(({ subject }) => subject)).toEqual(['Confirm emails from a workspace']);
    expect(await stateOf(destinationId)).toMatchObject({
      confirmation: 'pending',
      heldSince: expect.any(String),
    });
    await bench.open('POST', bench.linksTo(email).confirm);
    await bench.runFor(MINUTE);
    expect(await bench.statusesOf(destinationId)).toEqual(Array(4).fill('delivered'));
  });

  test('counts as confirmed if its recipient is a member', async () => {
    const email = newAddress();
    await bench.addMember(email, true);
    const { destinationId } = await old(email);
    await bench.accept(own.workspaceId);
    await bench.runFor(MINUTE);
    expect(await bench.statusesOf(destinationId)).toEqual(['delivered']);
    expect(bench.mailsTo(email)).toHaveLength(1);
  });
});

test('another address has to be confirmed again, and the link to the old one confirms nothing', async () => {
  const [before, after] = [newAddress(), newAddress()];
  const { destinationId } = await confirmed(before);
  const oldLink = bench.mailsTo(before)[0]?.text.match(/https:\S+/)?.[0];
  await bench.destinationsOf(own.workspaceId).change(destinationId, { email: after }, signal);
  await bench.settle();
  expect(await bench.open('POST', oldLink)).toMatchObject({ status: 404 });
  await bench.accept(own.workspaceId);
  await bench.runFor(MINUTE);
  expect(bench.mailsTo(after).map(({ subject }) => subject)).toEqual(['Confirm emails from a workspace']);
  expect(await bench.statusesOf(destinationId)).toEqual(['parked']);
  await bench.open('POST', bench.linksTo(after).confirm);
  await bench.runFor(MINUTE);
  expect(await bench.statusesOf(destinationId)).toEqual(['delivered']);
  expect(bench.mailsTo(before)).toHaveLength(1);
});

test('a mail that SES refuses does not count, and the next message asks again', async () => {
  const email = newAddress();
  bench.mailAnswers.push({ status: 400, error: 'ses_MessageRejected' });
  const { destinationId } = await bench.create(email);
  await bench.settle();
  expect(await stateOf(destinationId)).not.toHaveProperty('askedAt');
  await bench.runFor(2 * HOUR);
  await bench.accept(own.workspaceId);
  await bench.settle();
  expect(await stateOf(destinationId)).toMatchObject({ askedAt: expect.any(String) });
  expect(bench.mailsTo(email)).toHaveLength(2);
});
