import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { makeLeadId } from '#model/lead-item.ts';
import { FAILURES_THAT_OPEN } from '#sending/retry-schedule.ts';
import { measureSending } from '../../bench/measure/sending.ts';
import { sendingSection } from '../../bench/report/cost-sections.ts';
import { makeCapacity } from '../../bench/units/capacity.ts';
import { recordWire } from '../../bench/units/wire-calls.ts';
import { openSendingFixtureForTests } from '../lambdas/sending/sending-fixture.ts';
import { openSubmissionFixture } from '../lambdas/submission/submission-fixture.ts';
import { localStack } from '../local-stack.ts';

const { fixture, own } = await openSendingFixtureForTests();
const observer = localStack().newClient();
afterAll(() => observer.destroy());

const calls = recordCalls(fixture.engine);
const wire = recordWire(fixture.engine);
const capacityOf = makeCapacity(observer);

/** What some work costs in DynamoDB, and how many messages it puts on the send queue. */
async function costOf(work: () => Promise<unknown>) {
  calls.reset();
  wire.reset();
  await work();
  const { readUnits, check } = await capacityOf(wire.list());
  return {
    calls: calls.commands(),
    readUnits,
    // As the engine reports them, entries in indexes included.
    writeUnits: check.reported,
    queued: fixture.queued.length,
  };
}

const announce = () =>
  fixture.announce({
    type: 'lead.accepted',
    workspaceId: own.workspaceId,
    formId: 'form_1',
    leadId: makeLeadId(fixture.now(), randomBytes(10)),
    at: new Date(fixture.now()).toISOString(),
    clean: true,
  });

/** Performs what is on the queue, as one batch. */
const sendQueued = () => fixture.perform(fixture.queued.splice(0).map(({ task }) => task));

/** Destination, secret, message, health and lead, with strong consistency. */
const READ_UNITS = 5;

test('an event costs one read and one message per destination', async () => {
  for (const name of ['one', 'two', 'three']) await fixture.newDestination(own.workspaceId, own.url(name));
  expect(await costOf(announce)).toEqual({ calls: ['Query'], readUnits: 1, writeUnits: 0, queued: 3 });
});

test('a repeated message costs one batch read', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 204 }));
  await fixture.newDestination(own.workspaceId, own.url('one'));
  await fixture.accept(own.workspaceId);
  const again = [...fixture.queued];
  await sendQueued();
  fixture.queued.push(...again);
  expect(await costOf(sendQueued)).toEqual({
    calls: ['BatchGetItem'],
    readUnits: READ_UNITS,
    writeUnits: 0,
    queued: 0,
  });
});

test('a failed attempt costs three writes: of the message, the failure and the reminder', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 500 }));
  await fixture.newDestination(own.workspaceId, own.url('one'));
  await fixture.accept(own.workspaceId);
  expect(await costOf(sendQueued)).toEqual({
    calls: ['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem'],
    readUnits: READ_UNITS,
    writeUnits: 5,
    // The retry.
    queued: 1,
  });
});

test('a parked message costs one batch read and one write, with its entry in the index', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 500 }));
  const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
  for (let failure = 0; failure < FAILURES_THAT_OPEN; failure += 1) {
    await fixture.accept(own.workspaceId);
    await sendQueued();
    fixture.queued.length = 0;
  }
  const parkedId = await fixture.accept(own.workspaceId);
  const cost = { calls: ['BatchGetItem', 'UpdateItem'], readUnits: READ_UNITS, writeUnits: 2, queued: 0 };
  expect(await costOf(sendQueued)).toEqual(cost);
  const parked = (await fixture.messagesOf(destinationId)).find(({ leadId }) => leadId === parkedId);
  expect(parked).toMatchObject({ status: 'parked', attempts: [] });
});

test('docs/performance.md says what forwarding costs: npm run bench -- --only sending --update', async () => {
  const sending = await measureSending(openSubmissionFixture());
  const page = readFileSync('docs/performance.md', 'utf8');
  const [, section = ''] = page.split('\n## US dollars for forwarding\n');
  expect(`## US dollars for forwarding\n${section.split('\n## ')[0]}`.trimEnd()).toBe(
    sendingSection({ sending }),
  );
});
