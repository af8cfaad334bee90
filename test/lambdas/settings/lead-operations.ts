import { describe, expect, test } from '@jest/globals';
import { until } from '../../until.ts';
import type { Owner, OwnerFixture } from '../owner-api/owner-fixture.ts';
import { submissionId } from '../submission/submission-fixture.ts';

/** The part of every-operation.test.ts about rejections, on its fixture. */
export function testDiagnosticsOperations(fixture: OwnerFixture, newOwner: () => Promise<Owner>): void {
  describe('diagnostics', () => {
    test('count rejections, show them, and find one by the id that its sender saw', async () => {
      const sender = await fixture.newSender();
      const owner = fixture.ownerOf(sender.workspaceId);
      await fixture.newEnvironment().webhook({ ...sender, secret: 'not the secret' });
      const { body: counts } = await until(
        () => owner.get('/diagnostics', { query: { by: 'minute' } }),
        ({ body }) => body.rejected.total > 0,
      );
      expect(counts).toMatchObject({ rateLimited: { total: 0 }, reusedKeys: { total: 0 } });
      expect(counts).toMatchObject({ newestAt: expect.any(String), newestCountedAt: expect.any(String) });
      expect(counts.rejected.counts).toEqual([
        {
          at: '2026-11-15T12:00:00Z',
          surface: '1b',
          formId: sender.formId,
          reason: 'signature_mismatch',
          authenticated: false,
          count: 1,
        },
      ]);
      const { body: events } = await until(
        () => owner.get('/diagnostics/events', { query: { limit: '10' } }),
        ({ body }) => body.events.length > 0,
      );
      expect(events.events).toMatchObject([{ reason: 'signature_mismatch', formId: sender.formId }]);
      const { requestId } = events.events[0];
      expect((await owner.get(`/diagnostics/requests/${requestId}`)).body).toEqual({
        ...events.events[0],
        otherMatches: [],
      });
      const unknown = await owner.get('/diagnostics/requests/00000000-0000-0000-0000-000000000000');
      expect(unknown.status).toBe(404);
      expect(unknown.body.detail).toMatch(/No rejection found with this request ID/);
    });

    test('filter the rejections by surface, form or reason', async () => {
      const sender = await fixture.newSender();
      const owner = fixture.ownerOf(sender.workspaceId);
      const environment = fixture.newEnvironment();
      await environment.webhook({ ...sender, secret: 'not the secret' });
      await environment.server(sender, { body: '[]' });
      await until(
        () => owner.get('/diagnostics/events'),
        ({ body }) => body.events.length === 2,
      );
      const reasonsOf = async (query: Record<string, string>) => {
        const { body } = await owner.get('/diagnostics/events', { query });
        return body.events.map(({ reason }: { reason: string }) => reason);
      };
      expect(await reasonsOf({ surface: '1b' })).toEqual(['signature_mismatch']);
      expect(await reasonsOf({ reason: 'body_not_object' })).toEqual(['body_not_object']);
      expect(await reasonsOf({ surface: '1b', reason: 'body_not_object' })).toEqual([]);
      expect((await reasonsOf({ form: sender.formId })).sort()).toEqual([
        'body_not_object',
        'signature_mismatch',
      ]);
      expect(await reasonsOf({ form: 'none' })).toEqual([]);
      expect(await reasonsOf({ form: 'form_of_nobody' })).toEqual([]);
    });

    test.each([
      ['surface', '3', /must be one of 1a, 1b, 1c, 2/],
      ['reason', 'because', /must be one of token_missing, /],
      ['form', '', /must have 1 to/],
    ])('reject a filter by %s %j', async (field, value, problem) => {
      const owner = await newOwner();
      const { status, body } = await owner.get('/diagnostics/events', { query: { [field]: value } });
      expect(status).toBe(400);
      expect(body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
    });
  });
}

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
      const ids = { submissionIds: [leadId, 'nobody'] };
      const { body: opened } = await owner.post('/leads/opened', { body: ids });
      expect(opened).toEqual({ opened: [leadId], notFound: ['nobody'] });
      const { body: handled } = await owner.post('/leads/handled', { body: { ...ids, handled: true } });
      expect(handled).toEqual({ changed: [leadId], notFound: ['nobody'] });
      const found = { query: { ids: leadId } };
      await until(
        () => owner.get('/leads/count', found),
        ({ body }) => body.count === 1 && body.exact,
      );
      expect((await owner.get('/leads/export', found)).text).toContain(`,handled,`);
      expect((await owner.get('/reviews/export')).text).toContain(`"submission_id":"${leadId}"`);

      const { body: blocked } = await owner.put('/senders', {
        body: { sender: 'acme.com', status: 'blocked' },
      });
      expect((await owner.get('/senders')).body.senders).toContainEqual(blocked);

      const { body: off } = await owner.patch('/learning', { body: { enabled: false } });
      expect(off).toMatchObject({ enabled: false, learnedAt: null });
      expect((await owner.get('/learning')).body).toEqual(off);
    });
  });
}
