import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { MOST_REVIEWED, makeReadReviewed } from '#leads/learning/reviewed-leads-store.ts';
import { type Lead, toLeadItem } from '#model/lead-item.ts';
import { toReviewItem } from '#model/review-item.ts';
import { leadOf } from '../lead-fixture.ts';
import { openLearningFixture } from './learning-fixture.ts';

const { fixture, context, at } = openLearningFixture();
const readReviewed = makeReadReviewed(context);
const read = async () => {
  const reviewed = await readReviewed(at.workspaceId, AbortSignal.timeout(60_000));
  return reviewed.map(({ lead }) => lead.leadId);
};

/** As a review leaves them. One that was withdrawn stays in the index. */
async function store(leads: readonly Lead[]): Promise<void> {
  const items = leads.flatMap((lead) => {
    const { leadId, workspaceId, formId, score, clean, review } = lead;
    const note = { leadId, workspaceId, formId, score, clean, at: 'now', madeClean: false };
    return [toLeadItem(lead), toReviewItem({ ...note, verdict: review?.verdict ?? 'none' })];
  });
  for (let from = 0; from < items.length; from += 25) {
    const puts = items.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    const RequestItems = { [fixture.stack.tables.leads]: puts };
    await fixture.observer.send(new BatchWriteCommand({ RequestItems }));
  }
}

const leadsWith = (count: number, isReviewed: (n: number) => boolean) =>
  Array.from({ length: count }, (_, n) => {
    const { workspaceId, formId } = at.sender;
    const review = isReviewed(n) && { review: { verdict: 'good' as const, at: 'now' } };
    return leadOf({ workspaceId, formId }, n, { ...review });
  });

test('are the newest 500, however many of them were withdrawn', async () => {
  const leads = leadsWith(MOST_REVIEWED + 110, (n) => n < MOST_REVIEWED + 10);
  await store(leads);
  const newest = leads.filter(({ review }) => review).slice(10);
  expect(await read()).toEqual(newest.map(({ leadId }) => leadId).toReversed());
});

test('are only of this workspace, neither erased nor expired, with the configuration of their form', async () => {
  const [kept, expired, erased, foreign] = leadsWith(4, () => true) as [Lead, Lead, Lead, Lead];
  const past = Math.floor(fixture.clock.now / 1000) - 1;
  await store([kept, { ...expired, expiresAt: past }, { ...foreign, workspaceId: 'ws_other' }]);
  const note = { leadId: erased.leadId, workspaceId: at.workspaceId, formId: erased.formId, score: 1 };
  const Item = toReviewItem({ ...note, clean: true, verdict: 'good', at: 'now', madeClean: false });
  const RequestItems = { [fixture.stack.tables.leads]: [{ PutRequest: { Item } }] };
  await fixture.observer.send(new BatchWriteCommand({ RequestItems }));
  const fields = [{ key: 'contact', role: 'email' }];
  await at.owner.patch(`/forms/${at.sender.formId}`, { body: { fields } });
  const reviewed = await readReviewed(at.workspaceId, AbortSignal.timeout(60_000));
  expect(reviewed).toMatchObject([{ lead: { leadId: kept.leadId }, configuration: fields }]);
});
