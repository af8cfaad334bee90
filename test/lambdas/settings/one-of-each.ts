import { randomUUID } from 'node:crypto';
import { messageId } from '#sending/message.ts';
import { makeMessages } from '#sending/messages-store.ts';
import { makeStoredAlerts } from '../alerts/stored-alerts.ts';
import type { Sender } from '../submission/workbench.ts';
import type { OwnerWorkbench } from './owner-workbench.ts';

/** Makes one of everything that a path can name, about a lead of the sender. Returns the ids by their name in a path. */
export async function oneOfEach(bench: OwnerWorkbench, sender: Sender, leadId: string) {
  const { workspaceId, formId, tokenId } = sender;
  await bench.newEnvironment().webhook({ ...sender, secret: 'wrong' });
  return {
    formId,
    tokenId,
    leadId,
    requestId: (await bench.rejectionsOf(workspaceId))[0]?.requestId ?? '',
    ...(await newMessage(bench, sender, leadId)),
    alertId: await newAlert(bench, sender),
    keyId: await newApiKey(bench, sender),
    memberId: await bench.join(workspaceId, randomUUID(), 'viewer'),
  };
}

/** To a destination that is unique to the workspace. */
async function newMessage(bench: OwnerWorkbench, { workspaceId, formId }: Sender, leadId: string) {
  const body = { kind: 'webhook', url: 'https://receiver.example.com/' };
  const { destinationId } = (await bench.ownerOf(workspaceId).post('/destinations', { body })).body;
  const key = { destinationId, leadId, type: 'lead.accepted' } as const;
  const { write } = makeMessages({ client: bench.observer, tables: bench.stack.tables });
  const createdAt = new Date(bench.clock.now).toISOString();
  const delivered = { status: 'delivered', attempts: [], countedAttempts: 1, createdAt } as const;
  await write({ ...key, ...delivered, workspaceId, formId }, undefined, AbortSignal.timeout(10_000));
  return { destinationId, messageId: messageId(key) };
}

async function newApiKey(bench: OwnerWorkbench, { workspaceId }: Sender): Promise<string> {
  const body = { name: 'Theirs', scopes: ['leads:read'] };
  return (await bench.ownerOf(workspaceId).post('/api-keys', { body })).body.keyId;
}

async function newAlert(bench: OwnerWorkbench, { workspaceId, formId }: Sender): Promise<string> {
  const { open } = makeStoredAlerts({ client: bench.observer, tables: bench.stack.tables });
  return (await open(workspaceId, { at: bench.clock.now, facts: { formId } })).alertId;
}

export const fillPath = (path: string, values: Readonly<Record<string, string>>) =>
  path.replace('/settings', '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
