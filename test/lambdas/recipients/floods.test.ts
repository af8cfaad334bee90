import { describe, expect, test } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../sending/sending-bench.ts';
import { openRecipientsBench } from './recipients-bench.ts';

const bench = await openRecipientsBench();
const { own, signal } = bench;

let count = 0;
const newAddress = () => {
  count += 1;
  return `victim${count}@example.org`;
};
const outcomes = async (promises: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(({ status }) => status).sort();

describe('a stranger is not flooded', () => {
  test('by 20 destinations of one workspace, in any spelling', async () => {
    const email = newAddress();
    await bench.create(email);
    for (let n = 1; n < 20; n += 1) {
      const spelled = n % 2 === 0 ? email.toUpperCase() : `${email[0]?.toUpperCase()}${email.slice(1)}`;
      await expect(bench.create(spelled)).rejects.toMatchObject({ code: 'conflict' });
    }
    await bench.runFor(HOUR);
    expect(bench.mailsTo(email)).toHaveLength(1);
  });

  test('by destinations that are created at the same time', async () => {
    const email = newAddress();
    await outcomes(Array.from({ length: 5 }, () => bench.create(email)));
    const left = await bench.destinationsOf(own.workspaceId).list(signal);
    // None, if each of them saw another one.
    expect(left.filter((each) => each.email === email).length).toBeLessThanOrEqual(1);
    await bench.create(email).catch(() => undefined);
    await bench.runFor(HOUR);
    expect(bench.mailsTo(email)).toHaveLength(1);
  });

  test('by 5 tests per hour and as many leads as come in', async () => {
    const email = newAddress();
    const { destinationId } = await bench.create(email);
    await bench.settle();
    const { test: sendTest } = bench.destinationsOf(own.workspaceId);
    const tests = Array.from({ length: 20 }, async (_, n) => {
      bench.clock.now += n;
      return sendTest(destinationId, signal);
    });
    await outcomes(tests);
    for (let n = 0; n < 20; n += 1) await sendTest(destinationId, signal).catch(() => undefined);
    await expect(sendTest(destinationId, signal)).rejects.toMatchObject({ code: 'limit_reached' });
    for (let n = 0; n < 10; n += 1) await bench.accept(own.workspaceId);
    await bench.runFor(59 * MINUTE);
    expect(bench.mailsTo(email)).toHaveLength(1);
    expect(
      (await bench.messagesOf(destinationId)).filter(({ type }) => type === 'destination.test'),
    ).toHaveLength(5);
    await bench.runFor(2 * MINUTE);
    expect(await sendTest(destinationId, signal)).toMatch(/^msg_/);
  });

  test('by many workspaces, spellings of the mailbox, and confirmations that are asked for again', async () => {
    const email = newAddress();
    const [local, domain] = email.split('@');
    const created = [];
    for (let n = 0; n < 10; n += 1) {
      const workspaceId = `${own.workspaceId}_${n}`;
      const address = n === 0 ? email : `${local}+${n}@${domain}`;
      created.push(await bench.create(address, { workspaceId }));
    }
    await bench.settle();
    for (const { workspaceId, destinationId } of created) {
      const { confirm } = bench.destinationsOf(workspaceId);
      await confirm(destinationId, signal).catch(() => undefined);
      await bench.accept(workspaceId);
    }
    await bench.runFor(DAY - HOUR);
    const toMailbox = () => bench.mails.filter(({ to }) => to.startsWith(`${local}+`) || to === email);
    expect(toMailbox()).toHaveLength(1);
    // One more on the next day, whoever asks for it.
    await bench.runFor(2 * HOUR);
    for (const { workspaceId, destinationId } of created) {
      const { confirm } = bench.destinationsOf(workspaceId);
      await confirm(destinationId, signal).catch(() => undefined);
    }
    await bench.settle();
    expect(toMailbox()).toHaveLength(2);
  });

  test('by deleting and creating the destination again', async () => {
    const email = newAddress();
    for (let n = 0; n < 10; n += 1) {
      const { destinationId } = await bench.create(email);
      await bench.settle();
      await bench.destinationsOf(own.workspaceId).remove(destinationId, signal);
    }
    await bench.runFor(HOUR);
    expect(bench.mailsTo(email)).toHaveLength(1);
  });
});

describe('somebody who stopped it', () => {
  test('can do so after the destination was deleted, and is not asked when it is created again', async () => {
    const email = newAddress();
    const { destinationId } = await bench.create(email);
    await bench.settle();
    const { stop } = bench.linksTo(email);
    await bench.destinationsOf(own.workspaceId).remove(destinationId, signal);
    bench.clock.now += 30 * DAY;
    expect(await bench.open('POST', stop)).toEqual({ status: 200, title: 'Stopped' });
    const again = await bench.create(email);
    await bench.runFor(DAY);
    expect(await bench.destination(own.workspaceId, again.destinationId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'stopped',
    });
    // They stopped the question itself: no other workspace asks it either.
    const other = await bench.create(email.toUpperCase(), { workspaceId: `${own.workspaceId}_other` });
    await bench.runFor(2 * DAY);
    expect(await bench.destination(`${own.workspaceId}_other`, other.destinationId)).toMatchObject({
      disabledReason: 'stopped',
    });
    expect(bench.mails.filter(({ to }) => to.toLowerCase() === email)).toHaveLength(1);
  });

  test('is not mailed as a member either', async () => {
    const email = newAddress();
    await bench.create(email);
    await bench.settle();
    await bench.open('POST', bench.linksTo(email).stop);
    await bench.addMember(email, true, `${own.workspaceId}_b`);
    const { destinationId } = await bench.create(email, {
      workspaceId: `${own.workspaceId}_b`,
      seesMembers: true,
    });
    await bench.settle();
    expect(await bench.destination(`${own.workspaceId}_b`, destinationId)).toMatchObject({
      confirmation: 'stopped',
    });
  });

  test('keeps what they confirmed for other workspaces, if they stop one of those', async () => {
    const email = newAddress();
    const workspaces = [`${own.workspaceId}_1`, `${own.workspaceId}_2`] as const;
    const created = [];
    for (const workspaceId of workspaces) {
      created.push(await bench.create(email, { workspaceId }));
      await bench.settle();
      await bench.open('POST', bench.linksTo(email).confirm);
      await bench.runFor(DAY + HOUR);
    }
    await bench.accept(workspaces[0]);
    await bench.settle();
    await bench.open('POST', bench.linksTo(email).stop);
    const states = await Promise.all(
      created.map(({ workspaceId, destinationId }) => bench.destination(workspaceId, destinationId)),
    );
    expect(states.map((each) => each?.confirmation)).toEqual(['stopped', 'confirmed']);
  });
});

test('two destinations cannot be given one address, not even at the same time', async () => {
  const email = newAddress();
  const { change, list } = bench.destinationsOf(own.workspaceId);
  const [one, two] = [await bench.create(newAddress()), await bench.create(newAddress())];
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
  await bench.create(email);
  await bench.settle();
  const { confirm = '', stop = '' } = bench.linksTo(email);
  await bench.open('POST', stop);
  const stored = JSON.stringify(await bench.stored());
  expect(stored).toContain(own.workspaceId);
  for (const secret of [email, confirm.slice(-32), stop.slice(-32)]) expect(stored).not.toContain(secret);
  expect(bench.lines.join('\n')).not.toMatch(new RegExp(`${email}|${confirm.slice(-32)}|${stop.slice(-32)}`));
});
