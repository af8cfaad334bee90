import { type Destination, isAlertEvent } from '../sending/destination.ts';
import { type Message, messageId } from '../sending/message.ts';
import type { DestinationHealth } from '../sending/retry-schedule.ts';

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
  const isInGrace = Date.parse(previousSecretWorksUntil ?? '') > nowMilliseconds;
  return {
    destinationId,
    kind,
    name,
    url,
    urlEnd,
    email,
    events,
    forms,
    onlyClean,
    includeFields,
    status,
    disabledReason,
    disabledAt,
    createdAt,
    secretSetAt,
    ...(isInGrace && { previousSecretWorksUntil }),
    health: healthView(health),
  };
}

interface HealthView {
  readonly state: 'ok' | 'failing' | 'unreachable';
  readonly failingSince?: string | undefined;
}

/** `unreachable`: messages wait until a probe succeeds. `failing`: the last attempts failed. */
function healthView({ failures = 0, failingSince, openedAt }: DestinationHealth = {}): HealthView {
  if (openedAt !== undefined) return { state: 'unreachable', failingSince };
  return failures > 0 ? { state: 'failing', failingSince } : { state: 'ok' };
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
    attempts: message.attempts.map(({ at, milliseconds, status: answered, error }) => ({
      at,
      milliseconds,
      status: answered,
      error,
    })),
    nextAttemptAt,
    answerExcerpt,
  };
}
