import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CLEAN } from '../../conformance/world/submission.ts';
import { until } from '../until.ts';
import { openSendingWorld } from './sending-world.ts';

const world = openSendingWorld();
afterEach(world.clear);

const PERSONAL = /Mina|Farrow|copperfield|7946|oak doors/i;

describe('Slack gets one short message per lead', () => {
  test.each([
    ['without its fields', false],
    ['with its fields, if the owner chose so', true],
  ])('%s', async (_, includeFields) => {
    const [tenant, receiver] = await Promise.all([world.newTenant(), world.newReceiver()]);
    const slack = await world.newDestination(
      tenant,
      { kind: 'slack', includeFields },
      { slackUrl: receiver.url },
    );
    const leadId = await world.sendLead(tenant, { body: CLEAN });
    const [request] = await world.requestsTo(receiver);
    const { text } = JSON.parse(request?.body ?? '{}') as { text: string };
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        '*New lead: Contact us*',
        expect.stringMatching(/^Score \d+, clean$/),
        `Submission ${leadId}`,
        expect.stringMatching(`^http.*/forms/${tenant.formId}/leads/${leadId}$`),
      ]),
    );
    const [ours = '', sentByVisitor = ''] = text.split('\nSent by the visitor:\n');
    expect(PERSONAL.test(ours)).toBe(false);
    expect(PERSONAL.test(sentByVisitor)).toBe(includeFields);
    expect(request?.headers['webhook-signature']).toBeUndefined();
    expect(await world.messageOf(slack, 'delivered')).toMatchObject({ attempts: [{ status: 204 }] });
  });
});

describe('email: one short message per lead', () => {
  test.each([
    ['without its fields', false],
    ['with its fields, if the owner chose so', true],
  ])('%s', async (_, includeFields) => {
    const tenant = await world.newTenant();
    const email = await world.newDestination(tenant, {
      kind: 'email',
      email: 'owner@example.org',
      confirmation: 'confirmed',
      includeFields,
    });
    const leadId = await world.sendLead(tenant, { body: CLEAN });
    const mail = await world.mailWith(leadId);
    expect(mail.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: leads@example.com',
        'To: owner@example.org',
        'Subject: New lead: Contact us',
        `Submission ${leadId}`,
      ]),
    );
    expect(PERSONAL.test(mail)).toBe(includeFields);
    expect(await world.messageOf(email, 'delivered')).toMatchObject({ attempts: [{ status: 200 }] });
  });
});

test('the event bus gets every event of a lead, without personal data', async () => {
  const tenant = await world.newTenant();
  const leadId = await world.sendLead(tenant, { body: CLEAN });
  const read = async () =>
    readFileSync(world.eventBusFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(leadId));
  const lines = await until(read, (found) => found.some((line) => line.includes('lead.enriched')));
  const lead = await world.lead(leadId);
  const expected = ['lead.accepted', 'lead.enriched'].map((type) => ({
    version: '0',
    id: expect.any(String),
    'detail-type': type,
    source: 'lead-ingest',
    account: '000000000000',
    region: 'us-east-1',
    time: expect.any(String),
    resources: [],
    detail: expect.objectContaining({
      submissionId: leadId,
      workspaceId: tenant.workspaceId,
      formId: tenant.formId,
      clean: true,
    }),
  }));
  const events = lines.map((line) => JSON.parse(line));
  for (const event of expected) expect(events).toContainEqual(event);
  const accepted = events.find((event) => event['detail-type'] === 'lead.accepted');
  expect(accepted.detail).toEqual({
    submissionId: leadId,
    workspaceId: tenant.workspaceId,
    formId: tenant.formId,
    at: lead?.receivedAt,
    score: lead?.score,
    clean: true,
  });
  expect(lines.filter((line) => PERSONAL.test(line))).toEqual([]);
});
