import { expect, test } from '@jest/globals';
import { localStack } from '../../local-stack.ts';
import { until } from '../../until.ts';
import { openOwnerFixture } from '../owner-api/owner-fixture.ts';

const fixture = openOwnerFixture(Date.parse('2026-11-15T12:00:10.000Z'), undefined, localStack());

test('rejections are counted, listed by surface, form or reason, and found by the id that their sender saw', async () => {
  const sender = await fixture.newSender();
  const { formId } = sender;
  const owner = fixture.ownerOf(sender.workspaceId);
  const environment = fixture.newEnvironment();
  await environment.webhook({ ...sender, secret: 'not the secret' });
  await environment.server(sender, { body: '[]' });
  const { body: counts } = await until(
    () => owner.get('/diagnostics', { query: { by: 'minute' } }),
    ({ body }) => body.rejected.total === 2,
  );
  expect(counts).toMatchObject({ rateLimited: { total: 0 }, reusedKeys: { total: 0 } });
  expect(counts).toMatchObject({ newestAt: expect.any(String), newestCountedAt: expect.any(String) });
  expect(counts.rejected.counts).toContainEqual({
    at: '2026-11-15T12:00:00Z',
    surface: '1b',
    formId,
    reason: 'signature_mismatch',
    authenticated: false,
    count: 1,
  });
  const list = async (query: Record<string, string>) =>
    (await owner.get('/diagnostics/events', { query })).body.events;
  const all = await until(
    () => list({ limit: '10', form: formId }),
    (events) => events.length === 2,
  );
  const reasonsOf = (events: { reason: string }[]) => events.map(({ reason }) => reason).sort();
  expect(reasonsOf(all)).toEqual(['body_not_object', 'signature_mismatch']);
  expect(reasonsOf(await list({ surface: '1b' }))).toEqual(['signature_mismatch']);
  expect(reasonsOf(await list({ reason: 'body_not_object' }))).toEqual(['body_not_object']);
  expect(await list({ surface: '1b', reason: 'body_not_object' })).toEqual([]);
  expect(await list({ form: 'none' })).toEqual([]);
  expect(await list({ form: 'form_x' })).toEqual([]);
  const found = await owner.get(`/diagnostics/requests/${all[0].requestId}`);
  expect(found.body).toEqual({ ...all[0], otherMatches: [] });
  const unknown = await owner.get('/diagnostics/requests/00000000-0000-0000-0000-000000000000');
  expect([unknown.status, unknown.body.detail]).toEqual([404, expect.stringMatching(/^No rejection found/)]);
});
