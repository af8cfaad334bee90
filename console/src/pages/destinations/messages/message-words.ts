import type { Attempt, Message, MessageStatus, MessageType } from '#console/api/types.ts';
import { EVENT_WORDS } from '../destinations.ts';

interface StatusWords {
  readonly type: 'success' | 'pending' | 'error' | 'stopped';
  readonly text: string;
  readonly detail: string;
}

export const MESSAGE_STATUS_WORDS: Readonly<Record<MessageStatus, StatusWords>> = {
  delivered: { type: 'success', text: 'Delivered', detail: 'The receiver accepted it.' },
  waiting: { type: 'pending', text: 'Retrying', detail: 'An attempt failed. It will be retried.' },
  parked: {
    type: 'pending',
    text: 'On hold',
    detail: 'It will be sent when the destination works again or is reactivated.',
  },
  failed: { type: 'error', text: 'Failed', detail: 'It won’t be retried automatically. You can replay it.' },
  cancelled: { type: 'stopped', text: 'Canceled', detail: 'The lead was deleted before it could be sent.' },
};

export function messageTypeName(type: MessageType): string {
  return type === 'destination.test' ? 'Test event' : EVENT_WORDS[type].name;
}

interface MessageSubject {
  readonly name: 'Lead' | 'Alert';
  readonly id: string;
  /** Absent if it can't be shown, because it was erased or never existed. */
  readonly href?: string;
}

/** What a message is about: a lead, or else an alert. */
export function messageSubject({ type, formId, submissionId, alertId }: Message): MessageSubject {
  if (submissionId === undefined) {
    const id = alertId ?? '';
    return { name: 'Alert', id, href: `/alerts?alert=${encodeURIComponent(id)}` };
  }
  const subject = { name: 'Lead', id: submissionId } as const;
  if (type === 'destination.test' || type === 'lead.erased' || formId === undefined) return subject;
  return {
    ...subject,
    href: `/forms/${encodeURIComponent(formId)}/leads/${encodeURIComponent(submissionId)}`,
  };
}

/** The lead of a canceled message is gone, so there is nothing left to send. */
export const canReplay = ({ status }: Message) => status !== 'cancelled';

interface ResultWords {
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

const ERRORS: Readonly<Record<string, ResultWords>> = {
  timeout: {
    text: 'No response within 10 seconds',
    advice: 'Respond first, then process the message.',
  },
  connection_refused: {
    text: 'Connection refused',
    advice: 'Check that the receiver is running.',
  },
  connection_reset: {
    text: 'Connection closed before a response',
    advice: 'Check the receiver’s log.',
  },
  name_not_found: { text: 'Host name not found', advice: 'Check the URL and its DNS record.' },
  dns_timeout: { text: 'DNS lookup timed out', advice: 'Check the name servers of the domain.' },
  dns_failed: { text: 'DNS lookup failed', advice: 'Check the name servers of the domain.' },
  unreachable: { text: 'Host unreachable', advice: 'Check that the receiver is online.' },
  address_not_public: {
    text: 'Address not public',
    advice: 'The host name must have only public IPv4 addresses.',
  },
  tls_failed: { text: 'TLS certificate not accepted', advice: 'Check that the certificate is valid.' },
  upgrade_not_supported: {
    text: 'The receiver tried to switch to another protocol',
    advice: 'Use the URL of an HTTP endpoint, not of a WebSocket.',
  },
  redirect_not_followed: { text: 'Redirects aren’t followed', advice: 'Use the final URL.' },
  not_configured: {
    text: 'Not configured',
    advice: 'Its secret, URL or email sender is missing. Create the destination again.',
  },
  request_failed: { text: 'Request failed', advice: 'Check the receiver’s log.' },
};

const SES_ERRORS: Readonly<Record<string, ResultWords>> = {
  MessageRejected: {
    text: 'Email rejected',
    advice: 'The recipient may not be verified. Contact the service operator.',
  },
  TooManyRequestsException: { text: 'Too many emails at once' },
  LimitExceededException: { text: 'Email limit reached', advice: 'Contact the service operator.' },
  AccountSuspendedException: { text: 'Sending email is suspended', advice: 'Contact the service operator.' },
  SendingPausedException: { text: 'Sending email is paused', advice: 'Contact the service operator.' },
  MailFromDomainNotVerifiedException: {
    text: 'The email sender isn’t verified',
    advice: 'Contact the service operator.',
  },
};

const STATUSES: Readonly<Record<number, ResultWords>> = {
  400: { text: 'Bad request', advice: 'The receiver doesn’t accept the message. Check its log.' },
  401: { text: 'Unauthorized', advice: 'Check that the receiver uses the current signing secret.' },
  403: { text: 'Forbidden', advice: 'Check the receiver’s firewall and signing secret.' },
  404: { text: 'Not found', advice: 'Check the path of the URL.' },
  405: { text: 'Method not allowed', advice: 'The receiver must accept POST.' },
  410: { text: 'Gone', advice: 'The receiver no longer accepts messages.' },
  413: { text: 'Too large', advice: 'The receiver must accept larger bodies.' },
  429: { text: 'Too many requests' },
};

const own = <T>(table: Readonly<Record<string, T>>, key: string | number): T | undefined =>
  Object.hasOwn(table, key) ? table[key as string] : undefined;

/** The result of one attempt in plain words. */
export function attemptWords({ status, error }: Pick<Attempt, 'status' | 'error'>): ResultWords {
  if (error?.startsWith('ses_')) {
    const name = error.slice('ses_'.length);
    return (
      own(SES_ERRORS, name) ?? {
        text: `Couldn’t send email (${name})`,
        advice: 'Contact the service operator.',
      }
    );
  }
  if (error !== undefined) {
    const words = own(ERRORS, error) ?? { text: `Failed (${error})` };
    return status === undefined ? words : withStatus(status, words);
  }
  if (status === undefined) return { text: 'No response' };
  if (status >= 200 && status < 300) return { text: `HTTP ${status}` };
  const known = own<ResultWords>(STATUSES, status);
  if (known) return withStatus(status, known);
  if (status >= 500) {
    return withStatus(status, { text: 'Error in the receiver', advice: 'Check the receiver’s log.' });
  }
  return { text: `HTTP ${status}` };
}

function withStatus(status: number, { text, ...rest }: ResultWords): ResultWords {
  return { text: `HTTP ${status}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`, ...rest };
}

/** 87 ms, 1.2 s */
export function durationText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
