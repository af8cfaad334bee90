import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { recordCalls } from '#local/workbench/recorded-calls.ts';
import { FAILURES_THAT_OPEN } from '#sending/retry-schedule.ts';
import { makeLeadId } from '#submission/lead-item.ts';
import { measureSending } from '../../bench/measure/sending.ts';
import { sendingSection } from '../../bench/report/counted-sections.ts';
import { makeCapacity } from '../../bench/units/capacity.ts';
import { recordWire } from '../../bench/units/wire-calls.ts';
import { openBenchForTests } from '../lambdas/sending/sending-bench.ts';
import { openWorkbench } from '../lambdas/submission/workbench.ts';
import { localStack } from '../local-stack.ts';

const { bench, own } = await openBenchForTests();
const observer = localStack().newClient();
afterAll(() => observer.destroy());

const calls = recordCalls(bench.engine);
const wire = recordWire(bench.engine);
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
    queued: bench.queued.length,
  };
}

const announce = () =>
  bench.announce({
    type: 'lead.accepted',
    workspaceId: own.workspaceId,
    formId: 'form_1',
    leadId: makeLeadId(bench.now(), randomBytes(10)),
    at: new Date(bench.now()).toISOString(),
    clean: true,
  });

/** Performs what is on the queue, as one batch. */
const sendQueued = () => bench.perform(bench.queued.splice(0).map(({ task }) => task));

/** Destination, secret, message, health and lead, with strong consistency. */
const READ_UNITS = 5;

test('an event without destinations costs one read', async () => {
  expect(await costOf(announce)).toEqual({ calls: ['Query'], readUnits: 1, writeUnits: 0, queued: 0 });
});

test('an event costs one read and one message per destination', async () => {
  for (const name of ['one', 'two', 'three']) await bench.newDestination(own.workspaceId, own.url(name));
  expect(await costOf(announce)).toEqual({ calls: ['Query'], readUnits: 1, writeUnits: 0, queued: 3 });
});

test('a delivered message costs one batch read and one write', async () => {
  bench.receivers.set(own.url('one'), () => ({ status: 204 }));
  await bench.newDestination(own.workspaceId, own.url('one'));
  await bench.accept(own.workspaceId);
  const cost = { calls: ['BatchGetItem', 'UpdateItem'], readUnits: READ_UNITS, writeUnits: 1, queued: 0 };
  expect(await costOf(sendQueued)).toEqual(cost);
});

test('a repeated message costs one batch read', async () => {
  bench.receivers.set(own.url('one'), () => ({ status: 204 }));
  await bench.newDestination(own.workspaceId, own.url('one'));
  await bench.accept(own.workspaceId);
  const again = [...bench.queued];
  await sendQueued();
  bench.queued.push(...again);
  expect(await costOf(sendQueued)).toEqual({
    calls: ['BatchGetItem'],
    readUnits: READ_UNITS,
    writeUnits: 0,
    queued: 0,
  });
});

test('a failed attempt costs three writes: of the message, the failure and the reminder', async () => {
  bench.receivers.set(own.url('one'), () => ({ status: 500 }));
  await bench.newDestination(own.workspaceId, own.url('one'));
  await bench.accept(own.workspaceId);
  expect(await costOf(sendQueued)).toEqual({
    calls: ['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem'],
    readUnits: READ_UNITS,
    writeUnits: 5,
    // The retry.
    queued: 1,
  });
});

test('a parked message costs one batch read and one write, with its entry in the index', async () => {
  bench.receivers.set(own.url('one'), () => ({ status: 500 }));
  const { destinationId } = await bench.newDestination(own.workspaceId, own.url('one'));
  for (let failure = 0; failure < FAILURES_THAT_OPEN; failure += 1) {
    await bench.accept(own.workspaceId);
    await sendQueued();
    bench.queued.length = 0;
  }
  const parkedId = await bench.accept(own.workspaceId);
  const cost = { calls: ['BatchGetItem', 'UpdateItem'], readUnits: READ_UNITS, writeUnits: 2, queued: 0 };
  expect(await costOf(sendQueued)).toEqual(cost);
  const parked = (await bench.messagesOf(destinationId)).find(({ leadId }) => leadId === parkedId);
  expect(parked).toMatchObject({ status: 'parked', attempts: [] });
});

test('docs/performance.md says what forwarding costs', async () => {
  const sending = await measureSending(openWorkbench());
  const page = readFileSync('docs/performance.md', 'utf8');
  const [, section = ''] = page.split('\n## US dollars for forwarding\n');
  // Paste what is expected here over the section there.
  expect(`## US dollars for forwarding\n${section.split('\n## ')[0]}`.trimEnd()).toBe(
    sendingSection({ sending }),
  );
});
