import { randomUUID } from 'node:crypto';
import { messageId } from '#sending/message.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { makeStoredAlerts } from '../alerts/stored-alerts.ts';
import type { OwnerFixture } from '../owner-api/owner-fixture.ts';
import type { Sender } from '../submission/submission-fixture.ts';

/** Makes one of everything that a path can name, about a lead of the sender. Returns the ids by their name in a path. */
export async function oneOfEach(fixture: OwnerFixture, sender: Sender, leadId: string) {
  const { workspaceId, formId, tokenId } = sender;
  await fixture.newEnvironment().webhook({ ...sender, secret: 'wrong' });
  return {
    formId,
    tokenId,
    leadId,
    requestId: (await fixture.rejectionsOf(workspaceId))[0]?.requestId ?? '',
    ...(await newMessage(fixture, sender, leadId)),
    alertId: await newAlert(fixture, sender),
    keyId: await newApiKey(fixture, sender),
    memberId: await fixture.join(workspaceId, randomUUID(), 'viewer'),
  };
}

/** To a destination that is unique to the workspace. */
async function newMessage(fixture: OwnerFixture, { workspaceId, formId }: Sender, leadId: string) {
  const body = { kind: 'webhook', url: 'https://receiver.example.com/' };
  const { destinationId } = (await fixture.ownerOf(workspaceId).post('/destinations', { body })).body;
  const key = { destinationId, leadId, type: 'lead.accepted' } as const;
  const { write } = makeMessages({ client: fixture.observer, tables: fixture.stack.tables });
  const createdAt = new Date(fixture.clock.now).toISOString();
  const delivered = { status: 'delivered', attempts: [], countedAttempts: 1, createdAt } as const;
  const message = { ...key, ...delivered, workspaceId, formId };
  await write(message, undefined, AbortSignal.timeout(10_000));
  // What can be tried at once.
  const due = { status: 'waiting', nextAttemptAt: createdAt, dueAt: fixture.clock.now } as const;
  await write({ ...message, type: 'lead.enriched', ...due }, undefined, AbortSignal.timeout(10_000));
  return { destinationId, messageId: messageId(key) };
}

async function newApiKey(fixture: OwnerFixture, { workspaceId }: Sender): Promise<string> {
  const body = { name: 'Theirs', scopes: ['leads:read'] };
  return (await fixture.ownerOf(workspaceId).post('/api-keys', { body })).body.keyId;
}

async function newAlert(fixture: OwnerFixture, { workspaceId, formId }: Sender): Promise<string> {
  const { open } = makeStoredAlerts({ client: fixture.observer, tables: fixture.stack.tables });
  return (await open(workspaceId, { at: fixture.clock.now, facts: { formId } })).alertId;
}

export const fillPath = (path: string, values: Readonly<Record<string, string>>) =>
  path.replace('/settings', '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
