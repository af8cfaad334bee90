import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Lead, toLeadItem } from '#model/lead-item.ts';
import { itemsOf } from '../../stored-items.ts';
import { until } from '../../until.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';
import { leadOf } from './lead-fixture.ts';

const NOON = '2026-11-15T12:00:00.000Z';

const GOOD = { name: 'Ada Byron', message: 'We need a quote for 40 calculating machines, please.' };
const SPAM = {
  name: 'SEO Expert',
  message: 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top',
};

const fixture = openOwnerFixture(Date.parse(NOON));
const ingest = fixture.newEnvironment();
const parties = {} as { sender: Sender; owner: Owner };

beforeEach(async () => {
  parties.sender = await fixture.newSender();
  parties.owner = fixture.ownerOf(parties.sender.workspaceId);
});

const send = async (lead: object) =>
  submissionId(await ingest.server(parties.sender, { body: JSON.stringify(lead) }));
const review = (leadId: string, verdict: 'good' | 'spam' | null) =>
  parties.owner.post(`/leads/${leadId}/review`, { body: { verdict } });
const partsOf = (leadId: string) => itemsOf(fixture.observer, fixture.stack.tables.leads, { leadId });
const reviewItem = async (leadId: string) => (await partsOf(leadId)).find(({ part }) => part === 'review');
const listed = async () => (await parties.owner.get('/senders')).body.senders;

describe('a verdict', () => {
  test('overrides clean and keeps the score, until it is withdrawn', async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const { body: before } = await parties.owner.get(`/leads/${leadId}`);
    expect(before).toMatchObject({ clean: false, enrichment: { state: 'skipped' } });

    const { status, body: lead } = await review(leadId, 'good');
    expect(status).toBe(200);
    expect(lead).toEqual({
      ...before,
      clean: true,
      scoredClean: false,
      review: { verdict: 'good', at: NOON, by: expect.stringMatching(/^member:mem_\w+$/) },
      // The stack enriches it, sooner or later.
      enrichment: expect.objectContaining({ state: expect.stringMatching(/pending|enriched/) }),
      senders: {
        changed: [{ sender: 'analytical-engines.co.uk', status: 'trusted' }],
        full: false,
        domains: [],
      },
    });
    const { senders: _senders, enrichment: _enrichment, ...shown } = lead;
    expect((await parties.owner.get(`/leads/${leadId}`)).body).toMatchObject(shown);
    const clean = await parties.owner.get(`/forms/${parties.sender.formId}/leads`, {
      query: { clean: 'true' },
    });
    expect(clean.body.rows).toMatchObject([{ submissionId: leadId, clean: true, review: lead.review }]);

    const { body: withdrawn } = await review(leadId, null);
    expect(withdrawn).toMatchObject({ clean: false, scoredClean: false, score: before.score });
    expect(withdrawn.review).toBeUndefined();
    expect(await listed()).toEqual([]);
  });

  test('announces a lead once more if it makes it clean', async () => {
    const spam = await send({ ...SPAM, email: 'a@analytical-engines.co.uk' });
    await review(spam, 'good');
    expect(await reviewItem(spam)).toMatchObject({ verdict: 'good', clean: true, madeClean: true });
    await review(spam, null);
    expect(await reviewItem(spam)).toMatchObject({ verdict: 'none', clean: false });
    expect(await reviewItem(spam)).not.toHaveProperty('madeClean');

    // Its message may have waited while it was marked as spam.
    const good = await send({ ...GOOD, email: 'b@difference-engines.co.uk' });
    await review(good, 'spam');
    await review(good, 'good');
    expect(await reviewItem(good)).toMatchObject({ madeClean: true });
    // By now, nobody remembers whether it was sent.
    await review(good, 'spam');
    fixture.clock.now += 30 * 24 * 60 * 60 * 1000;
    await review(good, 'good');
    fixture.clock.now -= 30 * 24 * 60 * 60 * 1000;
    expect(await reviewItem(good)).not.toHaveProperty('madeClean');
  });

  test('finds the sender and the roles in the fields that were made of a payload', async () => {
    const { workspaceId, formId } = parties.sender;
    const fields = JSON.stringify({ ...GOOD, email: 'ada@analytical-engines.co.uk' });
    const body = JSON.stringify({ host: 'host@calendars.co.uk', payload: GOOD });
    const [real, tried] = [{ fields }, { fields, test: true as const }].map((more, n) =>
      leadOf({ workspaceId, formId }, n, { ...more, body, clean: false }),
    ) as [Lead, Lead];
    for (const lead of [real, tried]) {
      const Item = toLeadItem(lead);
      await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.leads, Item }));
    }
    expect((await review(tried.leadId, 'good')).body).toMatchObject({ test: true, senders: { changed: [] } });
    expect((await review(real.leadId, 'good')).body).toMatchObject({
      body,
      fields,
      senders: { changed: [{ sender: 'analytical-engines.co.uk', status: 'trusted' }] },
    });
  });

  test('that is repeated changes nothing, not even its time', async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const { body: first } = await review(leadId, 'good');
    fixture.clock.now += 60_000;
    const { body: again } = await review(leadId, 'good');
    fixture.clock.now -= 60_000;
    expect(again).toMatchObject({ review: first.review, senders: { changed: [], full: false } });
  });

  test("of a program gives way to a person's, and never the other way round", async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const decide = async (actor: string) => {
      const scopes = 'leads:read leads:write';
      const authorized = { actor, ...(actor.startsWith('key:') && { scopes, role: undefined }) };
      return (await parties.owner.post(`/leads/${leadId}/review`, { body: { verdict: 'good' }, authorized }))
        .body.review.by;
    };
    expect(await decide('key:key_1')).toBe('key:key_1');
    expect(await decide('key:key_2')).toBe('key:key_1');
    expect(await decide('user:mem_1')).toBe('member:mem_1');
    expect(await decide('user:mem_2')).toBe('member:mem_1');
    expect(await decide('key:key_1')).toBe('member:mem_1');
    await review(leadId, null);
    expect(await fixture.leadById(leadId)).not.toHaveProperty('review');
  });

  test('of two at once leaves the lead and the item beside it with the same one', async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const verdicts = ['good', 'spam', 'good', 'spam', null] as const;
    const responses = await Promise.all(verdicts.map((verdict) => review(leadId, verdict)));
    expect(responses.map(({ status }) => status)).toEqual(verdicts.map(() => 200));
    const { body } = await parties.owner.get(`/leads/${leadId}`);
    expect(await reviewItem(leadId)).toMatchObject({
      verdict: body.review?.verdict ?? 'none',
      clean: body.clean,
    });
  });

  test('keeps the roles that the form configured, so that enrichment reads the right fields', async () => {
    const fields = [{ key: 'contact', role: 'email' }];
    await parties.owner.patch(`/forms/${parties.sender.formId}`, { body: { fields } });
    const lead = { ...SPAM, email: 'noreply@forms.example', contact: 'ada@analytical-engines.co.uk' };
    const leadId = await send(lead);
    await review(leadId, 'good');
    expect(await listed()).toMatchObject([{ sender: 'analytical-engines.co.uk' }]);
    expect((await fixture.leadById(leadId))?.roles).toMatchObject({ email: 'contact' });
  });

  test('on a test lead lists no sender', async () => {
    const leadId = await send({ ...GOOD, email: 'ada@analytical-engines.co.uk', _test: true });
    expect((await review(leadId, 'good')).body.senders).toEqual({ changed: [], full: false, domains: [] });
  });

  test('expires with its lead', async () => {
    await parties.owner.patch(`/forms/${parties.sender.formId}`, { body: { retentionDays: 1 } });
    const leadId = await send({ ...GOOD, email: 'ada@analytical-engines.co.uk' });
    await review(leadId, 'spam');
    expect((await reviewItem(leadId))?.expiresAt).toBe((await fixture.leadById(leadId))?.expiresAt);
    fixture.clock.now += 2 * 24 * 60 * 60 * 1000;
    expect((await review(leadId, 'good')).status).toBe(404);
    fixture.clock.now = Date.parse(NOON);
  });
});

/** The stack may be about to enrich an erased lead, and takes that back when it looks again. */
async function partsInTheEnd(leadId: string): Promise<unknown[]> {
  const parts = await until(
    () => partsOf(leadId),
    (found) => found.length === 1,
  );
  return parts.map(({ part }) => part);
}

describe('erasure', () => {
  test('deletes the review with the lead, and an erased lead cannot be reviewed', async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    await review(leadId, 'good');
    expect((await parties.owner.delete(`/leads/${leadId}`)).status).toBe(204);
    expect(await partsInTheEnd(leadId)).toEqual(['erased']);
    expect((await review(leadId, 'spam')).status).toBe(404);
  });

  test('at the same time as a review leaves nothing of the lead', async () => {
    for (let round = 0; round < 5; round += 1) {
      const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
      const [reviewed, erased] = await Promise.all([
        review(leadId, 'good'),
        parties.owner.delete(`/leads/${leadId}`),
        review(leadId, 'spam'),
      ]);
      expect([200, 404]).toContain(reviewed.status);
      expect(erased.status).toBe(204);
      expect(await partsInTheEnd(leadId)).toEqual(['erased']);
    }
  });
});

describe('several leads at once', () => {
  test('get the same verdict, and change the configuration once', async () => {
    const ids = [
      await send({ ...SPAM, email: 'a@analytical-engines.co.uk' }),
      await send({ ...SPAM, email: 'b@analytical-engines.co.uk' }),
      await send({ ...SPAM, email: 'c@gmail.com' }),
    ];
    const unknown = '019a0000-0000-7000-8000-000000000000';
    const { configVersion: before } = await fixture.workspaceItem(parties.sender.workspaceId);
    const { body } = await parties.owner.post('/leads/review', {
      body: { verdict: 'good', submissionIds: [...ids, unknown] },
    });
    expect(body).toMatchObject({ reviewed: ids, notFound: [unknown], senders: { full: false } });
    expect(body.senders.changed.map((each: { sender: string }) => each.sender).toSorted()).toEqual([
      'analytical-engines.co.uk',
      'c@gmail.com',
    ]);
    const { configVersion: after } = await fixture.workspaceItem(parties.sender.workspaceId);
    expect(after).toBe(Number(before) + 1);
    for (const leadId of ids) expect((await fixture.leadById(leadId))?.clean).toBe(true);
  });

  test('of another workspace are not found, and stay as they are', async () => {
    const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
    const other = fixture.ownerOf((await fixture.newSender()).workspaceId);
    const body = { verdict: 'good', submissionIds: [leadId] };
    expect((await other.post('/leads/review', { body })).body).toMatchObject({
      reviewed: [],
      notFound: [leadId],
    });
    expect((await parties.owner.get(`/leads/${leadId}`)).body.review).toBeUndefined();
  });

  test.each([0, 51])('are not %i', async (length) => {
    const body = { verdict: 'good', submissionIds: Array.from({ length }, (_, n) => `${n}`) };
    expect((await parties.owner.post('/leads/review', { body })).status).toBe(400);
  });
});

test('the list is an item of its own: the gate stays small', async () => {
  const leadId = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
  await review(leadId, 'good');
  expect(await fixture.workspaceItem(parties.sender.workspaceId)).not.toHaveProperty('senders');
  const workspaces = await fixture.administration.listWorkspaces();
  expect(workspaces.every(({ workspaceId }) => workspaceId.startsWith('ws_'))).toBe(true);
});

test('the export has the verdicts as labels, beside what scoring said', async () => {
  const good = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
  const spam = await send({ ...GOOD, email: 'bob@gmail.com' });
  const withdrawn = await send({ ...GOOD, email: 'eve@difference-engines.co.uk' });
  await send({ ...GOOD, email: 'nobody@asked.co.uk' });
  await review(good, 'good');
  await review(spam, 'spam');
  await review(withdrawn, 'spam');
  await review(withdrawn, null);
  const { text, headers } = await parties.owner.get('/reviews/export');
  expect(headers).toMatchObject({ 'content-disposition': 'attachment; filename="reviewed-leads.ndjson"' });
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        submission_id: good,
        form_id: parties.sender.formId,
        clean: true,
        scored_clean: false,
        review: { verdict: 'good', at: NOON },
        body: { ...SPAM, email: 'ada@analytical-engines.co.uk' },
      }),
      expect.objectContaining({
        submission_id: spam,
        clean: false,
        scored_clean: true,
        review: { verdict: 'spam', at: NOON },
      }),
    ]),
  );
  const csv = await parties.owner.get('/reviews/export', { query: { format: 'csv' } });
  expect(csv.text).toContain('clean,scored_clean,review,reviewed_at,');
  expect(csv.text.match(new RegExp(`true,false,good,${NOON}|false,true,spam,${NOON}`, 'g'))).toHaveLength(2);
  const other = fixture.ownerOf((await fixture.newSender()).workspaceId);
  expect((await other.get('/reviews/export')).text).toBe('');
});
