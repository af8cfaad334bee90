import { describe, expect, test } from '@jest/globals';
import type { FeedbackEvent } from '#sending/recipient-links/record-feedback.ts';
import { DAY } from '../sending/sending-fixture.ts';
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
    await fixture.runFor(2 * DAY);
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
