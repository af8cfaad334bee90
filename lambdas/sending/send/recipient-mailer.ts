import type { BoundedMap } from '../../aws/bounded-map.ts';
import { confirmationLetter, type Letter, type Message, messageLetter } from '../../recipients/letters.ts';
import {
  addressHash,
  CONFIRM_WITHIN_MS,
  makeToken,
  type RecipientLink,
  TOKEN_BYTES,
} from '../../recipients/recipient.ts';
import type { RecipientStore } from '../../recipients/recipients-store.ts';
import type { Destination } from '../destination.ts';
import type { Mailer } from '../mail-store.ts';
import type { OutboundResult } from '../outbound-http.ts';
import type { SendingReader } from './read-for-sending-store.ts';

export interface RecipientMailerDependencies {
  readonly mailer: Mailer;
  readonly store: Pick<RecipientStore, 'keepLink'>;
  readonly reader: Pick<SendingReader, 'workspaceName'>;
  /** Where links lead, without a slash at the end: the settings API. */
  readonly linksUrl: string;
  /** The links of this environment by destination and address: one token in each environment, not one in each mail. */
  readonly stopLinks: BoundedMap<Promise<string>>;
  readonly newBytes: (count: number) => Uint8Array;
  readonly now: () => number;
}

/** Mails to the recipients of destinations. Each names the workspace and can be stopped. */
export interface RecipientMailer {
  send(to: Destination, message: Message, signal: AbortSignal): Promise<OutboundResult>;
  /** Asks for the confirmation. */
  ask(to: Destination, signal: AbortSignal): Promise<OutboundResult>;
}

export function makeRecipientMailer(dependencies: RecipientMailerDependencies): RecipientMailer {
  const { mailer, store, reader, linksUrl, stopLinks, newBytes, now } = dependencies;

  /** Stored before it is mailed, as a hash: only the mail and this environment know the token. */
  async function newLink(
    { workspaceId, destinationId, email = '' }: Destination,
    link: Pick<RecipientLink, 'purpose' | 'everywhere' | 'expiresAt'>,
    signal: AbortSignal,
  ): Promise<string> {
    const token = makeToken(newBytes(TOKEN_BYTES));
    const bound = { workspaceId, destinationId, addressHash: addressHash(email), ...link };
    await store.keepLink(token, bound, signal);
    return `${linksUrl}/mail/${token}`;
  }

  function stopLink(destination: Destination, signal: AbortSignal): Promise<string> {
    const key = `${destination.destinationId} ${destination.email}`;
    const known = stopLinks.get(key);
    if (known !== undefined) return known;
    const url = newLink(destination, { purpose: 'stop' }, signal);
    stopLinks.set(key, url);
    url.catch(() => stopLinks.delete(key));
    return url;
  }

  async function nameOf({ workspaceId }: Destination, signal: AbortSignal): Promise<string> {
    return (await reader.workspaceName(workspaceId, signal)) ?? '';
  }

  function post(
    { email = '', workspaceId, destinationId }: Destination,
    letter: Letter,
    signal: AbortSignal,
  ) {
    return mailer.send({ to: email, ...letter, tags: { workspaceId, destinationId } }, signal);
  }

  return {
    async send(destination, message, signal) {
      const [workspaceName, stopUrl] = await Promise.all([
        nameOf(destination, signal),
        stopLink(destination, signal),
      ]);
      return post(destination, messageLetter(message, { workspaceName, stopUrl }), signal);
    },

    async ask(destination, signal) {
      const expiresAt = Math.floor((now() + CONFIRM_WITHIN_MS) / 1000);
      const [workspaceName, confirmUrl, stopUrl] = await Promise.all([
        nameOf(destination, signal),
        newLink(destination, { purpose: 'confirm', expiresAt }, signal),
        newLink(destination, { purpose: 'stop', everywhere: true }, signal),
      ]);
      return post(destination, confirmationLetter({ workspaceName, confirmUrl, stopUrl }), signal);
    },
  };
}
