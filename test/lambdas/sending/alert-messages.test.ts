import { expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { readableMessage } from '#sending/compose-message.ts';
import type { AlertEvent, Destination } from '#sending/destination.ts';
import { localStack } from '../../local-stack.ts';
import { makeStoredAlerts } from '../alerts/stored-alerts.ts';
import { MINUTE, openSendingFixtureForTests } from './sending-fixture.ts';

const { fixture, own, statusesOf } = await openSendingFixtureForTests();
const { tables, newClient } = localStack();
const stored = makeStoredAlerts({ client: toDocumentClient(newClient()), tables });

const BOTH: Destination['events'] = ['alert.opened', 'alert.closed'];
const facts = { formId: 'form_1', formName: 'Contact' };

/** An alert that was opened now, and its events. */
async function openAlert(about: Partial<AlertEvent> = { formId: 'form_1' }) {
  const alert = await stored.open(own.workspaceId, { at: fixture.now(), facts });
  const announce = (type: AlertEvent['type']) =>
    fixture.announce({
      type,
      workspaceId: own.workspaceId,
      leadId: alert.alertId,
      at: new Date(fixture.now()).toISOString(),
      ...about,
    });
  return { alert, announce };
}

test('one message when an alert opens and one when it closes, with the same alert', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
  const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'), { events: BOTH });
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

test.each<[string, Partial<Destination>, Partial<AlertEvent>, number]>([
  ['the form', { forms: ['form_1'] }, { formId: 'form_1' }, 1],
  ['another form', { forms: ['form_2'] }, { formId: 'form_1' }, 0],
  ['some form, if it is about the whole workspace', { forms: ['form_2'] }, {}, 1],
  ['clean leads only: alerts are not leads', { onlyClean: true }, { formId: 'form_1' }, 1],
  ['leads alone', { events: ['lead.accepted'] }, { formId: 'form_1' }, 0],
])('a destination for %s', async (_what, given, about, messages) => {
  fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
  await fixture.newDestination(own.workspaceId, own.url('one'), { events: BOTH, ...given });
  const { announce } = await openAlert(about);
  await announce('alert.opened');
  await fixture.runFor(MINUTE);
  expect(own.received()).toHaveLength(messages);
});

test('a destination gets no alert about itself', async () => {
  fixture.receivers.set(own.url('one'), () => ({ status: 200 }));
  const { destinationId } = await fixture.newDestination(own.workspaceId, own.url('one'), { events: BOTH });
  const { announce } = await openAlert({ aboutDestination: destinationId });
  await announce('alert.opened');
  await fixture.runFor(MINUTE);
  expect(own.received()).toEqual([]);
});

test('people get the text, and a link to the alert', async () => {
  const { alert } = await openAlert();
  const content = {
    type: 'alert.opened',
    at: alert.openedAt,
    submissionId: alert.alertId,
    formId: 'form_1',
  } as const;
  const context = { formName: undefined, consoleUrl: 'https://console.example', includeFields: false };
  expect(readableMessage({ ...content, alert: { ...alert, facts } }, context)).toEqual({
    subject: alert.opened.title,
    lines: [...alert.opened.lines, `https://console.example/alerts?alert=${alert.alertId}`],
  });
});
