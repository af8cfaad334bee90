import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import type { AlertEvent } from '#sending/destination.ts';
import { messageId } from '#sending/message.ts';
import { readableMessage } from '#sending/readable-message.ts';
import { localStack } from '../../local-stack.ts';
import { makeStoredAlerts } from '../alerts/stored-alerts.ts';
import { DAY, HOUR, MINUTE, openSendingFixtureForTests, SECOND } from './sending-fixture.ts';

const { fixture, own, statusesOf } = await openSendingFixtureForTests();

describe('a message', () => {
  test('is sent once to each destination that existed when its lead came in, and written down', async () => {
    fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
    fixture.receivers.set(own.url('two'), () => ({ status: 204 }));
    const one = await fixture.newDestination(own.workspaceId, own.url('one'));
    const two = await fixture.newDestination(own.workspaceId, own.url('two'));
    const leadId = await fixture.accept(own.workspaceId);
    fixture.clock.now += SECOND;
    const late = await fixture.newDestination(own.workspaceId, own.url('late'));
    await fixture.runFor(MINUTE);
    expect(
      own
        .received()
        .map((each) => each.url)
        .toSorted(),
    ).toEqual([own.url('one'), own.url('two')]);
    const [message] = await fixture.messagesOf(one.destinationId);
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
    fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
    await fixture.newDestination(own.workspaceId, own.url('one'));
    const leadId = await fixture.accept(own.workspaceId);
    await fixture.runFor(MINUTE);
    const at = new Date(fixture.now()).toISOString();
    await fixture.announce({
      type: 'lead.accepted',
      workspaceId: own.workspaceId,
      formId: 'form_1',
      leadId,
      at,
      clean: true,
    });
    await fixture.runFor(MINUTE);
    expect(own.received()).toHaveLength(1);
  });

  test('is retried with the same id and body, and can be replayed', async () => {
    let status = 500;
    fixture.receivers.set(own.url('one'), () => ({ status, excerpt: 'no, thanks' }));
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    const start = fixture.now();
    const leadId = await fixture.accept(own.workspaceId);
    await fixture.runFor(2 * HOUR);
    const times = own.received().map(({ at }) => (at - start) / SECOND);
    expect(times.slice(0, 3)).toEqual([0, 5, 305]);
    // The sweep starts what waits longer than a queue can delay it.
    expect(Math.floor(((times[3] ?? 0) - 305) / 60)).toBe(30);
    expect(times).toHaveLength(4);
    expect(new Set(own.received().map(({ id, body }) => id + body)).size).toBe(1);
    const [waiting] = await fixture.messagesOf(destinationId);
    expect(waiting).toMatchObject({ status: 'waiting', countedAttempts: 4, answerExcerpt: 'no, thanks' });
    status = 200;
    await fixture.runFor(DAY);
    const [delivered] = await fixture.messagesOf(destinationId);
    expect(delivered).toMatchObject({ status: 'delivered', countedAttempts: 5 });
    expect(delivered).not.toHaveProperty('answerExcerpt');
    await fixture.perform([
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

  test('survives the loss of its copy in the queue', async () => {
    const responses = [{ status: 500 }, { status: 200 }];
    fixture.receivers.set(own.url('one'), () => responses.shift() ?? { status: 200 });
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    await fixture.accept(own.workspaceId);
    await fixture.runFor(SECOND);
    fixture.queued.length = 0;
    await fixture.runFor(5 * MINUTE);
    expect(await statusesOf(destinationId)).toEqual(['delivered']);
  });

  test('leaves no response behind if its lead is erased while the receiver responds', async () => {
    let leadId = '';
    fixture.receivers.set(own.url('one'), async () => {
      await fixture.erase(own.workspaceId, leadId);
      const [first] = fixture.queued.splice(0, 1);
      if (first) await fixture.perform([first.task]);
      // The last attempt: nothing else would touch the message again.
      return { status: 410, excerpt: 'ada@analytical-engines.co.uk is gone' };
    });
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    leadId = await fixture.accept(own.workspaceId);
    await fixture.runFor(SECOND);
    expect(JSON.stringify(await fixture.messagesOf(destinationId))).toContain('ada@');
    await fixture.runFor(2 * MINUTE);
    expect(JSON.stringify(await fixture.messagesOf(destinationId))).not.toContain('ada@');
  });

  test('is cancelled when its lead is erased, and nothing of the lead stays', async () => {
    fixture.receivers.set(own.url('one'), ({ body }) =>
      body.includes('lead.erased')
        ? { status: 200 }
        : { status: 500, excerpt: 'ada@analytical-engines.co.uk?' },
    );
    const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'));
    const leadId = await fixture.accept(own.workspaceId);
    await fixture.runFor(SECOND);
    const erasedAt = fixture.now();
    await fixture.erase(own.workspaceId, leadId);
    await fixture.runFor(SECOND);
    expect(JSON.stringify(await fixture.messagesOf(destinationId))).not.toContain('ada@');
    await fixture.runFor(DAY);
    const after = own.received().filter(({ at }) => at > erasedAt);
    expect(after.map(({ body, at }) => [JSON.parse(body).type, at - erasedAt])).toEqual([
      ['lead.erased', 60 * SECOND],
    ]);
    const messages = await fixture.messagesOf(destinationId);
    expect(Object.fromEntries(messages.map(({ type, status }) => [type, status]))).toEqual({
      'lead.accepted': 'cancelled',
      'lead.erased': 'delivered',
    });
  });
});

test('lines name no address, body or response', async () => {
  expect(fixture.lines.length).toBeGreaterThan(20);
  expect(fixture.lines.join('\n')).not.toMatch(/example\/|ada@|whsec_|no, thanks/);
  expect(fixture.lines.filter((line) => line.includes('"ERROR"'))).toEqual([]);
  expect(messageId({ destinationId: 'dest_1', leadId: '0', type: 'lead.accepted' })).toMatch(/^msg_/);
});

const { tables, newClient } = localStack();
const stored = makeStoredAlerts({ client: toDocumentClient(newClient()), tables });

const facts = { formId: 'form_1', formName: 'Contact' };

/** An alert that was opened now, and its events. */
async function openAlert() {
  const alert = await stored.open(own.workspaceId, { at: fixture.now(), facts });
  const announce = (type: AlertEvent['type']) =>
    fixture.announce({
      type,
      workspaceId: own.workspaceId,
      leadId: alert.alertId,
      at: new Date(fixture.now()).toISOString(),
      formId: 'form_1',
    });
  return { alert, announce };
}

test('one message when an alert opens and one when it closes, with the same alert', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
  const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'), {
    events: ['alert.opened', 'alert.closed'],
  });
  const { alert, announce } = await openAlert();
  await announce('alert.opened');
  await fixture.runFor(MINUTE);
  await announce('alert.opened');
  await fixture.runFor(MINUTE);
  await stored.close(alert, fixture.now());
  await announce('alert.closed');
  await fixture.runFor(MINUTE);
  const { alertId, kind, since, openedAt, opened } = alert;
  const shown = { alertId, kind, since, openedAt, facts };
  expect(own.received().map(({ body }) => JSON.parse(body))).toEqual([
    {
      type: 'alert.opened',
      timestamp: openedAt,
      data: { alert: { ...shown, title: opened.title, text: opened.lines.join('\n') } },
    },
    {
      type: 'alert.closed',
      timestamp: expect.any(String),
      data: {
        alert: {
          ...shown,
          closedAt: expect.any(String),
          outcome: 'recovered',
          title: expect.stringMatching(/^Resolved: /),
          text: expect.any(String),
        },
      },
    },
  ]);
  expect(await statusesOf(destinationId)).toEqual(['delivered', 'delivered']);
});

test('a message that is retried after the alert has closed still says what was opened', async () => {
  let status = 500;
  fixture.receivers.set(own.url('one'), () => ({ status }));
  await fixture.newDestination(own.workspaceId, own.url('one'), { events: ['alert.opened'] });
  const { alert, announce } = await openAlert();
  await announce('alert.opened');
  await fixture.runFor(1_000);
  await stored.close(alert, fixture.now());
  status = 200;
  await fixture.runFor(MINUTE);
  const bodies = own.received().map(({ body }) => body);
  expect(bodies.length).toBeGreaterThan(1);
  expect(new Set(bodies).size).toBe(1);
});

test('people get the text, and a link to the alert', async () => {
  const { alert } = await openAlert();
  const content = {
    type: 'alert.opened',
    at: alert.openedAt,
    submissionId: alert.alertId,
    formId: 'form_1',
  } as const;
  const context = { form: undefined, consoleUrl: 'https://console.example', includeFields: false };
  expect(readableMessage({ ...content, alert: { ...alert, facts } }, context)).toMatchObject({
    subject: alert.opened.title,
    title: alert.opened.title,
    notes: alert.opened.lines,
    fields: [],
    button: { text: 'Open alert', url: `https://console.example/alerts?alert=${alert.alertId}` },
  });
});
