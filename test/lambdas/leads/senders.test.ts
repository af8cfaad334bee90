import { beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_SENDERS } from '#leads/reviews/sender-list.ts';
import { sendersKey } from '#model/senders.ts';
import { setAttributes } from '../../stored-items.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-15T12:00:00Z'));

let sender: Sender;
let owner: Owner;
let ingest: ReturnType<typeof fixture.newEnvironment>;

beforeEach(async () => {
  sender = await fixture.newSender();
  owner = fixture.ownerOf(sender.workspaceId);
  ingest = fixture.newEnvironment();
});

const GOOD = { name: 'Ada Byron', message: 'We need a quote for 40 calculating machines, please.' };
const SPAM = {
  name: 'SEO Expert',
  message: 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top',
};

type Surface = '1a' | '1b';

async function sendLead(lead: object, surface: Surface = '1a', headers?: Record<string, string>) {
  const request = { body: JSON.stringify(lead), ...(headers && { headers }) };
  return submissionId(await ingest.send(surface, sender, request));
}

async function receive(lead: object, surface: Surface = '1a') {
  return fixture.leadById(await sendLead(lead, surface));
}

const put = (name: string, status: 'trusted' | 'blocked' | null, beyondSchema = false) =>
  owner.put('/senders', { body: { sender: name, status }, beyondSchema });

describe('a review', () => {
  test('puts the address on the list if asked to, and says which domains could be', async () => {
    const leadId = await sendLead({ ...SPAM, email: 'eve@elsewhere.co.uk' });
    const review = async (body: object) =>
      (await owner.post(`/leads/${leadId}/review`, { body })).body.senders;
    expect(await review({ verdict: 'spam', sender: 'address' })).toEqual({
      changed: [{ sender: 'eve@elsewhere.co.uk', status: 'blocked' }],
      full: false,
      domains: ['elsewhere.co.uk'],
    });
    expect(await review({ verdict: 'spam', sender: 'domain' })).toMatchObject({ domains: [] });
    expect(await review({ verdict: null })).toEqual({
      changed: [{ sender: 'elsewhere.co.uk', status: null }],
      full: false,
      domains: [],
    });
    const free = await sendLead({ ...SPAM, email: 'eve.elsewhere@gmail.com' });
    const { body } = await owner.post('/leads/review', {
      body: { verdict: 'spam', submissionIds: [leadId, free], sender: 'none' },
    });
    expect(body.senders).toEqual({ changed: [], full: false, domains: ['elsewhere.co.uk'] });
  });
});

describe("a workspace's own senders", () => {
  const call = async (verdict: 'spam' | 'good' | null, email: string) => {
    const leadId = await sendLead({ ...GOOD, email });
    return (await owner.post(`/leads/${leadId}/review`, { body: { verdict } })).body;
  };

  beforeEach(async () => {
    await fixture.join(sender.workspaceId, 'grace', 'viewer');
    const browser = { enabled: true, origins: ['https://shop.analytical-engines.co.uk'] };
    await owner.patch(`/forms/${sender.formId}`, { body: { browser } });
  });

  test('are not blocked by spam, and the response says so', async () => {
    await put('analytical-engines.co.uk', 'trusted');
    const lead = await call('spam', 'ada@analytical-engines.co.uk');
    expect(lead).toMatchObject({ clean: false, review: { verdict: 'spam' } });
    expect(lead.senders).toEqual({
      changed: [],
      full: false,
      domains: [],
      own: ['analytical-engines.co.uk'],
    });
    expect((await call('spam', 'bob@example.com')).senders).toMatchObject({ own: ['example.com'] });
    expect((await owner.get('/senders')).body.senders).toMatchObject([
      { sender: 'analytical-engines.co.uk', status: 'trusted' },
    ]);
  });

  test('are left out where several leads are called spam at once', async () => {
    const ids = [
      await sendLead({ ...SPAM, email: 'ada@analytical-engines.co.uk' }),
      await sendLead({ ...SPAM, email: 'eve@elsewhere.co.uk' }),
    ];
    const { body } = await owner.post('/leads/review', { body: { verdict: 'spam', submissionIds: ids } });
    expect(body.senders).toEqual({
      changed: [{ sender: 'elsewhere.co.uk', status: 'blocked' }],
      full: false,
      domains: [],
      own: ['analytical-engines.co.uk'],
    });
  });

  test('can be trusted by a review, and blocked by hand', async () => {
    const { senders } = await call('good', 'ada@analytical-engines.co.uk');
    expect(senders).toEqual({
      changed: [{ sender: 'analytical-engines.co.uk', status: 'trusted' }],
      full: false,
      domains: [],
    });
    expect((await put('analytical-engines.co.uk', 'blocked')).body).toMatchObject({ status: 'blocked' });
  });
});

test.each<Surface>(['1a', '1b'])(
  'on surface %s, the next lead of a company is what the verdict says, in a warm environment too',
  async (surface) => {
    const good = await sendLead({ ...SPAM, email: 'ada@analytical-engines.co.uk' }, surface);
    await owner.post(`/leads/${good}/review`, { body: { verdict: 'good' } });
    const trusted = await receive({ ...SPAM, email: 'Grace@Analytical-Engines.co.uk' }, surface);
    expect(trusted).toMatchObject({ clean: true, scoredClean: false, sender: 'trusted' });
    expect(trusted?.score).toBe((await fixture.leadById(good))?.score);

    const bad = await sendLead({ ...GOOD, email: 'eve@elsewhere.co.uk' }, surface);
    expect(await fixture.leadById(bad)).toMatchObject({ clean: true });
    await owner.post(`/leads/${bad}/review`, { body: { verdict: 'spam' } });
    const blocked = await receive({ ...GOOD, email: 'mallory@elsewhere.co.uk' }, surface);
    expect(blocked).toMatchObject({ clean: false, scoredClean: true, sender: 'blocked' });
    await owner.post(`/leads/${bad}/review`, { body: { verdict: null } });
    const last = await receive({ ...GOOD, email: 'mallory@elsewhere.co.uk' }, surface);
    expect(last).toMatchObject({ clean: true });
    expect(last).not.toHaveProperty('sender');
  },
);

test('a free mail domain never goes on the list: only the address does', async () => {
  const first = await sendLead({ ...GOOD, email: 'ada.byron@gmail.com' });
  const { body } = await owner.post(`/leads/${first}/review`, { body: { verdict: 'spam' } });
  expect(body.senders.changed).toEqual([{ sender: 'ada.byron@gmail.com', status: 'blocked' }]);
  expect(await receive({ ...GOOD, email: 'ADA.Byron@gmail.com' })).toMatchObject({ clean: false });
  expect(await receive({ ...GOOD, email: 'grace.hopper@gmail.com' })).toMatchObject({ clean: true });
  const refused = await put('gmail.com', 'blocked', true);
  expect(refused.body.errors).toMatchObject([{ field: 'sender' }]);
});

test('a repeated submission gets its original response, whatever the list says by then', async () => {
  const lead = { ...GOOD, email: 'ada@analytical-engines.co.uk' };
  const key = { 'X-SVC-Idempotency-Key': 'once' };
  const first = await sendLead(lead, '1a', key);
  await owner.post(`/leads/${first}/review`, { body: { verdict: 'spam' } });
  expect(await sendLead(lead, '1a', key)).toBe(first);
  expect(await fixture.leadIdsOf(sender.formId)).toEqual([first]);
  expect(await fixture.leadById(first)).toMatchObject({ clean: false, review: { verdict: 'spam' } });
});

describe('the owner', () => {
  test('adds, changes and removes senders', async () => {
    expect((await owner.get('/senders')).body).toEqual({ senders: [] });
    const added = await put(' Ada@Analytical-Engines.co.uk', 'trusted');
    const entry = { sender: 'ada@analytical-engines.co.uk', addedAt: '2026-11-15T12:00:00.000Z' };
    expect(added.body).toEqual({ ...entry, status: 'trusted' });
    fixture.clock.now += 1000;
    await put('@difference-engines.co.uk', 'blocked');
    fixture.clock.now -= 1000;
    expect((await owner.get('/senders')).body.senders).toMatchObject([
      { sender: 'difference-engines.co.uk', status: 'blocked' },
      { ...entry, status: 'trusted' },
    ]);
    expect((await put('ada@analytical-engines.co.uk', 'blocked')).body).toMatchObject({ status: 'blocked' });
    expect((await put('ada@analytical-engines.co.uk', null)).body).toEqual({
      sender: entry.sender,
      status: null,
    });
    expect((await put('ada@analytical-engines.co.uk', null)).status).toBe(200);
    expect((await owner.get('/senders')).body.senders).toHaveLength(1);
    const other = fixture.ownerOf((await fixture.newSender()).workspaceId);
    expect((await other.get('/senders')).body).toEqual({ senders: [] });
  });

  test('is told when the list is full, and the lead has its verdict all the same', async () => {
    const entry = { status: 'blocked', addedAt: '2026-01-01T00:00:00.000Z' };
    const senders = Object.fromEntries(
      Array.from({ length: MAX_SENDERS }, (_, n) => [`company-${n}.co.uk`, entry]),
    );
    const key = sendersKey(sender.workspaceId);
    await setAttributes(fixture.observer, fixture.stack.tables.workspaces, key, { senders });
    const full = await put('one-more.co.uk', 'trusted');
    expect([full.status, full.body.detail]).toEqual([409, expect.stringContaining('at most 500 senders')]);
    const leadId = await sendLead({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const { body } = await owner.post(`/leads/${leadId}/review`, { body: { verdict: 'good' } });
    expect(body).toMatchObject({ clean: true, senders: { changed: [], full: true } });
    expect((await put('company-7.co.uk', 'trusted')).status).toBe(200);
    expect((await put('company-8.co.uk', null)).status).toBe(200);
    expect((await put('one-more.co.uk', 'trusted')).status).toBe(200);
  });

  // senders.unit.test.ts has what else is no sender.
  test.each(['', 'ada@', `${'x'.repeat(300)}.com`])('cannot add "%.20s"', async (name) => {
    expect((await put(name, 'trusted', true)).status).toBe(400);
  });

  test('of a workspace that is gone adds nothing', async () => {
    const gone = fixture.ownerOf('ws_gone');
    expect((await gone.put('/senders', { body: { sender: 'acme.com', status: 'blocked' } })).status).toBe(
      404,
    );
    expect(await fixture.workspaceItem(sendersKey('ws_gone').workspaceId)).toEqual({});
  });

  test('changes at the same time all count', async () => {
    const names = Array.from({ length: 4 }, (_, n) => `company-${n}.co.uk`);
    await Promise.all(names.map((name) => put(name, 'blocked')));
    expect(
      (await owner.get('/senders')).body.senders
        .map((each: Sender & { sender: string }) => each.sender)
        .toSorted(),
    ).toEqual(names);
  });
});
