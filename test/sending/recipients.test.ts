import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readStackOutputs } from '../../bin/operator/stack-outputs.ts';
import { CLEAN } from '../../conformance/world/submission.ts';
import { runLeadctl } from '../leadctl/run-leadctl.ts';
import { localStack } from '../local-stack.ts';
import { until } from '../until.ts';
import { openSendingWorld } from './sending-world.ts';

const world = openSendingWorld();
afterEach(world.clear);

const newAddress = () => `r${randomBytes(6).toString('hex')}@example.org`;
const settingsUrl = readStackOutputs(localStack().outputsFile).settingsUrl ?? '';

const linksIn = (mail: string) => mail.match(/^https?:\/\/\S+$/gm) ?? [];

/** A destination whose recipient was asked because a lead came in, with the links of that mail. */
async function askedRecipient() {
  const tenant = await world.newTenant();
  const email = newAddress();
  const destination = await world.newDestination(tenant, { kind: 'email', email });
  const leadId = await world.sendLead(tenant, { body: CLEAN });
  const mail = await world.mailWith(`To: ${email}`);
  const [confirm = '', stop = ''] = linksIn(mail);
  return { tenant, email, destination, leadId, mail, confirm, stop };
}

async function confirmedRecipient() {
  const asked = await askedRecipient();
  expect((await fetch(asked.confirm, { method: 'POST' })).status).toBe(200);
  const mail = await world.mailWith(asked.leadId);
  return { ...asked, mail, stop: linksIn(mail).at(-1) ?? '' };
}

const leadctl = (...args: readonly string[]) =>
  runLeadctl(['--outputs', localStack().outputsFile, '--json', ...args], { stdin: '' });

describe('on the running stack, a recipient', () => {
  test('is asked by a mail without lead data, whose links lead to the settings API', async () => {
    const { mail, leadId, destination, tenant, confirm, stop } = await askedRecipient();
    expect(mail).toMatch(/^Subject: Confirm emails from /m);
    expect(mail).not.toMatch(new RegExp(`${leadId}|Mina|Farrow`));
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail).toContain(`List-Unsubscribe: <${stop}>`);
    expect(mail).toContain(
      `X-SES-MESSAGE-TAGS: workspaceId=${tenant.workspaceId}, destinationId=${destination.destinationId}`,
    );
    expect(mail).toMatch(/^X-SES-CONFIGURATION-SET: \S+$/m);
    for (const link of [confirm, stop]) expect(link.startsWith(`${settingsUrl}/mail/`)).toBe(true);
    const page = await fetch(confirm);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).toContain('<form method="post">');
    expect(await world.destinationOf(destination)).toMatchObject({ confirmation: 'pending' });
    expect(await world.messageOf(destination, 'parked')).toMatchObject({ attempts: [] });
  });

  test('confirms, gets what waited, and stops with the click of a mail program', async () => {
    const { destination, mail, stop } = await confirmedRecipient();
    expect(await world.messageOf(destination, 'delivered')).toMatchObject({ attempts: [{ status: 200 }] });
    expect(mail).toContain('sends its leads to this address');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(stop, { method: 'POST', body })).status).toBe(200);
    expect(await world.destinationOf(destination)).toMatchObject({ disabledReason: 'stopped' });
  });

  test('who invents a link gets the page for links that do not work', async () => {
    const doesNotWork = [404, expect.stringContaining('does not work')];
    for (const token of [`${'0'.repeat(32)}`, 'x', '%00', '..%2f..%2fsettings%2fworkspace']) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${settingsUrl}/mail/${token}`, { method });
        expect([token, response.status, await response.text()]).toEqual([token, ...doesNotWork]);
      }
    }
  });
});

describe('leadctl mail', () => {
  test.each([
    ['bounce', [], 'bounced'],
    ['complaint', ['--complaint'], 'complained'],
  ] as const)('reports a %s, which disables the destination', async (_, options, reason) => {
    const { destination, tenant } = await confirmedRecipient();
    const of = ['--workspace', tenant.workspaceId, '--destination', destination.destinationId];
    expect(await leadctl('mail', 'bounce', ...of, ...options)).toMatchObject({ exitCode: 0, stderr: '' });
    const found = await until(
      () => world.destinationOf(destination),
      (each) => each?.status === 'disabled',
    );
    expect(found).toMatchObject({ disabledReason: reason, confirmation: 'stopped' });
  });

  test('allows an address again, whose recipient must confirm again', async () => {
    const { destination, tenant, email, stop } = await confirmedRecipient();
    await fetch(stop, { method: 'POST' });
    const of = ['--workspace', tenant.workspaceId, '--email', email.toUpperCase()];
    const { stdout } = await leadctl('mail', 'allow', ...of);
    expect(JSON.parse(stdout)).toEqual({ removed: 1, destinationIds: [destination.destinationId] });
    expect(await world.destinationOf(destination)).toMatchObject({
      status: 'active',
      confirmation: 'pending',
    });
  });
});

describe('people', () => {
  // The whole number: four digits also come up in ids.
  const PERSONAL = /Mina|Farrow|copperfield|7946 ?0018|oak doors/i;

  test.each([
    ['without its fields', false],
    ['with its fields, if the owner chose so', true],
  ])('get one short message per lead, by Slack and by email: %s', async (_, includeFields) => {
    const [tenant, receiver] = await Promise.all([world.newTenant(), world.newReceiver()]);
    const slackUrl = { slackUrl: receiver.url };
    const slack = await world.newDestination(tenant, { kind: 'slack', includeFields }, slackUrl);
    const confirmed = { email: 'owner@example.org', confirmation: 'confirmed' } as const;
    const email = await world.newDestination(tenant, { kind: 'email', ...confirmed, includeFields });
    const leadId = await world.sendLead(tenant, { body: CLEAN });

    const [request] = await world.requestsTo(receiver);
    const { text, blocks } = JSON.parse(request?.body ?? '{}') as { text: string; blocks: object[] };
    const subject = includeFields ? 'Mina Farrow, Copperfield Joinery' : 'New lead';
    expect(text).toBe(`${subject} · Contact us`);
    expect(blocks.at(-1)).toMatchObject({
      type: 'actions',
      elements: [{ url: expect.stringMatching(`^http.*/forms/${tenant.formId}/leads/${leadId}$`) }],
    });
    expect(PERSONAL.test(JSON.stringify(blocks))).toBe(includeFields);
    expect(request?.headers['webhook-signature']).toBeUndefined();
    expect(await world.messageOf(slack, 'delivered')).toMatchObject({ attempts: [{ status: 204 }] });

    const mail = await world.mailWith(leadId);
    expect(mail.split('\r\n')).toEqual(
      expect.arrayContaining([
        'From: leads@example.com',
        'To: owner@example.org',
        ...(includeFields ? ['Reply-To: Mina.Farrow@copperfieldjoinery.co.uk'] : []),
        'Content-Type: text/plain; charset=utf-8',
        'Content-Type: text/html; charset=utf-8',
      ]),
    );
    expect(PERSONAL.test(mail)).toBe(includeFields);
    expect(await world.messageOf(email, 'delivered')).toMatchObject({ attempts: [{ status: 200 }] });
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
    const { workspaceId, formId } = tenant;
    const detail = { submissionId: leadId, workspaceId, formId, score: lead?.score, clean: true };
    const events = lines.map((line) => JSON.parse(line));
    for (const [type, at] of [
      ['lead.accepted', lead?.receivedAt],
      ['lead.enriched', expect.any(String)],
    ]) {
      expect(events).toContainEqual({
        version: '0',
        id: expect.any(String),
        'detail-type': type,
        source: 'lead-ingest',
        account: '000000000000',
        region: 'us-east-1',
        time: expect.any(String),
        resources: [],
        detail: { ...detail, at },
      });
    }
    expect(lines.filter((line) => PERSONAL.test(line))).toEqual([]);
  });
});
