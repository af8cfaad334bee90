import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { messageId } from '#sending/message.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { until } from '../../until.ts';
import { makeStoredAlerts } from '../alerts/stored-alerts.ts';
import type { Owner, OwnerFixture } from '../owner-api/owner-fixture.ts';
import { submissionId } from '../submission/submission-fixture.ts';
import { NOON } from './form-operations.ts';

/** The part of every-operation.test.ts about who may use the API, on its fixture. */
export function testAccessOperations(fixture: OwnerFixture, newOwner: () => Promise<Owner>): void {
  describe('API keys and the activity log', () => {
    test('a key is made, listed and revoked, and the log has both changes', async () => {
      const owner = await newOwner();
      const body = { name: 'Zapier', scopes: ['leads:read'] };
      const { body: made } = await owner.post('/api-keys', { body });
      const { apiKey, ...key } = made;
      const listed = await until(
        async () => (await owner.get('/api-keys')).body.apiKeys as unknown[],
        (keys) => keys.length > 0,
      );
      expect(listed).toEqual([key]);
      expect((await owner.delete(`/api-keys/${key.keyId}`)).body).toMatchObject({ keyId: key.keyId });
      const { activity } = (await owner.get('/activity')).body;
      expect(activity.map(({ action }: { action: string }) => action).sort()).toEqual([
        'DELETE /settings/api-keys/{keyId}',
        'POST /settings/api-keys',
      ]);
    });
  });

  describe('members', () => {
    test('are invited, listed, given another role and removed', async () => {
      const owner = await newOwner();
      const email = `grace-${randomUUID()}@example.com`;
      const invited = await owner.post('/members', { body: { email, role: 'viewer' } });
      expect(invited).toMatchObject({ status: 202, body: { email, role: 'viewer' } });
      const { memberId } = invited.body;
      const at = `/members/${memberId}`;
      expect((await owner.get('/members')).body).toEqual({
        members: [
          {
            memberId,
            email,
            role: 'viewer',
            status: 'invited',
            invitedAt: new Date(fixture.clock.now).toISOString(),
            isYou: false,
          },
        ],
        invitationsLeftToday: 19,
      });
      expect((await owner.patch(at, { body: { role: 'owner' } })).body).toMatchObject({ role: 'owner' });
      // An owner who has never signed in: somebody else must stay.
      expect((await owner.delete(at)).status).toBe(409);
      expect((await owner.patch(at, { body: { role: 'viewer' } })).status).toBe(409);
      await fixture.join(owner.workspaceId, randomUUID(), 'owner');
      expect((await owner.delete(at)).body).toEqual({ memberId, apiKeys: [] });
      expect((await owner.get('/members')).body.members).toHaveLength(1);
    });
  });
}

/** The part of every-operation.test.ts about what is sent to owners, on its fixture. */
export function testSendingOperations(fixture: OwnerFixture, newOwner: () => Promise<Owner>): void {
  describe('destinations and messages', () => {
    test('are made, changed, tried, listed, replayed and deleted', async () => {
      const sender = await fixture.newSender();
      const owner = fixture.ownerOf(sender.workspaceId);
      const leadId = submissionId(await fixture.newEnvironment().server(sender));
      // Of alerts alone: the stack's own functions must not send it the lead in between.
      const events = ['alert.opened'];
      const { body: made } = await owner.post('/destinations', {
        body: { kind: 'webhook', url: 'https://receiver.example.com/', forms: [sender.formId], events },
      });
      const { destinationId } = made;
      const at = `/destinations/${destinationId}`;
      expect((await owner.get('/destinations')).body.destinations).toEqual([(await owner.get(at)).body]);
      await owner.patch(at, { body: { name: 'CRM' } });
      await owner.post(`${at}/rotate`);
      await owner.post(`${at}/test`);
      const key = { destinationId, leadId, type: 'lead.accepted' } as const;
      const { write } = makeMessages({ client: fixture.observer, tables: fixture.stack.tables });
      const delivered = { status: 'delivered', attempts: [], countedAttempts: 1, createdAt: NOON } as const;
      const message = { ...key, ...delivered, workspaceId: owner.workspaceId };
      await write(message, undefined, AbortSignal.timeout(10_000));
      const { body: shown } = await owner.get(`/messages/${messageId(key)}`);
      expect((await owner.get(`${at}/messages`)).body.messages).toEqual([shown]);
      expect((await owner.get(`/leads/${leadId}/messages`)).body.messages).toEqual([shown]);
      expect((await owner.post(`${at}/try`)).status).toBe(409);
      const waiting = { ...message, type: 'lead.enriched', status: 'waiting', nextAttemptAt: NOON } as const;
      await write({ ...waiting, dueAt: fixture.clock.now }, undefined, AbortSignal.timeout(10_000));
      const { body: held } = await until(
        () => owner.get(at),
        ({ body }) => body.waiting !== undefined,
      );
      expect(held.waiting).toEqual({ since: NOON, nextAttemptAt: NOON });
      const tried = await owner.post(`${at}/try`);
      expect([tried.status, tried.body]).toEqual([202, { messageId: messageId(waiting) }]);
      expect(fixture.queued.at(-1)).toMatchObject({ task: 'send', mode: 'try', type: 'lead.enriched' });
      await owner.post(`/messages/${messageId(key)}/replay`);
      await owner.post(`${at}/replay`, { body: { since: NOON } });
      expect(fixture.queued.map(({ task }) => task)).toEqual(['send', 'send', 'send', 'replay']);
      const { body: mail } = await owner.post('/destinations', {
        body: { kind: 'email', email: 'sales@example.com', events },
      });
      expect(mail).toMatchObject({ confirmation: 'pending' });
      expect((await owner.post(`/destinations/${mail.destinationId}/confirmation`)).status).toBe(202);
      expect((await owner.delete(at)).status).toBe(204);
      expect(fixture.queued.at(-1)).toMatchObject({ task: 'forgetAll', destinationId });
    });
  });

  describe('alerts', () => {
    test('are listed, read and seen, and their settings changed', async () => {
      const owner = await newOwner();
      const { open } = makeStoredAlerts({ client: fixture.observer, tables: fixture.stack.tables });
      const { alertId } = await open(owner.workspaceId, { at: fixture.clock.now });
      const { body: alert } = await owner.get(`/alerts/${alertId}`);
      expect((await owner.get('/alerts')).body).toEqual({ alerts: [alert] });
      expect((await owner.get('/alerts', { query: { status: 'open' } })).body).toEqual({ alerts: [alert] });
      const { body: seen } = await owner.post(`/alerts/${alertId}/seen`);
      expect(seen).toMatchObject({ ...alert, seen: { by: 'you' } });
      const { body: changed } = await owner.put('/alert-settings', { body: { silence: { factor: 2 } } });
      expect((await owner.get('/alert-settings')).body).toEqual(changed);
    });
  });
}
