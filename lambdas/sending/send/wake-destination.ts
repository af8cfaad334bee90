import type { DestinationReader } from '../destinations-store.ts';
import type { Message, SendTask } from '../message.ts';
import { FIRST_DRAIN, nextDrain, SAFETY_MARGIN_MS } from '../retry-schedule.ts';
import type { QueuedTask } from '../send-queue-store.ts';
import type { SendDependencies } from './send-message.ts';

export interface WakeDependencies extends Pick<SendDependencies, 'messages' | 'health' | 'queue' | 'now'> {
  readonly destinationList: DestinationReader;
}

type WakeTask = Extract<SendTask, { task: 'wake' }>;

/** Between two steps of a drain: the receiver has just come back. */
const DRAIN_PAUSE_SECONDS = 2;
const LOOK_AGAIN_MS = 60_000;
/** Longer than an invocation that read the health before a recovery can still write a parked message. */
const SETTLE_MS = 2 * 60_000;

/**
 * Looks at what waits for a destination. If its breaker is open, the oldest message becomes the probe when it is time;
 * otherwise what is due is sent, in growing steps. Returns how many messages were put on the queue.
 */
export async function wakeDestination(
  task: WakeTask,
  { destinationList, messages, health: book, queue, now }: WakeDependencies,
  signal: AbortSignal,
): Promise<number> {
  const { workspaceId, destinationId, size = FIRST_DRAIN, after, resumed = false } = task;
  const destinations = await destinationList.list(workspaceId, signal);
  const destination = destinations.find((each) => each.destinationId === destinationId);
  if (resumed && destination?.status === 'active') await book.recover(task, now(), signal, 'untried');
  const known = await book.read(destinationId, signal);
  const health = known ?? {};
  // Resuming wakes it again.
  if (destination?.status !== 'active') {
    // Not written if there is none: nothing would ever delete it once the destination is deleted.
    if (known) await book.reschedule(task, undefined, health, signal);
    return 0;
  }

  if (health.openedAt !== undefined) {
    const probeAt = health.probeAt ?? 0;
    if (probeAt > now()) {
      await book.reschedule(task, probeAt, health, signal);
      return 0;
    }
    const { messages: oldest } = await messages.waiting(destinationId, { until: FOREVER, limit: 1 }, signal);
    if (oldest.length === 0) {
      // Nothing is left to probe with: the next message finds out.
      await book.recover(task, now(), signal, 'untried');
      return 0;
    }
    await queue.add(
      oldest.map((message) => toTask(message, 'probe')),
      signal,
    );
    await book.reschedule(task, now() + SAFETY_MARGIN_MS, health, signal);
    return 1;
  }

  const due = await messages.waiting(destinationId, { until: now(), limit: size, after }, signal);
  const tasks: QueuedTask[] = due.messages.map((message) => toTask(message, 'retry'));
  if (due.after) {
    const next: WakeTask = {
      task: 'wake',
      workspaceId,
      destinationId,
      size: nextDrain(size),
      after: due.after,
    };
    tasks.push({ task: next, delaySeconds: DRAIN_PAUSE_SECONDS });
  }
  await queue.add(tasks, signal);
  const isSettled = now() - (health.touchedAt ?? 0) > SETTLE_MS;
  const again = tasks.length > 0 || !isSettled ? now() + LOOK_AGAIN_MS : await nextDue(destinationId);
  await book.reschedule(task, again, health, signal);
  return due.messages.length;

  async function nextDue(id: string): Promise<number | undefined> {
    const { messages: rest } = await messages.waiting(id, { until: FOREVER, limit: 1 }, signal);
    const [first] = rest;
    return first && Math.max(now() + LOOK_AGAIN_MS, Date.parse(first.nextAttemptAt ?? first.createdAt));
  }
}

const FOREVER = Number.MAX_SAFE_INTEGER;

export function toTask(message: Message, mode: 'retry' | 'probe' | 'replay'): QueuedTask {
  const { workspaceId, destinationId, leadId, type, formId, createdAt } = message;
  return { task: { task: 'send', workspaceId, destinationId, leadId, type, formId, at: createdAt, mode } };
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

/** For a deleted destination: the erasure of a lead no longer reaches its messages. */
export async function forgetMessages(
  task: Extract<SendTask, { task: 'forgetAll' }>,
  { messages, queue }: Pick<SendDependencies, 'messages' | 'queue'>,
  signal: AbortSignal,
): Promise<number> {
  const page = await messages.page(task.destinationId, { from: task.from, limit: REPLAY_PAGE }, signal);
  const telling = page.messages.filter(({ answerExcerpt }) => answerExcerpt !== undefined);
  await Promise.all(telling.map((message) => messages.forget(message, signal)));
  if (page.next !== undefined) await queue.add([{ task: { ...task, from: page.next } }], signal);
  return telling.length;
}

/** What the sweep of one minute takes on; the rest is still due in the next. */
const MOST_DUE_DESTINATIONS = 1_000;

/** Reads the destinations that are due, not their messages. */
export async function sweepDestinations(
  { health: book, queue, now }: Pick<SendDependencies, 'health' | 'queue' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  const due = await book.due(now(), MOST_DUE_DESTINATIONS, signal);
  await queue.add(
    due.map((destination) => ({ task: { task: 'wake', ...destination } })),
    signal,
  );
  return due.length;
}
