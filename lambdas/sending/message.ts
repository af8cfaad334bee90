import { DESTINATION_EVENTS, type DestinationEventType } from './destination.ts';

/** `destination.test` is sent when the owner asks for it. */
export type MessageType = DestinationEventType | 'destination.test';

/**
 * `waiting`: it failed and will be retried. `parked`: it waits until its destination works again. `failed`: all
 * attempts were used. `cancelled`: the lead was deleted before it could be sent.
 */
export type MessageStatus = 'delivered' | 'waiting' | 'parked' | 'failed' | 'cancelled';

export const MESSAGE_STATUSES = ['delivered', 'waiting', 'parked', 'failed', 'cancelled'] as const;

/** One event for one destination. Destination, lead or alert, and type are its identity. */
export interface MessageKey {
  readonly destinationId: string;
  /** Of an alert: its id. */
  readonly leadId: string;
  readonly type: MessageType;
}

export interface Attempt {
  readonly at: string;
  readonly milliseconds: number;
  /** The HTTP status of the response; absent if there was none. */
  readonly status?: number | undefined;
  /** Why there was no response, or why it does not count: `timeout`, `connection_refused`. */
  readonly error?: string | undefined;
}

export interface Message extends MessageKey {
  readonly workspaceId: string;
  readonly formId?: string | undefined;
  readonly status: MessageStatus;
  /** The newest ones, oldest first. */
  readonly attempts: readonly Attempt[];
  /** Those that count towards the limit: probes do not. */
  readonly countedAttempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt?: string | undefined;
  /** The first bytes of the last failure's response. */
  readonly answerExcerpt?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly revision: number;
}

const TYPES: readonly MessageType[] = [...DESTINATION_EVENTS, 'destination.test'];
const SHORT = (type: MessageType) => type.slice(type.indexOf('.') + 1);

/** Stable over retries, and without a dot: Standard Webhooks signs `id.timestamp.body`. */
export function messageId({ destinationId, leadId, type }: MessageKey): string {
  return `msg_${destinationId.replace(/^dest_/, '')}_${leadId.replaceAll('-', '')}_${SHORT(type)}`;
}

const MESSAGE_ID =
  /^msg_([0-9A-Za-z]{1,40})_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([a-z]+)$/;

/** Undefined for a text that is no message id. */
export function parseMessageId(text: string): MessageKey | undefined {
  const match = MESSAGE_ID.exec(text);
  const type = TYPES.find((each) => SHORT(each) === match?.[7]);
  if (!match || !type) return undefined;
  return { destinationId: `dest_${match[1]}`, leadId: match.slice(2, 7).join('-'), type };
}

/** What the send function is asked to do. */
export type SendTask =
  | ({ readonly task: 'send'; readonly workspaceId: string; readonly mode?: SendMode } & MessageKey & {
        readonly formId?: string | undefined;
        readonly at: string;
        /** On the queue for destinations that respond slowly. */
        readonly lane?: 'slow';
      })
  /** Look at what waits for a destination: probe it if its breaker is open, else send what is due. */
  | {
      readonly task: 'wake';
      readonly workspaceId: string;
      readonly destinationId: string;
      readonly size?: number;
      readonly resumed?: boolean;
    }
  /** Send again what failed or waits, from a lead id on. */
  | {
      readonly task: 'replay';
      readonly workspaceId: string;
      readonly destinationId: string;
      readonly from: string;
    }
  /** Ask the recipient of email whether they want it. */
  | {
      readonly task: 'confirm';
      readonly workspaceId: string;
      readonly destinationId: string;
      /** The caller may know who is a member: then the address of one counts as confirmed. */
      readonly seesMembers?: boolean;
      /** A message waits for the confirmation. */
      readonly held?: boolean;
    }
  /** The lead was erased: delete what responses may have repeated of it. */
  | {
      readonly task: 'forget';
      readonly workspaceId: string;
      readonly destinationId: string;
      readonly leadId: string;
    }
  /** The destination was deleted: delete what its responses may have repeated of leads, from a lead id on. */
  | {
      readonly task: 'forgetAll';
      readonly workspaceId: string;
      readonly destinationId: string;
      readonly from: string;
    };

export type SendMessageTask = Extract<SendTask, { task: 'send' }>;

export function isInSlowLane(task: SendTask | undefined): task is SendMessageTask {
  return task?.task === 'send' && task.lane === 'slow';
}

/**
 * `probe` and `try` ignore the open breaker: the service plans a probe, and an owner asks for a try, which changes no plan.
 * `replay` also sends what is delivered, failed or cancelled.
 */
export type SendMode = 'retry' | 'probe' | 'try' | 'replay';

/** Undefined if the body is unreadable, which no retry can change. */
export function parseSendTask(body: string): SendTask | undefined {
  try {
    const task = JSON.parse(body) as SendTask;
    return ['send', 'wake', 'replay', 'confirm', 'forget', 'forgetAll'].includes(task.task) &&
      typeof task.destinationId === 'string'
      ? task
      : undefined;
  } catch {
    return undefined;
  }
}
