import { describe, expect, test } from '@jest/globals';
import type { OwnerFixture } from '../owner-api/owner-fixture.ts';
import { submissionId } from '../submission/submission-fixture.ts';

/** The part of every-operation.test.ts about reviews. Its fixture records which operations were called. */
export function testReviewOperations(fixture: OwnerFixture): void {
  describe('reviews', () => {
    test('of one lead or several list their senders, and are exported', async () => {
      const sender = await fixture.newSender();
      const owner = fixture.ownerOf(sender.workspaceId);
      const leadId = submissionId(await fixture.newEnvironment().server(sender));
      const { body: lead } = await owner.post(`/leads/${leadId}/review`, { body: { verdict: 'spam' } });
      expect(lead).toMatchObject({ clean: false, review: { verdict: 'spam' } });
      const { body: reviewed } = await owner.post('/leads/review', {
        body: { verdict: 'good', submissionIds: [leadId] },
      });
      expect(reviewed).toMatchObject({ reviewed: [leadId], notFound: [] });
      expect((await owner.get('/reviews/export')).text).toContain(`"submission_id":"${leadId}"`);

      const { body: blocked } = await owner.put('/senders', {
        body: { sender: 'acme.com', status: 'blocked' },
      });
      expect((await owner.get('/senders')).body.senders).toContainEqual(blocked);
    });
  });
}
