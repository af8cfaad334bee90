import type { Message, MessageStatus, MessageType } from '#console/api/types.ts';
import { EVENT_WORDS } from '../destination-words.ts';

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
    detail: 'It waits until the destination works again or is active again.',
  },
  failed: { type: 'error', text: 'Failed', detail: 'It won’t be retried automatically. You can replay it.' },
  cancelled: { type: 'stopped', text: 'Canceled', detail: 'The lead was deleted before it could be sent.' },
};

export function messageTypeName(type: MessageType): string {
  return type === 'destination.test' ? 'Test event' : EVENT_WORDS[type].name;
}

/** Where the lead of a message can be read, if it can. */
export function leadHref({ type, formId, submissionId }: Message): string | undefined {
  if (type === 'destination.test' || type === 'lead.erased') return undefined;
  if (formId === undefined || submissionId === undefined) return undefined;
  return `/forms/${encodeURIComponent(formId)}/leads/${encodeURIComponent(submissionId)}`;
}

/** The lead of a canceled message is gone, so there is nothing left to send. */
export const canReplay = ({ status }: Message) => status !== 'cancelled';
