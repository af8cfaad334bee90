import { describe, expect, test } from '@jest/globals';
import { messageId } from '#sending/message.ts';
import { DAY, HOUR, MINUTE, openBenchForTests, SECOND } from './sending-bench.ts';

const { bench, own, statusesOf } = await openBenchForTests();

describe('a message', () => {
  test('is sent once to each destination that existed when its lead came in, and written down', async () => {
    bench.receivers.set(own.url('one'), () => ({ status: 200 }));
    bench.receivers.set(own.url('two'), () => ({ status: 204 }));
    const one = await bench.newDestination(own.workspaceId, own.url('one'));
    const two = await bench.newDestination(own.workspaceId, own.url('two'));
    const leadId = await bench.accept(own.workspaceId);
    bench.clock.now += SECOND;
    const late = await bench.newDestination(own.workspaceId, own.url('late'));
    await bench.runFor(MINUTE);
    expect(
      own
        .received()
        .map((each) => each.url)
        .toSorted(),
    ).toEqual([own.url('one'), own.url('two')]);
    const [message] = await bench.messagesOf(one.destinationId);
    expect(message).toMatchObject({
      status: 'delivered',
      leadId,
      countedAttempts: 1,
      attempts: [{ status: 200 }],
    });
    expect(await statusesOf(two.destinationId)).toEqual(['delivered']);
    expect(await statusesOf(late.destinationId)).toEqual([]);
  });

  test('is not sent again when its event is repeated', async () => {
    bench.receivers.set(own.url('one'), () => ({ status: 200 }));
    await bench.newDestination(own.workspaceId, own.url('one'));
    const leadId = await bench.accept(own.workspaceId);
    await bench.runFor(MINUTE);
    const at = new Date(bench.now()).toISOString();
    await bench.announce({
      type: 'lead.accepted',
      workspaceId: own.workspaceId,
      formId: 'form_1',
      leadId,
      at,
      clean: true,
    });
    await bench.runFor(MINUTE);
    expect(own.received()).toHaveLength(1);
  });

  test('is retried with the same id and body, and can be replayed', async () => {
    let status = 500;
    bench.receivers.set(own.url('one'), () => ({ status, excerpt: 'no, thanks' }));
    const { destinationId } = await bench.newDestination(own.workspaceId, own.url('one'));
    const start = bench.now();
    const leadId = await bench.accept(own.workspaceId);
    await bench.runFor(2 * HOUR);
    const times = own.received().map(({ at }) => (at - start) / SECOND);
    expect(times.slice(0, 3)).toEqual([0, 5, 305]);
    // The sweep starts what waits longer than a queue can delay it.
    expect(Math.floor(((times[3] ?? 0) - 305) / 60)).toBe(30);
    expect(times).toHaveLength(4);
    expect(new Set(own.received().map(({ id, body }) => id + body)).size).toBe(1);
    const [waiting] = await bench.messagesOf(destinationId);
    expect(waiting).toMatchObject({ status: 'waiting', countedAttempts: 4, answerExcerpt: 'no, thanks' });
    status = 200;
    await bench.runFor(DAY);
    const [delivered] = await bench.messagesOf(destinationId);
    expect(delivered).toMatchObject({ status: 'delivered', countedAttempts: 5 });
    expect(delivered).not.toHaveProperty('answerExcerpt');
    await bench.perform([
      {
        task: 'send',
        workspaceId: own.workspaceId,
        destinationId,
        leadId,
        type: 'lead.accepted',
        formId: 'form_1',
        at: '',
        mode: 'replay',
      },
    ]);
    expect(own.received().at(-1)).toMatchObject({ id: own.received()[0]?.id, body: own.received()[0]?.body });
  });

  test('honours Retry-After', async () => {
    const answers = [{ status: 429, retryAfterSeconds: 120 }, { status: 200 }];
    bench.receivers.set(own.url('one'), () => answers.shift() ?? { status: 200 });
    await bench.newDestination(own.workspaceId, own.url('one'));
    const start = bench.now();
    await bench.accept(own.workspaceId);
    await bench.runFor(10 * MINUTE);
    expect(own.received().map(({ at }) => (at - start) / SECOND)).toEqual([0, 120]);
  });

  test('survives the loss of its copy in the queue', async () => {
    const answers = [{ status: 500 }, { status: 200 }];
    bench.receivers.set(own.url('one'), () => answers.shift() ?? { status: 200 });
    const { destinationId } = await bench.newDestination(own.workspaceId, own.url('one'));
    await bench.accept(own.workspaceId);
    await bench.runFor(SECOND);
    bench.queued.length = 0;
    await bench.runFor(5 * MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered']);
  });

  test('leaves no answer behind if its lead is erased while the receiver answers', async () => {
    let leadId = '';
    bench.receivers.set(own.url('one'), async () => {
      await bench.erase(own.workspaceId, leadId);
      const [first] = bench.queued.splice(0, 1);
      if (first) await bench.perform([first.task]);
      // The last attempt: nothing else would touch the message again.
      return { status: 410, excerpt: 'ada@analytical-engines.co.uk is gone' };
    });
    const { destinationId } = await bench.newDestination(own.workspaceId, own.url('one'));
    leadId = await bench.accept(own.workspaceId);
    await bench.runFor(SECOND);
    expect(JSON.stringify(await bench.messagesOf(destinationId))).toContain('ada@');
    await bench.runFor(2 * MINUTE);
    expect(JSON.stringify(await bench.messagesOf(destinationId))).not.toContain('ada@');
  });

  test('is cancelled when its lead is erased, and nothing of the lead stays', async () => {
    bench.receivers.set(own.url('one'), ({ body }) =>
      body.includes('lead.erased')
        ? { status: 200 }
        : { status: 500, excerpt: 'ada@analytical-engines.co.uk?' },
    );
    const { destinationId } = await bench.newDestination(own.workspaceId, own.url('one'));
    const leadId = await bench.accept(own.workspaceId);
    await bench.runFor(SECOND);
    const erasedAt = bench.now();
    await bench.erase(own.workspaceId, leadId);
    await bench.runFor(SECOND);
    expect(JSON.stringify(await bench.messagesOf(destinationId))).not.toContain('ada@');
    await bench.runFor(DAY);
    const after = own.received().filter(({ at }) => at > erasedAt);
    expect(after.map(({ body, at }) => [JSON.parse(body).type, at - erasedAt])).toEqual([
      ['lead.erased', 60 * SECOND],
    ]);
    const messages = await bench.messagesOf(destinationId);
    expect(Object.fromEntries(messages.map(({ type, status }) => [type, status]))).toEqual({
      'lead.accepted': 'cancelled',
      'lead.erased': 'delivered',
    });
  });
});

test('lines name no address, body or answer', async () => {
  expect(bench.lines.length).toBeGreaterThan(20);
  expect(bench.lines.join('\n')).not.toMatch(/example\/|ada@|whsec_|no, thanks/);
  expect(bench.lines.filter((line) => line.includes('"ERROR"'))).toEqual([]);
  expect(messageId({ destinationId: 'dest_1', leadId: '0', type: 'lead.accepted' })).toMatch(/^msg_/);
});
