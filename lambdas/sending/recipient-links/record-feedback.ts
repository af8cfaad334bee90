import { addressHash, type SuppressionReason, sameAddress } from '../../recipients/recipient.ts';
import type { RecipientLinks } from '../../recipients/recipients-store.ts';
import type { RecipientState } from '../recipient-state-store.ts';

/** The part of an SES event that counts: https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export interface FeedbackEvent {
  readonly source: 'aws.ses';
  readonly detail: {
    readonly eventType?: string;
    readonly mail?: { readonly tags?: Readonly<Record<string, readonly string[]>> };
    readonly bounce?: { readonly bounceType?: string; readonly bouncedRecipients?: readonly Recipient[] };
    readonly complaint?: { readonly complainedRecipients?: readonly Recipient[] };
  };
}

interface Recipient {
  readonly emailAddress?: string;
}

export interface FeedbackDependencies {
  readonly links: Pick<RecipientLinks, 'suppress'>;
  readonly state: Pick<RecipientState, 'find' | 'stop'>;
  /** Makes the watch check the workspace for alerts, even if it gets no leads. */
  readonly watchWorkspace: (workspaceId: string, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

export interface FeedbackOutcome {
  readonly reason: SuppressionReason | 'ignored';
  readonly workspaceId?: string | undefined;
  readonly destinationId?: string | undefined;
  /** Whether it disabled the destination. */
  readonly disabled: boolean;
}

/** A mail bounced for good, or its recipient complained: the address gets no more mail from any workspace. */
export async function recordFeedback(
  { detail }: FeedbackEvent,
  { links, state, watchWorkspace, now }: FeedbackDependencies,
  signal: AbortSignal,
): Promise<FeedbackOutcome> {
  const { reason, addresses } = readFeedback(detail);
  const [workspaceId] = detail.mail?.tags?.workspaceId ?? [];
  const [destinationId] = detail.mail?.tags?.destinationId ?? [];
  if (reason === undefined) return { reason: 'ignored', workspaceId, destinationId, disabled: false };
  const at = new Date(now()).toISOString();
  for (const address of addresses) {
    await links.suppress({ addressHash: addressHash(address), reason, at }, signal);
  }
  if (workspaceId === undefined || destinationId === undefined) return { reason, disabled: false };
  const destination = await state.find(workspaceId, destinationId, signal);
  // Events come late: the destination may have another address by now.
  const isAbout = destination && addresses.some((address) => sameAddress(address, destination.email));
  const disabled = isAbout ? await state.stop(destination, reason, now(), signal) : false;
  if (disabled) await watchWorkspace(workspaceId, signal);
  return { reason, workspaceId, destinationId, disabled };
}

/** A mailbox that is full or a server that is away (`Transient`) does not mean that the address is wrong. */
function readFeedback({ eventType, bounce, complaint }: FeedbackEvent['detail']) {
  const addressesOf = (recipients: readonly Recipient[] = []) =>
    recipients.flatMap(({ emailAddress }) => (emailAddress === undefined ? [] : [emailAddress]));
  if (eventType === 'Complaint') {
    return { reason: 'complained', addresses: addressesOf(complaint?.complainedRecipients) } as const;
  }
  return eventType === 'Bounce' && bounce?.bounceType === 'Permanent'
    ? ({ reason: 'bounced', addresses: addressesOf(bounce.bouncedRecipients) } as const)
    : { reason: undefined, addresses: [] };
}
