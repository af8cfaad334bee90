import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { recordCalls } from '#local/workbench/recorded-calls.ts';
import { FAILURES_THAT_OPEN } from '#sending/retry-schedule.ts';
import { makeCapacity } from '../../bench/units/capacity.ts';
import { recordWire } from '../../bench/units/wire-calls.ts';
import { makeLeadId } from '../../lambdas/submission/lead-item.ts';
import { openSendingBench } from '../lambdas/sending/sending-bench.ts';
import { localStack } from '../local-stack.ts';

const bench = await openSendingBench();
const observer = localStack().newClient();
afterAll(async () => {
  await bench.close();
  observer.destroy();
});

const calls = recordCalls(bench.engine);
const wire = recordWire(bench.engine);
const capacityOf = makeCapacity(observer);

let workspaceId: string;
let count = 0;
beforeEach(() => {
  count += 1;
  workspaceId = `ws_${count}`;
  bench.queued.length = 0;
});

const url = (name: string) => `https://${name}.example/${count}`;

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
    workspaceId,
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
  for (const name of ['one', 'two', 'three']) await bench.newDestination(workspaceId, url(name));
  expect(await costOf(announce)).toEqual({ calls: ['Query'], readUnits: 1, writeUnits: 0, queued: 3 });
});

test('a delivered message costs one batch read and one write', async () => {
  bench.receivers.set(url('one'), () => ({ status: 204 }));
  await bench.newDestination(workspaceId, url('one'));
  await bench.accept(workspaceId);
  const cost = { calls: ['BatchGetItem', 'UpdateItem'], readUnits: READ_UNITS, writeUnits: 1, queued: 0 };
  expect(await costOf(sendQueued)).toEqual(cost);
});

test('a repeated message costs one batch read', async () => {
  bench.receivers.set(url('one'), () => ({ status: 204 }));
  await bench.newDestination(workspaceId, url('one'));
  await bench.accept(workspaceId);
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
  bench.receivers.set(url('one'), () => ({ status: 500 }));
  await bench.newDestination(workspaceId, url('one'));
  await bench.accept(workspaceId);
  expect(await costOf(sendQueued)).toEqual({
    calls: ['BatchGetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem'],
    readUnits: READ_UNITS,
    writeUnits: 5,
    // The retry.
    queued: 1,
  });
});

test('a parked message costs one batch read and one write, with its entry in the index', async () => {
  bench.receivers.set(url('one'), () => ({ status: 500 }));
  const { destinationId } = await bench.newDestination(workspaceId, url('one'));
  for (let failure = 0; failure < FAILURES_THAT_OPEN; failure += 1) {
    await bench.accept(workspaceId);
    await sendQueued();
    bench.queued.length = 0;
  }
  const parkedId = await bench.accept(workspaceId);
  const cost = { calls: ['BatchGetItem', 'UpdateItem'], readUnits: READ_UNITS, writeUnits: 2, queued: 0 };
  expect(await costOf(sendQueued)).toEqual(cost);
  const parked = (await bench.messagesOf(destinationId)).find(({ leadId }) => leadId === parkedId);
  expect(parked).toMatchObject({ status: 'parked', attempts: [] });
});
