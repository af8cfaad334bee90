import { invalidPage, type Page, questionPage, respondWithPage } from '../../recipients/pages.ts';
import { addressHash, isToken, type RecipientLink } from '../../recipients/recipient.ts';
import type { RecipientLinks } from '../../recipients/recipients-store.ts';
import type { RecipientState } from '../recipient-state-store.ts';
import type { SendQueue } from '../send-queue-store.ts';

export interface LinkDependencies {
  readonly links: RecipientLinks;
  readonly state: RecipientState;
  readonly queue: SendQueue;
  readonly now: () => number;
}

/** What became of a request, for the log. */
export interface LinkResponse {
  readonly page: Page;
  readonly code: 'invalid' | 'shown' | 'confirmed' | 'stopped';
  readonly workspaceId?: string;
  readonly destinationId?: string;
}

const INVALID: LinkResponse = { page: invalidPage(), code: 'invalid' };

/** GET asks and changes nothing. POST does what the link is for, as often as it is repeated. */
export async function respondToLink(
  method: string,
  token: string,
  dependencies: LinkDependencies,
  signal: AbortSignal,
): Promise<LinkResponse> {
  const { links, now } = dependencies;
  const link = isToken(token) ? await links.find(token, signal) : undefined;
  if (!link || (link.expiresAt !== undefined && link.expiresAt * 1000 <= now())) return INVALID;
  const { workspaceId, destinationId, purpose } = link;
  if (method !== 'POST') return { page: questionPage(purpose), code: 'shown', workspaceId, destinationId };
  if (purpose === 'confirm' && !(await confirm(link, dependencies, signal))) return INVALID;
  if (purpose === 'stop') await stop(link, dependencies, signal);
  const code = purpose === 'confirm' ? 'confirmed' : 'stopped';
  return { page: respondWithPage(purpose), code, workspaceId, destinationId };
}

/** False if there is nothing to confirm any more: the destination is gone, has another address, or was stopped. */
async function confirm(
  { workspaceId, destinationId, addressHash: hash }: RecipientLink,
  { state, queue }: LinkDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const destination = await state.find(workspaceId, destinationId, signal);
  if (destination?.email === undefined || addressHash(destination.email) !== hash) return false;
  const isNew = await state.confirm(destination, signal);
  if (!isNew && destination.confirmation !== 'confirmed') return false;
  // Also if it was confirmed before: the first request may have died here.
  await queue.add([{ task: { task: 'wake', workspaceId, destinationId, resumed: isNew } }], signal);
  return true;
}

/** The suppression first: it counts even if the destination is gone or belongs to somebody else by now. */
async function stop(
  { workspaceId, destinationId, addressHash: hash, everywhere }: RecipientLink,
  { links, state, now }: LinkDependencies,
  signal: AbortSignal,
): Promise<void> {
  const scope = everywhere ? {} : { workspaceId };
  const at = new Date(now()).toISOString();
  await links.suppress({ addressHash: hash, ...scope, reason: 'stopped', at }, signal);
  const destination = await state.find(workspaceId, destinationId, signal);
  if (destination?.email === undefined || addressHash(destination.email) !== hash) return;
  await state.stop(destination, 'stopped', now(), signal);
}
