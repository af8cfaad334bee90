import { expect, test } from '@jest/globals';
import { GOOD, NOON, openReviewFixture, SPAM } from './review-fixture.ts';

const { fixture, parties, send, review } = openReviewFixture();

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
