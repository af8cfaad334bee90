import { ASK_EVERY_MS, addressHash } from '../../recipients/recipient.ts';
import type { RecipientStore } from '../../recipients/recipients-store.ts';
import { confirmationOf, type Destination } from '../destination.ts';
import type { DestinationReader } from '../destinations-store.ts';
import type { SendTask } from '../message.ts';
import type { RecipientState } from '../recipient-state-store.ts';
import type { SendQueue } from '../send-queue-store.ts';
import type { RecipientMailer } from './recipient-mailer.ts';

type ConfirmTask = Extract<SendTask, { task: 'confirm' }>;

export interface AskDependencies {
  readonly destinationList: DestinationReader;
  readonly recipients: Omit<RecipientStore, 'keepLink'>;
  readonly recipientState: RecipientState;
  readonly mailer: RecipientMailer | undefined;
  readonly queue: SendQueue;
  readonly now: () => number;
}

/** `settled`: there is nothing to ask. `too_soon`: the address was asked within a day. `refused`: by SES. */
export type AskOutcome = 'settled' | 'stopped' | 'confirmed' | 'too_soon' | 'refused' | 'asked';

const AFTER_REFUSAL_MS = 60 * 60 * 1000;

/** Sends the confirmation mail of an email destination, if one is needed and allowed. */
export async function askRecipient(
  task: ConfirmTask,
  { destinationList, recipients, recipientState, mailer, queue, now }: AskDependencies,
  signal: AbortSignal,
): Promise<AskOutcome> {
  const { workspaceId, destinationId, held = false } = task;
  const destinations = await destinationList.list(workspaceId, signal);
  const destination = destinations.find((each) => each.destinationId === destinationId);
  if (destination?.email === undefined || confirmationOf(destination) !== 'pending') return 'settled';
  const { email } = destination;
  const hash = addressHash(email);
  if (await recipients.isSuppressed(workspaceId, hash, signal)) {
    await recipientState.stop(destination, 'stopped', now(), signal);
    return 'stopped';
  }
  // A destination that is older than confirmations does not say who created it.
  const seesMembers = task.seesMembers === true || destination.confirmation === undefined;
  if (seesMembers && (await recipients.isMember(workspaceId, email, signal))) {
    const isConfirmed = await recipientState.confirm(destination, signal);
    if (isConfirmed) {
      await queue.add([{ task: { task: 'wake', workspaceId, destinationId, resumed: true } }], signal);
    }
    return 'confirmed';
  }
  const claimedAt = now();
  const later = (milliseconds: number) => ({ askAgainAt: new Date(claimedAt + milliseconds).toISOString() });
  const wait = (times: Pick<Destination, 'askedAt' | 'askAgainAt'>) =>
    recipientState.wait(
      destination,
      { ...times, ...(held && { heldSince: new Date(claimedAt).toISOString() }) },
      signal,
    );
  if (!mailer) {
    await wait(later(AFTER_REFUSAL_MS));
    return 'refused';
  }
  if (!(await recipients.claimAsking(hash, claimedAt, signal))) {
    await wait(later(ASK_EVERY_MS));
    return 'too_soon';
  }
  const { status = 0, error } = await mailer.ask(destination, signal);
  if (error === undefined) {
    await wait({ askedAt: new Date(claimedAt).toISOString() });
    return 'asked';
  }
  await recipients.releaseAsking(hash, claimedAt, signal);
  // The queue repeats what may be different in a moment.
  if (status < 400 || status >= 500 || status === 429) throw new Error(`SES did not send: ${error}`);
  await wait(later(AFTER_REFUSAL_MS));
  return 'refused';
}

/** A message has to wait: makes sure that the recipient was asked, and that it is known since when messages wait. */
export async function askIfNeeded(
  destination: Destination,
  { queue, now }: Pick<AskDependencies, 'queue' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  const { workspaceId, destinationId, status, askedAt, askAgainAt, heldSince } = destination;
  if (status !== 'active' || confirmationOf(destination) !== 'pending') return;
  const isDue = askedAt === undefined && (askAgainAt === undefined || Date.parse(askAgainAt) <= now());
  if (heldSince !== undefined && !isDue) return;
  await queue.add([{ task: { task: 'confirm', workspaceId, destinationId, held: true } }], signal);
}
