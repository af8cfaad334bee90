import { describe, expect, test } from '@jest/globals';
import type { FeedbackEvent } from '#sending/recipient-links/record-feedback.ts';
import { DAY, HOUR, MINUTE } from '../sending/sending-fixture.ts';
import { openRecipientsFixture } from './recipients-fixture.ts';

const fixture = await openRecipientsFixture();
const { own, signal } = fixture;

let count = 0;
async function confirmed() {
  count += 1;
  const email = `reader${count}@example.org`;
  const { destinationId } = await fixture.create(email);
  await fixture.settle();
  await fixture.open('POST', fixture.linksTo(email).confirm);
  return { email, destinationId, tags: { workspaceId: [own.workspaceId], destinationId: [destinationId] } };
}

/** Without the sweeps in between: what is due by then happens at the end. */
async function later(milliseconds: number): Promise<void> {
  fixture.clock.now += milliseconds - MINUTE;
  await fixture.runFor(MINUTE);
}

type Detail = FeedbackEvent['detail'];
const bounce = (emailAddress: string, bounceType: string): Detail => ({
  eventType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress }] },
});
const complaint = (emailAddress: string): Detail => ({
  eventType: 'Complaint',
  complaint: { complainedRecipients: [{ emailAddress }] },
});

describe('SES reports', () => {
  test.each([
    ['a permanent bounce', 'bounced', (email: string) => bounce(email, 'Permanent')],
    ['a complaint', 'complained', complaint],
  ] as const)('%s: the destination is disabled and the address suppressed', async (_, reason, report) => {
    const { email, destinationId, tags } = await confirmed();
    await fixture.feedback({ ...report(email.toUpperCase()), mail: { tags } });
    expect(await fixture.destination(own.workspaceId, destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: reason,
      confirmation: 'stopped',
    });
    expect(fixture.watched).toContain(own.workspaceId);
    await later(2 * DAY);
    const { destinationId: other } = await fixture.create(email, { workspaceId: `${own.workspaceId}_other` });
    await fixture.settle();
    expect(await fixture.destination(`${own.workspaceId}_other`, other)).toMatchObject({
      confirmation: 'stopped',
    });
    expect(fixture.mailsTo(email)).toHaveLength(1);
  });

  test.each([
    ['a mailbox that is full', (email: string) => bounce(email, 'Transient')],
    ['a delivery', () => ({ eventType: 'Delivery' })],
    ['another address, which it had before', () => bounce('before@example.org', 'Permanent')],
  ] as const)('%s: the destination stays', async (_, report) => {
    const { email, destinationId, tags } = await confirmed();
    await fixture.feedback({ ...report(email), mail: { tags } });
    expect(await fixture.destination(own.workspaceId, destinationId)).toMatchObject({
      status: 'active',
      confirmation: 'confirmed',
    });
  });

  test('something about a destination that is gone, or without tags: nothing fails', async () => {
    const { email, destinationId, tags } = await confirmed();
    await fixture.destinationsOf(own.workspaceId).remove(destinationId, signal);
    await fixture.feedback({ ...bounce(email, 'Permanent'), mail: { tags } });
    await fixture.feedback(bounce(email, 'Permanent'));
    await fixture.feedback({});
    expect(fixture.lines.join('\n')).not.toContain(email);
  });
});

test('an owner can give a stopped destination another address, which has to be confirmed', async () => {
  const { email, destinationId, tags } = await confirmed();
  await fixture.feedback({ ...bounce(email, 'Permanent'), mail: { tags } });
  const { change, confirm } = fixture.destinationsOf(own.workspaceId);
  await expect(confirm(destinationId, signal)).rejects.toMatchObject({ code: 'conflict' });
  await change(destinationId, { email: `other-${email}` }, signal);
  await fixture.settle();
  expect(await fixture.destination(own.workspaceId, destinationId)).toMatchObject({
    status: 'active',
    confirmation: 'pending',
  });
  expect(fixture.mailsTo(`other-${email}`)).toHaveLength(1);
});

const newAddress = () => {
  count += 1;
  return `victim${count}@example.org`;
};
const outcomes = async (promises: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status).sort();

describe('a stranger is not flooded', () => {
  test('by destinations that are created at the same time', async () => {
    const email = newAddress();
    await outcomes(Array.from({ length: 5 }, () => fixture.create(email)));
    const left = await fixture.destinationsOf(own.workspaceId).list(signal);
    // None, if each of them saw another one.
    expect(left.filter((each) => each.email === email).length).toBeLessThanOrEqual(1);
    await fixture.create(email).catch(() => undefined);
    await fixture.runFor(HOUR);
    expect(fixture.mailsTo(email)).toHaveLength(1);
  });

  test('by tests, which are refused, and as many leads as come in', async () => {
    const email = newAddress();
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    const { test: sendTest } = fixture.destinationsOf(own.workspaceId);
    for (let n = 0; n < 3; n += 1) {
      await expect(sendTest(destinationId, signal)).rejects.toMatchObject({ code: 'conflict' });
    }
    for (let n = 0; n < 10; n += 1) await fixture.accept(own.workspaceId);
    await fixture.runFor(59 * MINUTE);
    expect(fixture.mailsTo(email)).toHaveLength(1);
    const types = (await fixture.messagesOf(destinationId)).map(({ type }) => type);
    expect(types).toEqual(Array(10).fill('lead.accepted'));
  });

  test('by many workspaces, spellings of the mailbox, and confirmations that are asked for again', async () => {
    const email = newAddress();
    const [local, domain] = email.split('@');
    const created = [];
    for (let n = 0; n < 4; n += 1) {
      const workspaceId = `${own.workspaceId}_${n}`;
      const address = n === 0 ? email : `${local}+${n}@${domain}`;
      created.push(await fixture.create(address, { workspaceId }));
    }
    await fixture.settle();
    for (const { workspaceId, destinationId } of created) {
      const { confirm } = fixture.destinationsOf(workspaceId);
      await confirm(destinationId, signal).catch(() => undefined);
      await fixture.accept(workspaceId);
    }
    await fixture.runFor(DAY - HOUR);
    const toMailbox = () => fixture.mails.filter(({ to }) => to.startsWith(`${local}+`) || to === email);
    expect(toMailbox()).toHaveLength(1);
    // One more on the next day, whoever asks for it.
    await fixture.runFor(2 * HOUR);
    for (const { workspaceId, destinationId } of created) {
      const { confirm } = fixture.destinationsOf(workspaceId);
      await confirm(destinationId, signal).catch(() => undefined);
    }
    await fixture.settle();
    expect(toMailbox()).toHaveLength(2);
  });

  test('by deleting and creating the destination again', async () => {
    const email = newAddress();
    for (let n = 0; n < 3; n += 1) {
      const { destinationId } = await fixture.create(email);
      await fixture.settle();
      await fixture.destinationsOf(own.workspaceId).remove(destinationId, signal);
    }
    await fixture.runFor(HOUR);
    expect(fixture.mailsTo(email)).toHaveLength(1);
  });
});

describe('somebody who stopped it', () => {
  test('can do so after the destination was deleted, and is not asked when it is created again', async () => {
    const email = newAddress();
    const { destinationId } = await fixture.create(email);
    await fixture.settle();
    const { stop } = fixture.linksTo(email);
    await fixture.destinationsOf(own.workspaceId).remove(destinationId, signal);
    fixture.clock.now += 30 * DAY;
    expect(await fixture.open('POST', stop)).toEqual({ status: 200, title: 'Stopped' });
    const again = await fixture.create(email);
    await later(DAY);
    expect(await fixture.destination(own.workspaceId, again.destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'stopped',
    });
    // They stopped the question itself: no other workspace asks it either.
    const other = await fixture.create(email.toUpperCase(), { workspaceId: `${own.workspaceId}_other` });
    await later(2 * DAY);
    expect(await fixture.destination(`${own.workspaceId}_other`, other.destinationId)).toMatchObject({
      disabledReason: 'stopped',
    });
    expect(fixture.mails.filter(({ to }) => to.toLowerCase() === email)).toHaveLength(1);
  });

  test('is not mailed as a member either', async () => {
    const email = newAddress();
    await fixture.create(email);
    await fixture.settle();
    await fixture.open('POST', fixture.linksTo(email).stop);
    await fixture.addMember(email, true, `${own.workspaceId}_b`);
    const { destinationId } = await fixture.create(email, {
      workspaceId: `${own.workspaceId}_b`,
      seesMembers: true,
    });
    await fixture.settle();
    expect(await fixture.destination(`${own.workspaceId}_b`, destinationId)).toMatchObject({
      confirmation: 'stopped',
    });
  });

  test('keeps what they confirmed for other workspaces, if they stop one of those', async () => {
    const email = newAddress();
    const workspaces = [`${own.workspaceId}_1`, `${own.workspaceId}_2`] as const;
    const created = [];
    for (const workspaceId of workspaces) {
      created.push(await fixture.create(email, { workspaceId }));
      await fixture.settle();
      await fixture.open('POST', fixture.linksTo(email).confirm);
      await later(DAY + HOUR);
    }
    await fixture.accept(workspaces[0]);
    await fixture.settle();
    await fixture.open('POST', fixture.linksTo(email).stop);
    const states = await Promise.all(
      created.map(({ workspaceId, destinationId }) => fixture.destination(workspaceId, destinationId)),
    );
    expect(states.map((each) => each?.confirmation)).toEqual(['stopped', 'confirmed']);
  });
});

test('two destinations cannot be given one address, not even at the same time', async () => {
  const email = newAddress();
  const { change, list } = fixture.destinationsOf(own.workspaceId);
  const [one, two] = [await fixture.create(newAddress()), await fixture.create(newAddress())];
  await outcomes([one, two].map(({ destinationId }) => change(destinationId, { email }, signal)));
  const taken = (await list(signal)).filter((each) => each.email === email);
  expect(taken.length).toBeLessThanOrEqual(1);
  if (taken.length === 0) await change(one.destinationId, { email }, signal);
  const other = taken[0]?.destinationId === two.destinationId ? one : two;
  await expect(change(other.destinationId, { email: email.toUpperCase() }, signal)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('what is stored of links and addresses is hashes, and no address', async () => {
  const email = newAddress();
  await fixture.create(email);
  await fixture.settle();
  const { confirm = '', stop = '' } = fixture.linksTo(email);
  await fixture.open('POST', stop);
  const stored = JSON.stringify(await fixture.stored());
  expect(stored).toContain(own.workspaceId);
  for (const secret of [email, confirm.slice(-32), stop.slice(-32)]) expect(stored).not.toContain(secret);
  expect(fixture.lines.join('\n')).not.toMatch(
    new RegExp(`${email}|${confirm.slice(-32)}|${stop.slice(-32)}`),
  );
});
