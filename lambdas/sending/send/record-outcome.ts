import { isReady } from '../destination.ts';
import type { DestinationSwitch } from '../destinations-store.ts';
import type { Attempt, Message, MessageStatus, SendMessageTask } from '../message.ts';
import type { Messages } from '../messages-store.ts';
import type { OutboundResult } from '../outbound-http.ts';
import {
  DISABLED_AFTER_MS,
  isAboutMessage,
  MAX_QUEUE_DELAY_MS,
  retryDelay,
  SAFETY_MARGIN_MS,
} from '../retry-schedule.ts';
import { openIfNeeded, type PlanningDependencies, waitForRetry } from './plan-attempts.ts';
import type { SendingContext } from './read-for-sending-store.ts';

/** How the work on one message ended. */
export interface SendOutcome {
  readonly code: MessageStatus | 'duplicate' | 'too_early' | 'destination_gone' | 'moved';
  readonly attempt?: Attempt;
  /** Whether this message disabled its destination. */
  readonly disabled?: boolean;
}

export interface MadeAttempt extends Attempt {
  readonly result: OutboundResult;
}

/** What the outcome of an attempt is written down with. */
export interface RecordDependencies extends PlanningDependencies {
  readonly messages: Messages;
  readonly destinations: DestinationSwitch;
}

const MAX_LISTED_ATTEMPTS = 20;
const KEPT_SECONDS = 30 * 24 * 60 * 60;

type Change = Pick<Message, 'status' | 'attempts'> &
  Partial<Pick<Message, 'countedAttempts' | 'nextAttemptAt' | 'answerExcerpt'>> & { readonly dueAt?: number };
type WriteRecord = (change: Change) => Promise<void>;

/** If a copy of the message was faster, its record is kept. */
export function makeRecord(
  { destinationId, leadId, type, workspaceId, formId, at }: SendMessageTask,
  { message, leadItem }: SendingContext,
  { messages, now }: RecordDependencies,
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
export async function park(
  task: SendMessageTask,
  { message, destination, health }: SendingContext,
  record: WriteRecord,
  { now, health: store }: RecordDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const attempts = message?.attempts ?? [];
  const countedAttempts = task.mode === 'replay' ? 0 : (message?.countedAttempts ?? 0);
  const answerExcerpt = message?.answerExcerpt;
  await record({ status: 'parked', attempts, countedAttempts, answerExcerpt, dueAt: now() });
  // The next check of an open breaker is planned already, and for a while also that of one that was just closed.
  const lookAt = Math.max(now(), health?.openedAt === undefined ? 0 : (health.probeAt ?? 0));
  const isPlanned = health?.dueAt !== undefined && health.dueAt <= lookAt + SAFETY_MARGIN_MS;
  if (destination && isReady(destination) && !isPlanned) await store.remind(task, lookAt, now(), signal);
  return { code: 'parked' };
}

export async function succeed(
  task: SendMessageTask,
  { message, health }: SendingContext,
  { result: _result, ...attempt }: MadeAttempt,
  record: WriteRecord,
  { health: store, queue, now }: RecordDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const countedAttempts = countedBefore(message, task) + 1;
  await record({ status: 'delivered', attempts: listed(message, attempt), countedAttempts });
  if (health?.openedAt !== undefined) {
    const { workspaceId, destinationId } = task;
    await store.recover(task, now(), signal);
    await queue.add([{ task: { task: 'wake', workspaceId, destinationId } }], signal);
  } else if (health?.failed ?? health?.refused ?? health?.failingSince ?? health?.untriedSince) {
    await store.clearFailures(task, signal);
  }
  return { code: 'delivered', attempt };
}

export async function fail(
  task: SendMessageTask,
  { message, health }: SendingContext,
  { result, ...attempt }: MadeAttempt,
  record: WriteRecord,
  dependencies: RecordDependencies,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { destinations, health: store, now, random } = dependencies;
  const { retryAfterSeconds } = result;
  const isRefused = isAboutMessage(result.status);
  const attempts = listed(message, attempt);
  const countedAttempts = countedBefore(message, task) + (countsAsAttempt(task, isRefused) ? 1 : 0);
  const failed = { attempts, countedAttempts, answerExcerpt: result.excerpt };

  const counted = { isAboutMessage: isRefused, nowMilliseconds: now() };
  const known = await store.countFailure(task, counted, signal);
  if (result.status === 410) {
    await record({ status: 'failed', ...failed });
    const disabled = await destinations.disable(task, 'gone', now(), signal);
    return { code: 'failed', attempt, disabled };
  }
  const failure = { known, health, isAboutMessage: isRefused, retryAfterSeconds };
  const isOpen = await openIfNeeded(task, failure, dependencies, signal);
  const failingFor = now() - Date.parse(known.failingSince ?? attempt.at);
  const disabled =
    isOpen && failingFor >= DISABLED_AFTER_MS && (await destinations.disable(task, 'failing', now(), signal));
  // A probe of a message that was never attempted counts nothing.
  const attemptsSoFar = Math.max(1, countedAttempts);
  const delay = retryDelay({ countedAttempts: attemptsSoFar, retryAfterSeconds, random: random() });
  // A test event does not wait until the destination works: its result has been seen by then.
  if (delay === undefined || (isOpen && task.type === 'destination.test')) {
    await record({ status: 'failed', ...failed });
    return { code: 'failed', attempt, disabled };
  }
  // A refused message waits for its own next attempt, so that others are the next probes.
  if (isOpen && !isRefused) {
    await record({ status: 'parked', ...failed, dueAt: now() });
    return { code: 'parked', attempt, disabled };
  }
  const planned = Date.parse(message?.nextAttemptAt ?? '');
  if (task.mode === 'try' && planned > now()) {
    const dueAt = planned + (planned - now() <= MAX_QUEUE_DELAY_MS ? SAFETY_MARGIN_MS : 0);
    await record({ status: 'waiting', ...failed, nextAttemptAt: new Date(planned).toISOString(), dueAt });
    return { code: 'waiting', attempt, disabled };
  }
  await waitForRetry(
    task,
    delay,
    (times) => record({ status: 'waiting', ...failed, ...times }),
    dependencies,
    signal,
  );
  return { code: 'waiting', attempt, disabled };
}

/** A probe says something about its message only if the response does. A try uses up none of the message's attempts. */
function countsAsAttempt({ mode }: SendMessageTask, isRefused: boolean): boolean {
  return mode !== 'try' && (mode !== 'probe' || isRefused);
}

function countedBefore(message: Message | undefined, { mode }: SendMessageTask): number {
  return mode === 'replay' ? 0 : (message?.countedAttempts ?? 0);
}

function listed(message: Message | undefined, attempt: Attempt): Attempt[] {
  return [...(message?.attempts ?? []), attempt].slice(-MAX_LISTED_ATTEMPTS);
}
