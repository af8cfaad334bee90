import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const fixture = openOwnerFixture(Date.parse(NOON));
const { newOwner } = fixture;
const URL = 'https://receiver.example.com/leads';
const SLACK = 'https://hooks.slack.com/services/T000/B000/abcdefWXYZ';
/** People get alerts unless they choose otherwise. */
const FOR_PEOPLE = ['lead.accepted', 'alert.opened', 'alert.closed'];

async function newDestination(owner: Owner, body: object = { kind: 'webhook', url: URL }) {
  const { body: made } = await owner.post('/destinations', { body });
  return { made, at: `/destinations/${made.destinationId}` };
}

const secretOf = ({ destinationId }: { destinationId: string }) =>
  fixture.itemOf('destinationSecrets', { destinationId });

describe('a new destination', () => {
  test('has the defaults, and its signing secret is shown once', async () => {
    const owner = await newOwner();
    const { made, at } = await newDestination(owner);
    const { signingSecret, ...view } = made;
    expect(view).toEqual({
      destinationId: expect.stringMatching(/^dest_[0-9A-Za-z]{22}$/),
      kind: 'webhook',
      name: 'receiver.example.com',
      url: URL,
      events: ['lead.accepted'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
      createdAt: NOON,
      secretSetAt: NOON,
      health: { state: 'ok' },
    });
    expect(await secretOf(made)).toMatchObject({ signingSecret, workspaceId: owner.workspaceId });
    expect((await owner.get(at)).body).toEqual(view);
    expect((await owner.get('/destinations')).body).toEqual({ destinations: [view], canSendEmail: true });
  });

  test('takes every choice of the owner', async () => {
    const owner = await newOwner();
    const { body: form } = await owner.post('/forms', { body: { name: 'Contact' } });
    const chosen = {
      name: 'CRM',
      events: ['lead.erased', 'lead.accepted'],
      forms: [form.formId],
      onlyClean: false,
      includeFields: true,
    };
    const { made } = await newDestination(owner, { kind: 'webhook', url: URL, ...chosen });
    expect(made).toMatchObject({ ...chosen, events: ['lead.accepted', 'lead.erased'] });
  });

  test('of Slack shows only the end of its URL', async () => {
    const owner = await newOwner();
    fixture.shown.add(SLACK);
    const { made, at } = await newDestination(owner, { kind: 'slack', url: SLACK });
    expect(made).toMatchObject({ kind: 'slack', name: 'Slack', urlEnd: 'WXYZ', events: FOR_PEOPLE });
    expect(made.url).toBeUndefined();
    expect(made.signingSecret).toBeUndefined();
    expect(await secretOf(made)).toMatchObject({ slackUrl: SLACK });
    const changed = await owner.patch(at, { body: { url: `${SLACK}2` } });
    expect(changed.body.urlEnd).toBe('XYZ2');
    expect(await secretOf(made)).toMatchObject({ slackUrl: `${SLACK}2` });
  });

  test('of email has a recipient, and gets only the events that were chosen', async () => {
    const owner = await newOwner();
    const { made } = await newDestination(owner, { kind: 'email', email: 'sales@example.com' });
    expect(made).toMatchObject({ kind: 'email', email: 'sales@example.com', name: 'sales@example.com' });
    expect(made.events).toEqual(FOR_PEOPLE);
    expect(await secretOf(made)).toBeUndefined();
    const chosen = { kind: 'email', email: 'b@example.com', events: ['lead.erased'] };
    expect((await newDestination(owner, chosen)).made.events).toEqual(['lead.erased']);
  });

  test('is refused as the 21st, also if several are created at the same time', async () => {
    const owner = await newOwner();
    const responses = await Promise.all(
      Array.from({ length: 24 }, () => owner.post('/destinations', { body: { kind: 'webhook', url: URL } })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const { body } = await owner.get('/destinations');
    expect(body.destinations.length).toBeLessThanOrEqual(20);
    for (let n = body.destinations.length; n < 20; n += 1) await newDestination(owner);
    const refused = await owner.post('/destinations', { body: { kind: 'webhook', url: URL } });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toMatch(/at most 20/);
  });
});

describe('400 says what is wrong with', () => {
  let owner: Owner;
  let at: string;
  let slackAt: string;

  beforeAll(async () => {
    owner = await newOwner();
    at = (await newDestination(owner)).at;
    slackAt = (await newDestination(owner, { kind: 'slack', url: SLACK })).at;
  });

  const urls: readonly (readonly [url: string, problem: RegExp])[] = [
    // What the text alone shows; all of it is tested on parseDestinationUrl.
    ['https://receiver.example.com:8443/', /port 443/],
    ['https://inside.example.com/', /addresses are all public/],
    ['https://rebinding.example.com/', /addresses are all public/],
    ['https://metadata.example.com/', /addresses are all public/],
    ['https://nowhere.example.com/', /has an IPv4 address/],
    ['https://broken.example.com/', /cannot be resolved/],
  ];

  test.each(urls)('%s', async (url, problem) => {
    const expected = [{ field: 'url', problem: expect.stringMatching(problem) }];
    const options = { beyondSchema: true };
    const made = await owner.post('/destinations', { body: { kind: 'webhook', url }, ...options });
    const changed = await owner.patch(at, { body: { url }, ...options });
    expect([made.status, made.body.errors]).toEqual([400, expected]);
    expect([changed.status, changed.body.errors]).toEqual([400, expected]);
    expect((await owner.get(at)).body.url).toBe(URL);
  });

  test.each(['https://hooks.slack.com.example.com/services/x', URL, 'https://hooks.slack.com/'])(
    'a Slack destination at %s',
    async (url) => {
      const options = { body: { kind: 'slack', url }, beyondSchema: true };
      const expected = [{ field: 'url', problem: expect.stringMatching(/incoming webhook of Slack/) }];
      expect((await owner.post('/destinations', options)).body.errors).toEqual(expected);
      const changed = await owner.patch(slackAt, { body: { url }, beyondSchema: true });
      expect(changed.body.errors).toEqual(expected);
    },
  );

  const webhook = { kind: 'webhook', url: URL };
  const bodies: readonly (readonly [what: string, body: object, field: string, beyondSchema?: boolean])[] = [
    ['a missing kind', { url: URL }, 'kind'],
    ['an unknown kind', { ...webhook, kind: 'pager' }, 'kind'],
    ['a missing url', { kind: 'webhook' }, 'url'],
    ['a missing url of Slack', { kind: 'slack' }, 'url'],
    ['a missing email', { kind: 'email' }, 'email'],
    ['an email of a webhook', { ...webhook, email: 'a@example.com' }, 'email'],
    ['a url of an email', { kind: 'email', email: 'a@example.com', url: URL }, 'url'],
    ['an email without a domain', { kind: 'email', email: 'sales' }, 'email', true],
    ['two emails', { kind: 'email', email: 'a@example.com,b@example.com' }, 'email', true],
    [
      'an email with a line break',
      { kind: 'email', email: 'a@example.com\nBcc: b@example.com' },
      'email',
      true,
    ],
    ['an empty name', { ...webhook, name: ' ' }, 'name'],
    ['an unknown event', { ...webhook, events: ['lead.sold'] }, 'events[0]'],
    ['an event that no owner can choose', { ...webhook, events: ['destination.test'] }, 'events[0]'],
    ['no events', { ...webhook, events: [] }, 'events'],
    ['an event twice', { ...webhook, events: ['lead.erased', 'lead.erased'] }, 'events[1]'],
    ['an unknown form', { ...webhook, forms: ['form_0000000000000000000000'] }, 'forms', true],
    ['no forms', { ...webhook, forms: [] }, 'forms'],
    ['too many forms', { ...webhook, forms: Array.from({ length: 51 }, (_, n) => `form_${n}`) }, 'forms'],
    ['forms in words', { ...webhook, forms: 'some' }, 'forms'],
    ['onlyClean in words', { ...webhook, onlyClean: 'yes' }, 'onlyClean'],
    ['a status', { ...webhook, status: 'paused' }, 'status'],
    ['a secret of their own', { ...webhook, signingSecret: 'whsec_AAAA' }, 'signingSecret'],
  ];

  test.each(bodies)('%s', async (_what, body, field, beyondSchema = false) => {
    const { body: response } = await owner.post('/destinations', { body, beyondSchema });
    expect(response.errors).toEqual([{ field, problem: expect.any(String) }]);
  });

  test.each<[object, string]>([
    [{}, ''],
    [{ status: 'disabled' }, 'status'],
    [{ kind: 'slack' }, 'kind'],
    [{ url: null }, 'url'],
    [{ health: { state: 'ok' } }, 'health'],
  ])('the change %j', async (body, field) => {
    const { body: response } = await owner.patch(at, { body });
    expect(response.errors).toEqual([{ field, problem: expect.any(String) }]);
  });

  test('a form of another workspace', async () => {
    const { formId } = await fixture.newSender();
    const options = { body: { ...webhook, forms: [formId] }, beyondSchema: true };
    expect((await owner.post('/destinations', options)).body.errors).toEqual([
      { field: 'forms', problem: 'must contain only ids of forms of this workspace' },
    ]);
  });
});

describe('what the deployment does not offer', () => {
  test('email without a sender is refused, and the list says so', async () => {
    const plain = openOwnerFixture(Date.parse(NOON), { allowLoopback: false, canSendEmail: false });
    const owner = await plain.newOwner();
    const response = await owner.post('/destinations', { body: { kind: 'email', email: 'a@example.com' } });
    expect(response.status).toBe(409);
    expect(response.body.detail).toMatch(/mailFrom/);
    expect((await owner.get('/destinations')).body).toEqual({ destinations: [], canSendEmail: false });
  });

  test('loopback addresses are taken on a laptop only', async () => {
    const laptop = openOwnerFixture(Date.parse(NOON), { allowLoopback: true, canSendEmail: false });
    const owner = await laptop.newOwner();
    for (const kind of ['webhook', 'slack']) {
      const url = 'http://127.0.0.1:9000/hook';
      expect((await owner.post('/destinations', { body: { kind, url } })).status).toBe(201);
    }
    const options = { body: { kind: 'webhook', url: 'http://127.0.0.2/' }, beyondSchema: true };
    expect((await owner.post('/destinations', options)).status).toBe(400);
  });
});
