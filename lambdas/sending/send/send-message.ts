import { hasExpired } from '../../submission/lead-item.ts';
import type { DestinationSwitch } from '../destinations-store.ts';
import type { Attempt, Message, MessageStatus, SendMessageTask } from '../message.ts';
import type { Messages } from '../messages-store.ts';
import type { OutboundResult } from '../outbound-http.ts';
import { DISABLED_AFTER_MS, retryDelay } from '../retry-schedule.ts';
import { openIfNeeded, type PlanningDependencies, waitForRetry } from './plan-attempts.ts';
import type { SendingContext, SendingReader } from './read-for-sending-store.ts';
import { contentOf, type TransmitDependencies, transmit } from './transmit.ts';

export interface SendDependencies extends TransmitDependencies, PlanningDependencies {
  readonly reader: SendingReader;
  readonly messages: Messages;
  readonly destinations: DestinationSwitch;
  /** How long a receiver may take. */
  readonly answerWithinMilliseconds?: number;
}

/** How the work on one message ended. */
export interface SendOutcome {
  readonly code: MessageStatus | 'duplicate' | 'too_early' | 'destination_gone';
  readonly attempt?: Attempt;
  /** Whether this message disabled its destination. */
  readonly disabled?: boolean;
}

const ANSWER_WITHIN_MS = 10_000;
/** A queue's clock and ours may differ a little. */
const EARLY_MS = 2_000;
const MOST_LISTED_ATTEMPTS = 20;
const KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Sends one message, and writes down what became of it. */
export async function sendMessage(
  task: SendMessageTask,
  dependencies: SendDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { reader, now } = dependencies;
  const found = await reader.read(task.workspaceId, task, signal);
  const { destination, message, leadItem } = found;
  if (!destination) return { code: 'destination_gone' };
  if (isSettled(message, task)) return { code: 'duplicate' };
  const isAboutLead = task.type === 'lead.accepted' || task.type === 'lead.enriched';
  const content =
    isAboutLead && (!leadItem || hasExpired(leadItem, now())) ? undefined : contentOf(task, task, found);
  const record = makeRecord(task, found, dependencies, signal);
  if (!content) {
    // Only what is already listed needs to be taken off the list.
    if (message) await record({ status: 'cancelled', attempts: message.attempts });
    return { code: 'cancelled' };
  }
  if (isTooEarly(message, task, now())) return { code: 'too_early' };
  if (destination.status !== 'active' || (found.health?.openedAt !== undefined && task.mode !== 'probe')) {
    return park(task, found, record, dependencies, signal);
  }
  const attempt = await makeAttempt({ key: task, destination, secret: found.secret, content }, dependencies);
  return isSuccess(attempt)
    ? succeed(task, found, attempt, record, dependencies, signal)
    : fail(task, found, attempt, record, dependencies, signal);
}

/** A repeated event must not be sent again, unless the owner asks for it. */
function isSettled(message: Message | undefined, { mode }: SendMessageTask): boolean {
  return message !== undefined && mode !== 'replay' && !['waiting', 'parked'].includes(message.status);
}

/** The copy that belongs to the next attempt is still on its way. */
function isTooEarly(
  message: Message | undefined,
  { mode }: SendMessageTask,
  nowMilliseconds: number,
): boolean {
  if (mode === 'replay' || mode === 'probe' || message?.nextAttemptAt === undefined) return false;
  return Date.parse(message.nextAttemptAt) - nowMilliseconds > EARLY_MS;
}

interface MadeAttempt extends Attempt {
  readonly result: OutboundResult;
}

async function makeAttempt(
  transmission: Parameters<typeof transmit>[0],
  dependencies: SendDependencies,
): Promise<MadeAttempt> {
  const { now, answerWithinMilliseconds = ANSWER_WITHIN_MS } = dependencies;
  const startedAt = now();
  const result = await transmit(transmission, dependencies, AbortSignal.timeout(answerWithinMilliseconds));
  return {
    at: new Date(startedAt).toISOString(),
    milliseconds: now() - startedAt,
    status: result.status,
    error: result.error ?? (isRedirect(result) ? 'redirect_not_followed' : undefined),
    result,
  };
}

const isRedirect = ({ status = 0 }: OutboundResult) => status >= 300 && status < 400;
const isSuccess = ({ status = 0, error }: Attempt) => error === undefined && status >= 200 && status < 300;

type Change = Pick<Message, 'status' | 'attempts'> &
  Partial<Pick<Message, 'countedAttempts' | 'nextAttemptAt' | 'answerExcerpt'>> & { readonly dueAt?: number };
type WriteRecord = (change: Change) => Promise<void>;

/** If a copy of the message was faster, its record is kept. */
function makeRecord(
  { destinationId, leadId, type, workspaceId, formId, at }: SendMessageTask,
  { message, leadItem }: SendingContext,
  { messages, now }: SendDependencies,
  signal: AbortSignal,
): WriteRecord {
  const leadExpiry = leadItem?.expiresAt as number | undefined;
  const kept = Math.ceil(now() / 1000) + KEPT_SECONDS;
  return async (change) => {
    await messages.write(
      {
        destinationId,
        leadId,
        type,
        workspaceId,
        formId: message?.formId ?? formId,
        createdAt: message?.createdAt ?? at,
        countedAttempts: message?.countedAttempts ?? 0,
        expiresAt: message?.expiresAt ?? Math.min(kept, leadExpiry ?? kept),
        ...change,
      },
      message,
      signal,
    );
  };
}

/** Until the destination works again. Attempts are not used up. */
async function park(
  task: SendMessageTask,
  { message, destination, health }: SendingContext,
  record: WriteRecord,
  { now, health: book }: SendDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const attempts = message?.attempts ?? [];
  const countedAttempts = task.mode === 'replay' ? 0 : (message?.countedAttempts ?? 0);
  const answerExcerpt = message?.answerExcerpt;
  await record({ status: 'parked', attempts, countedAttempts, answerExcerpt, dueAt: now() });
  // An open breaker has its next look planned, and for a while also one that has just been closed.
  if (destination?.status === 'active' && health?.dueAt === undefined) {
    await book.remind(task, now(), now(), signal);
  }
  return { code: 'parked' };
}

async function succeed(
  task: SendMessageTask,
  { message, health }: SendingContext,
  { result: _result, ...attempt }: MadeAttempt,
  record: WriteRecord,
  { health: book, queue, now }: SendDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const countedAttempts = countedBefore(message, task) + 1;
  await record({ status: 'delivered', attempts: listed(message, attempt), countedAttempts });
  if ([health?.failures, health?.openedAt, health?.untriedSince].some((known) => known !== undefined)) {
    const { workspaceId, destinationId } = task;
    await book.recover(task, now(), signal);
    await queue.add([{ task: { task: 'wake', workspaceId, destinationId } }], signal);
  }
  return { code: 'delivered', attempt };
}

async function fail(
  task: SendMessageTask,
  { message, health }: SendingContext,
  { result, ...attempt }: MadeAttempt,
  record: WriteRecord,
  dependencies: SendDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { destinations, health: book, now, random } = dependencies;
  const { retryAfterSeconds } = result;
  const isProbe = task.mode === 'probe';
  const attempts = listed(message, attempt);
  const countedAttempts = countedBefore(message, task) + (isProbe ? 0 : 1);
  const failed = { attempts, countedAttempts, answerExcerpt: result.excerpt };

  const known = await book.countFailure(task, now(), signal);
  if (result.status === 410) {
    await record({ status: 'failed', ...failed });
    const disabled = await destinations.disable(task, 'gone', now(), signal);
    return { code: 'failed', attempt, disabled };
  }
  const isOpen = await openIfNeeded(
    task,
    { known, health, isProbe, retryAfterSeconds },
    dependencies,
    signal,
  );
  const disabled =
    now() - Date.parse(known.failingSince ?? attempt.at) >= DISABLED_AFTER_MS &&
    (await destinations.disable(task, 'failing', now(), signal));
  if (isOpen || disabled) {
    await record({ status: 'parked', ...failed, dueAt: now() });
    return { code: 'parked', attempt, disabled };
  }
  const delay = retryDelay({ countedAttempts, retryAfterSeconds, random: random() });
  if (delay === undefined) {
    await record({ status: 'failed', ...failed });
    return { code: 'failed', attempt };
  }
  await waitForRetry(
    task,
    delay,
    (times) => record({ status: 'waiting', ...failed, ...times }),
    dependencies,
    signal,
  );
  return { code: 'waiting', attempt };
}

function countedBefore(message: Message | undefined, { mode }: SendMessageTask): number {
  return mode === 'replay' ? 0 : (message?.countedAttempts ?? 0);
}

function listed(message: Message | undefined, attempt: Attempt): Attempt[] {
  return [...(message?.attempts ?? []), attempt].slice(-MOST_LISTED_ATTEMPTS);
}
