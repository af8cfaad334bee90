import type { DestinationEventType } from '#sending/destination.ts';
import type { Destination, DestinationHealth, DestinationKind } from '../../api/types.ts';

export const DESTINATIONS_PATH = '/settings/destinations';

export function destinationPath(destinationId: string): string {
  return `${DESTINATIONS_PATH}/${encodeURIComponent(destinationId)}`;
}

export function messagePath(messageId: string): string {
  return `/settings/messages/${encodeURIComponent(messageId)}`;
}

export const destinationHref = (destinationId: string) =>
  `/destinations/${encodeURIComponent(destinationId)}`;

export const KIND_NAMES: Readonly<Record<DestinationKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'Email',
};

interface EventWords {
  readonly name: string;
  readonly description: string;
}

export const EVENT_WORDS: Readonly<Record<DestinationEventType, EventWords>> = {
  'lead.accepted': { name: 'Lead accepted', description: 'A form accepted a lead.' },
  'lead.enriched': { name: 'Lead enriched', description: 'Enrichment added facts to a clean lead.' },
  'lead.erased': {
    name: 'Lead erased',
    description: 'You deleted a lead. Contains only IDs, so receivers can delete it too.',
  },
  'alert.opened': { name: 'Alert opened', description: 'Something needs your attention.' },
  'alert.closed': { name: 'Alert closed', description: 'An alert is resolved.' },
};

/** Where messages go. A Slack URL works like a password, so only its end is known here. */
export function addressText({ kind, url, urlEnd, email }: Destination): string {
  if (kind === 'webhook') return url ?? '–';
  if (kind === 'email') return email ?? '–';
  return urlEnd === undefined ? 'hooks.slack.com' : `hooks.slack.com/…${urlEnd}`;
}

export function eventsText({ events }: Pick<Destination, 'events'>): string {
  return events.map((event) => EVENT_WORDS[event].name).join(', ');
}

export function formsText(
  { forms }: Pick<Destination, 'forms'>,
  nameOf: (formId: string) => string | undefined,
): string {
  if (forms === 'all') return 'All forms';
  return forms.map((formId) => nameOf(formId) ?? formId).join(', ');
}

interface StateWords {
  readonly type: 'success' | 'warning' | 'error' | 'stopped' | 'pending';
  readonly text: string;
  /** Absent if all is well, like the detail. */
  readonly brief?: string;
  /** What it means and what to do. */
  readonly detail?: string;
}

const GONE: StateWords = {
  type: 'error',
  text: 'Disabled',
  brief: 'It returned 410 Gone.',
  detail:
    'It returned 410 Gone, which means that it no longer accepts messages. Check the URL, then activate the destination again. New messages are on hold until then.',
};

const FAILED_FOR_DAYS: StateWords = {
  type: 'error',
  text: 'Disabled',
  brief: 'It failed for five days.',
  detail:
    'All attempts failed for five days. Fix the receiver, then activate the destination again. New messages are on hold until then.',
};

const PAUSED: StateWords = {
  type: 'stopped',
  text: 'Paused',
  brief: 'Messages are on hold.',
  detail: 'New messages are on hold until you resume it.',
};

const HEALTH: Readonly<Record<DestinationHealth['state'], StateWords>> = {
  ok: { type: 'success', text: 'Active' },
  failing: {
    type: 'warning',
    text: 'Failing',
    brief: 'Messages are retried.',
    detail: 'The last attempt failed. Failed messages are retried automatically.',
  },
  unreachable: {
    type: 'error',
    text: 'Unreachable',
    brief: 'Messages are on hold until it works again.',
    detail:
      'Several attempts in a row failed, so new messages are on hold. It’s tried at least once an hour, and the messages are sent once it works again. After five days of failures it’s disabled.',
  },
};

const SLOW: StateWords = {
  type: 'warning',
  text: 'Slow',
  brief: 'Messages may arrive late.',
  detail:
    'A response took longer than 3 seconds. So that others don’t have to wait, messages to this destination are now sent a few at a time, and can arrive late. It’s back to normal after ten fast responses in a row.',
};

const ANOTHER_ADDRESS =
  'To send to somebody else, edit the destination. If the recipient wants these emails again, they can ask the service operator.';

const DISABLED: Readonly<Record<NonNullable<Destination['disabledReason']>, StateWords>> = {
  gone: GONE,
  failing: FAILED_FOR_DAYS,
  stopped: {
    type: 'error',
    text: 'Stopped',
    brief: 'The recipient stopped the emails.',
    detail: `The recipient doesn’t want these emails, so nothing is sent to this address. ${ANOTHER_ADDRESS}`,
  },
  bounced: {
    type: 'error',
    text: 'Bounced',
    brief: 'The address doesn’t exist.',
    detail: `The mail server says that this address doesn’t exist. Check it and correct it. ${ANOTHER_ADDRESS}`,
  },
  complained: {
    type: 'error',
    text: 'Marked as spam',
    brief: 'The recipient marked an email as spam.',
    detail: `The recipient marked an email as spam, so nothing is sent to this address. ${ANOTHER_ADDRESS}`,
  },
};

/** Whether somebody other than the owner decides about it: the recipient of email. */
export const isStoppedByRecipient = ({ confirmation }: Pick<Destination, 'confirmation'>) =>
  confirmation === 'stopped';

const ASKED: StateWords = {
  type: 'pending',
  text: 'Not confirmed',
  brief: 'The recipient must confirm first.',
  detail:
    'We sent the recipient an email with a link to confirm, which works for 7 days. Messages are on hold until then.',
};

const NOT_ASKED: StateWords = {
  ...ASKED,
  detail:
    'The recipient must confirm first, and hasn’t been asked yet: an address gets at most one confirmation email per day. Messages are on hold until then.',
};

/** Status and health as one state: health matters only while messages are sent. */
export function stateWords(
  destination: Pick<
    Destination,
    'status' | 'disabledReason' | 'confirmation' | 'confirmationSentAt' | 'health'
  >,
): StateWords {
  const { status, disabledReason = 'failing', confirmation, confirmationSentAt, health } = destination;
  if (status === 'disabled') return DISABLED[disabledReason];
  if (status === 'paused') return PAUSED;
  if (confirmation === 'pending') return confirmationSentAt === undefined ? NOT_ASKED : ASKED;
  return health.state === 'ok' && health.slowSince !== undefined ? SLOW : HEALTH[health.state];
}

const REFUSED: StateWords = {
  type: 'warning',
  text: 'Retrying',
  detail: 'Some messages weren’t accepted and are retried. See below why.',
};

/** For the notice above: a destination that works can still have messages that wait. */
export function alertWords(
  destination: Parameters<typeof stateWords>[0] & Pick<Destination, 'waiting'>,
): StateWords {
  const words = stateWords(destination);
  return words.detail === undefined && destination.waiting ? REFUSED : words;
}

/** A complete receiver, for the owner's developers. */
export const VERIFY_SNIPPET = `// npm install standardwebhooks
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SIGNING_SECRET);

createServer(async (request, response) => {
  // The signature covers the exact bytes: verify first, then parse.
  const body = await text(request);
  try {
    const { type, data } = webhook.verify(body, request.headers);
    // The same webhook-id can arrive twice: store it and skip repeats.
    console.log(request.headers['webhook-id'], type, data.lead.submissionId);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(process.env.PORT ?? 4000);
`;

export const HEADER_WORDS = [
  { name: 'webhook-id', meaning: 'The ID of the message. Retries and replays have the same one.' },
  { name: 'webhook-timestamp', meaning: 'When this attempt was made, in seconds since 1970.' },
  {
    name: 'webhook-signature',
    meaning:
      'One or two signatures, separated by a space: v1, a comma, and the base64 HMAC-SHA256 of “id.timestamp.body”. The key is the base64-decoded part after whsec_. One match is enough.',
  },
];
