import { confirmationOf, type Destination, isAlertEvent, isReady, isStrained } from './destination.ts';
import { type Message, messageId } from './message.ts';
import type { DestinationHealth } from './retry-schedule.ts';

/** What leaves the service. Attributes are listed one by one: a signing secret or Slack URL is never among them. */
export function destinationView(
  destination: Destination,
  health: DestinationHealth | undefined,
  nowMilliseconds: number,
) {
  const { destinationId, kind, name, url, urlEnd, email, events, forms, onlyClean, includeFields } =
    destination;
  const { status, disabledReason, disabledAt, createdAt, secretSetAt, previousSecretWorksUntil } =
    destination;
  return {
    destinationId,
    kind,
    name,
    url,
    urlEnd,
    email,
    confirmation: confirmationOf(destination),
    confirmationSentAt: destination.askedAt,
    events,
    forms,
    onlyClean,
    includeFields,
    status,
    disabledReason,
    disabledAt,
    createdAt,
    secretSetAt,
    ...(Date.parse(previousSecretWorksUntil ?? '') > nowMilliseconds && { previousSecretWorksUntil }),
    health: healthView(destination, health),
  };
}

interface HealthView {
  readonly state: 'ok' | 'failing' | 'unreachable';
  readonly failingSince?: string | undefined;
  /** Its messages use the slow lane. */
  readonly slowSince?: string | undefined;
}

/** `unreachable`: messages wait until a probe succeeds. `failing`: the last attempts failed. */
function healthView(destination: Destination, health: DestinationHealth = {}): HealthView {
  const { failingSince, openedAt, strainedAt = destination.slowStartAt } = health;
  const slow = isStrained(destination, health) ? { slowSince: strainedAt } : {};
  if (openedAt !== undefined) return { state: 'unreachable', failingSince, ...slow };
  return { ...(failingSince === undefined ? { state: 'ok' } : { state: 'failing', failingSince }), ...slow };
}

/** What waits for a destination. Undefined if nothing does. */
export function waitingView(
  destination: Destination,
  { openedAt, probeAt }: DestinationHealth = {},
  waiting: readonly Pick<Message, 'createdAt' | 'nextAttemptAt'>[],
) {
  const [since] = waiting.map(({ createdAt }) => createdAt).sort();
  if (since === undefined) return undefined;
  const [planned] = waiting.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).sort();
  const probe = probeAt === undefined ? undefined : new Date(probeAt).toISOString();
  const next = openedAt === undefined ? planned : probe;
  return { since, ...(isReady(destination) && next !== undefined && { nextAttemptAt: next }) };
}

export function messageView(message: Message) {
  const { destinationId, type, leadId, formId, status, createdAt, nextAttemptAt, answerExcerpt } = message;
  const isAlert = isAlertEvent(type);
  return {
    messageId: messageId(message),
    destinationId,
    type,
    submissionId: isAlert ? undefined : leadId,
    alertId: isAlert ? leadId : undefined,
    formId,
    status,
    createdAt,
    attempts: message.attempts.map(({ at, milliseconds, status: responded, error }) => ({
      at,
      milliseconds,
      status: responded,
      error,
    })),
    nextAttemptAt,
    answerExcerpt,
  };
}
