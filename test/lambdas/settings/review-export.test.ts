import { beforeEach, expect, test } from '@jest/globals';
import { type Sender, submissionId } from '../submission/workbench.ts';
import { type Owner, openOwnerWorkbench } from './owner-workbench.ts';

const NOON = '2026-11-15T12:00:00.000Z';
const bench = openOwnerWorkbench(Date.parse(NOON));
const ingest = bench.newEnvironment();

let sender: Sender;
let owner: Owner;

beforeEach(async () => {
  sender = await bench.newSender();
  owner = bench.ownerOf(sender.workspaceId);
});

const GOOD = { name: 'Ada Byron', message: 'We need a quote for 40 calculating machines, please.' };
const SPAM = {
  name: 'SEO Expert',
  message: 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top',
};

async function send(lead: object, surface: '1a' | '1b' = '1a'): Promise<string> {
  return submissionId(await ingest.send(surface, sender, { body: JSON.stringify(lead) }));
}

const review = (leadId: string, verdict: 'good' | 'spam' | null) =>
  owner.post(`/leads/${leadId}/review`, { body: { verdict } });

test('the export has the verdicts as labels, beside what scoring said', async () => {
  const good = await send({ ...SPAM, email: 'ada@analytical-engines.co.uk' });
  const spam = await send({ ...GOOD, email: 'bob@gmail.com' });
  const withdrawn = await send({ ...GOOD, email: 'eve@difference-engines.co.uk' });
  await send({ ...GOOD, email: 'nobody@asked.co.uk' });
  await review(good, 'good');
  await review(spam, 'spam');
  await review(withdrawn, 'spam');
  await review(withdrawn, null);
  const { text, headers } = await owner.get('/reviews/export');
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
        form_id: sender.formId,
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
  const csv = await owner.get('/reviews/export', { query: { format: 'csv' } });
  expect(csv.text).toContain('clean,scored_clean,review,reviewed_at,');
  expect(csv.text.match(new RegExp(`true,false,good,${NOON}|false,true,spam,${NOON}`, 'g'))).toHaveLength(2);
  const other = bench.ownerOf((await bench.newSender()).workspaceId);
  expect((await other.get('/reviews/export')).text).toBe('');
});
