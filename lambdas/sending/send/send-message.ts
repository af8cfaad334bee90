import { hasExpired } from '../../model/lead-item.ts';
import { isReady, isStrained } from '../destination.ts';
import type { Attempt, Message, SendMessageTask } from '../message.ts';
import { abortable, type OutboundResult } from '../outbound-http.ts';
import { paceOf } from '../retry-schedule.ts';
import type { SlowLane } from '../slow-lane-store.ts';
import { askIfNeeded } from './ask-recipient.ts';
import type { SendingContext, SendingReader } from './read-for-sending-store.ts';
import {
  fail,
  type MadeAttempt,
  makeRecord,
  park,
  type RecordDependencies,
  type SendOutcome,
  succeed,
} from './record-outcome.ts';
import { contentOf, type TransmitDependencies, transmit } from './transmit.ts';

export interface SendDependencies extends TransmitDependencies, RecordDependencies {
  readonly reader: SendingReader;
  readonly slowLane: SlowLane;
  /** How long a receiver may take. */
  readonly responseWithinMilliseconds?: number;
}

const RESPONSE_WITHIN_MS = 10_000;
/** A queue's clock and ours may differ a little. */
const EARLY_MS = 2_000;
/** A test event asks for the slow lane so often, and for so long. */
const LANE_AGAIN_SECONDS = 3;
const LANE_WITHIN_MS = 10 * 60_000;

/**
 * Sends one message, and writes down what became of it. `hasTurn` is false if another invocation uses the slow lane for
 * this workspace: the message then waits in the table.
 */
export async function sendMessage(
  task: SendMessageTask,
  dependencies: SendDependencies,
  signal: AbortSignal,
  hasTurn = true,
): Promise<SendOutcome> {
  const { reader, now } = dependencies;
  const found = await reader.read(task.workspaceId, task, signal);
  const { destination, message, health } = found;
  if (!destination) return { code: 'destination_gone' };
  if (isSettled(message, task)) return { code: 'duplicate' };
  const content = isWanted(task, found, now()) ? contentOf(task, task, found) : undefined;
  const record = makeRecord(task, found, dependencies, signal);
  if (!content) {
    // Only what is already listed needs to be taken off the list.
    if (message && message.status !== 'cancelled')
      await record({ status: 'cancelled', attempts: message.attempts });
    return { code: 'cancelled' };
  }
  if (isTooEarly(message, task, now())) return { code: 'too_early' };
  const isHeld = !isReady(destination) || (health?.openedAt !== undefined && !ignoresBreaker(task));
  if (isHeld) await askIfNeeded(destination, dependencies, signal);
  if (!isHeld && !hasTurn && isTest(task) && now() - Date.parse(task.at) < LANE_WITHIN_MS) {
    await dependencies.queue.add([{ task, delaySeconds: LANE_AGAIN_SECONDS }], signal);
    return { code: 'moved' };
  }
  if (isHeld || !hasTurn) return park(task, found, record, dependencies, signal);
  if (task.lane === undefined && isStrained(destination, health)) {
    await dependencies.queue.add([{ task: { ...task, lane: 'slow' } }], signal);
    return { code: 'moved' };
  }
  const attempt = await makeAttempt({ key: task, destination, secret: found.secret, content }, dependencies);
  await notePace(task, found, attempt, dependencies, signal);
  return isSuccess(attempt)
    ? succeed(task, found, attempt, record, dependencies, signal)
    : fail(task, found, attempt, record, dependencies, signal);
}

const isTest = ({ type }: SendMessageTask) => type === 'destination.test';

/** Somebody waits for the result of a test or a try, and a probe finds out whether the destination works again. */
function ignoresBreaker(task: SendMessageTask): boolean {
  return isTest(task) || task.mode === 'probe' || task.mode === 'try';
}

/** Not if the lead is gone, or was marked as spam while it waited and the destination gets clean leads only. */
function isWanted({ type }: SendMessageTask, { destination, leadItem }: SendingContext, nowMs: number) {
  if (type !== 'lead.accepted' && type !== 'lead.enriched') return true;
  if (!leadItem || hasExpired(leadItem, nowMs)) return false;
  return leadItem.clean === true || destination?.onlyClean !== true;
}

/**
 * A repeated event must not be sent again, unless the owner asks for it. A canceled message can be wanted again: its
 * lead was marked as spam, and then as good.
 */
function isSettled(message: Message | undefined, { mode }: SendMessageTask): boolean {
  return message !== undefined && mode !== 'replay' && ['delivered', 'failed'].includes(message.status);
}

/** The copy that belongs to the next attempt is still on its way. */
function isTooEarly(
  message: Message | undefined,
  { mode }: SendMessageTask,
  nowMilliseconds: number,
): boolean {
  if ((mode !== undefined && mode !== 'retry') || message?.nextAttemptAt === undefined) return false;
  return Date.parse(message.nextAttemptAt) - nowMilliseconds > EARLY_MS;
}

async function makeAttempt(
  transmission: Parameters<typeof transmit>[0],
  dependencies: SendDependencies,
): Promise<MadeAttempt> {
  const { now, responseWithinMilliseconds = RESPONSE_WITHIN_MS } = dependencies;
  const startedAt = now();
  const result = await transmitWithin(responseWithinMilliseconds, transmission, dependencies);
  return {
    at: new Date(startedAt).toISOString(),
    milliseconds: now() - startedAt,
    status: result.status,
    error: result.error ?? (isRedirect(result) ? 'redirect_not_followed' : undefined),
    result,
  };
}

/** Ends at its deadline, whatever the socket does. */
async function transmitWithin(
  milliseconds: number,
  transmission: Parameters<typeof transmit>[0],
  dependencies: SendDependencies,
): Promise<OutboundResult> {
  const signal = AbortSignal.timeout(milliseconds);
  try {
    return await abortable(transmit(transmission, dependencies, signal), signal);
  } catch (error) {
    if (signal.aborted) return { error: 'timeout' };
    throw error;
  }
}

/** Moves a slow destination to the slow lane, and a fast one out of it. Costs nothing while all responses are fast. */
async function notePace(
  task: SendMessageTask,
  { destination, health }: SendingContext,
  attempt: Attempt,
  { slowLane, now }: SendDependencies,
  signal: AbortSignal,
): Promise<void> {
  if (!destination || destination.kind === 'email') return;
  const pace = paceOf(attempt);
  if (pace === 'slow') await slowLane.markSlow(task, now(), signal);
  else if (pace === 'fast' && isStrained(destination, health)) await slowLane.countFast(task, now(), signal);
}

const isRedirect = ({ status = 0 }: OutboundResult) => status >= 300 && status < 400;
const isSuccess = ({ status = 0, error }: Attempt) => error === undefined && status >= 200 && status < 300;
