import { type Destination, isReady, isStrained } from '../destination.ts';
import type { DestinationReader } from '../destinations-store.ts';
import type { Message, SendTask } from '../message.ts';
import {
  type DestinationHealth,
  type DueCursor,
  FIRST_DRAIN,
  nextDrain,
  SAFETY_MARGIN_MS,
} from '../retry-schedule.ts';
import type { QueuedTask } from '../send-queue-store.ts';
import type { SendDependencies } from './send-message.ts';

export interface WakeDependencies
  extends Pick<SendDependencies, 'messages' | 'health' | 'queue' | 'slowLane' | 'now'> {
  readonly destinationList: DestinationReader;
}

type WakeTask = Extract<SendTask, { task: 'wake' }>;

/** Between two steps of a drain: the receiver has just come back. */
const DRAIN_PAUSE_SECONDS = 2;
const LOOK_AGAIN_MS = 60_000;
/** Longer than an invocation that read the health before a recovery can still write a parked message. */
const SETTLE_MS = 2 * 60_000;
/** A queued message that is still waiting after this time was lost, and is queued again. */
const REQUEUE_AFTER_MS = 10 * 60_000;
/** A queue's clock and ours may differ a little. */
const EARLY_MS = 2_000;
/** What is known about a deleted destination is kept as long as its messages. */
const KEPT_SECONDS = 30 * 24 * 60 * 60;

/**
 * Looks at what waits for a destination. If its breaker is open, the message that has waited longest becomes the probe
 * when it is time; otherwise what is due is sent, in growing steps. Returns how many messages were put on the queue.
 */
export async function wakeDestination(
  task: WakeTask,
  dependencies: WakeDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { destinationList, health: store, now } = dependencies;
  const { workspaceId, destinationId, resumed = false } = task;
  const destinations = await destinationList.list(workspaceId, signal);
  const destination = destinations.find((each) => each.destinationId === destinationId);
  if (!destination) {
    await store.expire(task, Math.ceil(now() / 1000) + KEPT_SECONDS, signal);
    return 0;
  }
  if (resumed && isReady(destination)) await store.recover(task, now(), signal, 'untried');
  const known = await store.read(destinationId, signal);
  const health = known ?? {};
  // Resuming wakes it again.
  if (!isReady(destination)) {
    if (known) await store.reschedule(task, undefined, health, signal);
    return 0;
  }
  return health.openedAt === undefined
    ? drain(task, destination, health, dependencies, signal)
    : probe(task, destination, health, dependencies, signal);
}

/** Plans the next check, then queues the probe. Of two invocations at the same time, only one can plan it. */
async function probe(
  task: WakeTask,
  destination: Destination,
  health: DestinationHealth,
  { messages, health: store, queue, now }: WakeDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { destinationId } = task;
  const probeAt = health.probeAt ?? 0;
  if (probeAt > now() + EARLY_MS) {
    await store.reschedule(task, probeAt, health, signal);
    return 0;
  }
  const { messages: due } = await messages.waiting(destinationId, { until: now(), limit: 1 }, signal);
  if (due.length === 0) {
    const { last } = await messages.waiting(destinationId, { until: FOREVER, limit: 1 }, signal);
    // Nothing is left to probe with: the next message finds out.
    if (!last) await store.recover(task, now(), signal, 'untried');
    else await store.reschedule(task, last.dueAt, health, signal);
    return 0;
  }
  if (!(await store.reschedule(task, now() + SAFETY_MARGIN_MS, health, signal))) return 0;
  const lane = isStrained(destination, health);
  await queue.add(
    due.map((message) => toTask(message, 'probe', lane)),
    signal,
  );
  return due.length;
}

/** Claims each page before it is queued, so that no two invocations queue the same messages. */
async function drain(
  task: WakeTask,
  destination: Destination,
  health: DestinationHealth,
  dependencies: WakeDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { messages, health: store, queue, slowLane, now } = dependencies;
  const { workspaceId, destinationId } = task;
  const isSlow = isStrained(destination, health);
  const lookAgainAt = now() + LOOK_AGAIN_MS;
  if (isSlow && (await slowLane.wait(task, now(), signal))) {
    await store.reschedule(task, lookAgainAt, health, signal);
    return 0;
  }
  const size = isSlow ? FIRST_DRAIN : (task.size ?? FIRST_DRAIN);
  const after = queuedUpTo(health, now());
  const due = await messages.waiting(destinationId, { until: now(), limit: size, after }, signal);
  if (due.last === undefined) {
    const isSettled = now() - (health.touchedAt ?? 0) > SETTLE_MS;
    const next = isSettled ? await nextLook(destinationId, health, dependencies, signal) : lookAgainAt;
    await store.reschedule(task, next, health, signal);
    return 0;
  }
  const page = { drainedTo: due.last, nowMilliseconds: now(), dueAt: lookAgainAt };
  if (!(await store.claim(task, page, health, signal))) return 0;
  const tasks = due.messages.map((message) => toTask(message, 'retry', isSlow));
  if (due.hasMore && !isSlow) {
    const next: WakeTask = { task: 'wake', workspaceId, destinationId, size: nextDrain(size) };
    tasks.push({ task: next, delaySeconds: DRAIN_PAUSE_SECONDS });
  }
  // The slow lane takes the next page when it is free again.
  if (due.hasMore && isSlow) await slowLane.addWaiting(task, now(), signal);
  await queue.add(tasks, signal);
  return due.messages.length;
}

/** Messages before this place are on the queue, or were sent. */
function queuedUpTo(
  { drainedTo, drainedAt = 0 }: DestinationHealth,
  nowMilliseconds: number,
): DueCursor | undefined {
  return nowMilliseconds - drainedAt < REQUEUE_AFTER_MS ? drainedTo : undefined;
}

/** Undefined if nothing waits. */
async function nextLook(
  destinationId: string,
  health: DestinationHealth,
  { messages, now }: WakeDependencies,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { last: first } = await messages.waiting(destinationId, { until: FOREVER, limit: 1 }, signal);
  if (!first) return undefined;
  const isQueued = first.dueAt <= (queuedUpTo(health, now())?.dueAt ?? 0);
  const dueAt = isQueued ? (health.drainedAt ?? 0) + REQUEUE_AFTER_MS : first.dueAt;
  return Math.max(now() + LOOK_AGAIN_MS, dueAt);
}

const FOREVER = Number.MAX_SAFE_INTEGER;

function toTask(message: Message, mode: 'retry' | 'probe' | 'replay', isSlow = false): QueuedTask {
  const { workspaceId, destinationId, leadId, type, formId, createdAt: at } = message;
  const lane = isSlow ? ({ lane: 'slow' } as const) : {};
  return { task: { task: 'send', workspaceId, destinationId, leadId, type, formId, at, mode, ...lane } };
}

type ReplayTask = Extract<SendTask, { task: 'replay' }>;

const REPLAY_PAGE = 100;

/** Everything that failed or waits, from a lead id on. A page at a time, each as a task of its own. */
export async function replayMessages(
  task: ReplayTask,
  { messages, queue }: Pick<SendDependencies, 'messages' | 'queue'>,
  signal: AbortSignal,
): Promise<number> {
  const page = await messages.page(task.destinationId, { from: task.from, limit: REPLAY_PAGE }, signal);
  const replayed = page.messages.filter(({ status }) => ['failed', 'parked', 'waiting'].includes(status));
  const tasks = replayed.map((message) => toTask(message, 'replay'));
  if (page.next !== undefined) tasks.push({ task: { ...task, from: page.next } });
  await queue.add(tasks, signal);
  return replayed.length;
}

/** For a deleted destination: the erasure of a lead no longer reaches its messages. Its health expires with them. */
export async function forgetMessages(
  task: Extract<SendTask, { task: 'forgetAll' }>,
  { messages, queue, health: store, now }: Pick<SendDependencies, 'messages' | 'queue' | 'health' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  await store.expire(task, Math.ceil(now() / 1000) + KEPT_SECONDS, signal);
  const page = await messages.page(task.destinationId, { from: task.from, limit: REPLAY_PAGE }, signal);
  const telling = page.messages.filter(({ answerExcerpt }) => answerExcerpt !== undefined);
  await Promise.all(telling.map((message) => messages.forget(message, signal)));
  if (page.next !== undefined) await queue.add([{ task: { ...task, from: page.next } }], signal);
  return telling.length;
}

/** What the sweep of one minute takes on; the rest is still due in the next. */
const MAX_DUE_DESTINATIONS = 1_000;

/** Reads the destinations that are due, not their messages. */
export async function sweepDestinations(
  { health: store, queue, now }: Pick<SendDependencies, 'health' | 'queue' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  const due = await store.due(now(), MAX_DUE_DESTINATIONS, signal);
  await queue.add(
    due.map((destination) => ({ task: { task: 'wake', ...destination } })),
    signal,
  );
  return due.length;
}
