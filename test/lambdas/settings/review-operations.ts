import { describe, expect, test } from '@jest/globals';
import { submissionId } from '../submission/workbench.ts';
import type { OwnerWorkbench } from './owner-workbench.ts';

/** The part of every-operation.test.ts about reviews. Its bench records which operations were called. */
export function testReviewOperations(bench: OwnerWorkbench): void {
  describe('reviews', () => {
    test('of one lead or several list their senders, and are exported', async () => {
      const sender = await bench.newSender();
      const owner = bench.ownerOf(sender.workspaceId);
      const leadId = submissionId(await bench.newEnvironment().server(sender));
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
