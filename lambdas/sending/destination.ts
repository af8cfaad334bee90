import { type ForwardedEvent, LEAD_EVENTS, receivedAtOf } from '../model/lead-events.ts';
import type { SuppressionReason } from '../recipients/recipient.ts';
import type { DestinationHealth } from './retry-schedule.ts';

export const DESTINATION_KINDS = ['webhook', 'slack', 'email'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const ALERT_EVENTS = ['alert.opened', 'alert.closed'] as const;
export type AlertEventType = (typeof ALERT_EVENTS)[number];

/** The events that an owner can choose. */
export const DESTINATION_EVENTS = [...LEAD_EVENTS, ...ALERT_EVENTS] as const;
export type DestinationEventType = (typeof DESTINATION_EVENTS)[number];

export function isAlertEvent(type: string): type is AlertEventType {
  return ALERT_EVENTS.some((event) => event === type);
}

/** For an owner who chooses none. A program that reads webhooks must be ready for alerts, people always are. */
export function defaultEvents(kind: DestinationKind): readonly DestinationEventType[] {
  return kind === 'webhook' ? ['lead.accepted'] : ['lead.accepted', ...ALERT_EVENTS];
}

/** What the watch announces. `leadId` is the alert's id, which begins with the time at which it was opened. */
export interface AlertEvent {
  readonly type: AlertEventType;
  readonly workspaceId: string;
  /** Absent if it is about the whole workspace or a destination. */
  readonly formId?: string | undefined;
  readonly leadId: string;
  readonly at: string;
  /** The destination that the alert is about, which does not get it. */
  readonly aboutDestination?: string | undefined;
}

/** `disabled`: the service stopped sending. `paused`: the owner did. Messages wait in both cases. */
export type DestinationStatus = 'active' | 'paused' | 'disabled';

/**
 * `gone`: it returned 410. `failing`: it failed for five days. The others are the recipient's: `stopped` used the link in
 * an email, `bounced` and `complained` were reported by SES.
 */
export type DisabledReason = 'gone' | 'failing' | SuppressionReason;

/** Of email. `stopped`: only the recipient can want these emails again, not the owner. */
export type Confirmation = 'pending' | 'confirmed' | 'stopped';

/** Where a workspace's lead events are sent. Signing secrets and Slack URLs are kept apart from it. */
export interface Destination {
  readonly workspaceId: string;
  readonly destinationId: string;
  readonly kind: DestinationKind;
  readonly name: string;
  /** Of a webhook. */
  readonly url?: string | undefined;
  /** The last characters of a Slack URL, to distinguish two of them. */
  readonly urlEnd?: string | undefined;
  /** The recipient of email. */
  readonly email?: string | undefined;
  /** Whether the recipient wants email. Absent if it was stored before recipients were asked: then it is `pending`. */
  readonly confirmation?: Confirmation | undefined;
  /** When the confirmation mail was sent. */
  readonly askedAt?: string | undefined;
  /** The mail could not be sent. It is not tried again before this time. */
  readonly askAgainAt?: string | undefined;
  /** Since when messages wait for the confirmation. */
  readonly heldSince?: string | undefined;
  /** The latest test messages that were asked for, oldest first. */
  readonly testedAt?: readonly string[] | undefined;
  /** The latest times at which a waiting message was sent at once, oldest first. */
  readonly triedAt?: readonly string[] | undefined;
  readonly events: readonly DestinationEventType[];
  readonly forms: 'all' | readonly string[];
  readonly onlyClean: boolean;
  /** Whether Slack and email messages contain the lead's fields. Webhooks always do. */
  readonly includeFields: boolean;
  readonly status: DestinationStatus;
  readonly disabledReason?: DisabledReason | undefined;
  readonly disabledAt?: string | undefined;
  readonly createdAt: string;
  /** Set while another destination of the workspace was slow: this one, or its new URL, first proves to be fast. */
  readonly slowStartAt?: string | undefined;
  /** When the current signing secret was made. */
  readonly secretSetAt?: string | undefined;
  readonly previousSecretWorksUntil?: string | undefined;
  readonly revision?: number;
}

/** Read by the send function alone. */
export interface DestinationSecret {
  readonly destinationId: string;
  /** `whsec_` and base64, as of Standard Webhooks. */
  readonly signingSecret?: string;
  readonly previousSecret?: string;
  readonly previousEndsAtMilliseconds?: number;
  readonly slackUrl?: string;
}

export function confirmationOf({ kind, confirmation = 'pending' }: Destination): Confirmation | undefined {
  return kind === 'email' ? confirmation : undefined;
}

/** Whether messages may be sent. All others wait. */
export function isReady(destination: Destination): boolean {
  return destination.status === 'active' && [undefined, 'confirmed'].includes(confirmationOf(destination));
}

/** Whether a destination uses the slow lane. Tenants cannot slow email down: the service sends it through SES. */
export function isStrained(
  { kind, slowStartAt }: Pick<Destination, 'kind' | 'slowStartAt'>,
  { strainedAt, clearedAt = '' }: Pick<DestinationHealth, 'strainedAt' | 'clearedAt'> = {},
): boolean {
  if (kind === 'email') return false;
  return strainedAt !== undefined || (slowStartAt !== undefined && clearedAt < slowStartAt);
}

/** How many destinations a workspace can have: dispatch reads them all in one call. */
export const MAX_DESTINATIONS = 20;

/** Whether a destination gets an event. One created after the lead was accepted does not. */
export function subscribesTo(destination: Destination, event: ForwardedEvent | AlertEvent): boolean {
  const { events, forms, onlyClean, createdAt, destinationId } = destination;
  const { type, formId, leadId } = event;
  if (!events.includes(type)) return false;
  if (forms !== 'all' && formId !== undefined && !forms.includes(formId)) return false;
  if ('aboutDestination' in event && event.aboutDestination === destinationId) return false;
  // Whether an erased lead was clean is no longer known, and its event contains only ids.
  const isLead = type === 'lead.accepted' || type === 'lead.enriched';
  if (isLead && onlyClean && event.clean !== true) return false;
  // The other destinations got the lead when it was received, even if the message has expired since.
  if ('madeClean' in event && event.madeClean && !onlyClean) return false;
  return Date.parse(createdAt) <= receivedAtOf(leadId);
}
