import type { HealthStore } from '../health-store.ts';
import type { SendMessageTask } from '../message.ts';
import {
  acceptsNothing,
  type DestinationHealth,
  isBroken,
  MAX_QUEUE_DELAY_MS,
  probeDelay,
  SAFETY_MARGIN_MS,
} from '../retry-schedule.ts';
import type { SendQueue } from '../send-queue-store.ts';

/** What the next attempt is planned with. */
export interface PlanningDependencies {
  readonly health: HealthStore;
  readonly queue: SendQueue;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

interface Failure {
  /** After this failure was counted. */
  readonly known: DestinationHealth;
  /** Before the attempt. */
  readonly health: DestinationHealth | undefined;
  readonly isAboutMessage: boolean;
  readonly retryAfterSeconds: number | undefined;
}

/** Whether the breaker is open after this failure. The failure that opens it, or a failed probe, plans the next probe. */
export async function openIfNeeded(
  task: SendMessageTask,
  { known, health, isAboutMessage, retryAfterSeconds }: Failure,
  { health: store, queue, now, random }: PlanningDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const wasOpen = known.openedAt !== undefined;
  const plansProbe = wasOpen ? task.mode === 'probe' && health?.openedAt !== undefined : isBroken(known);
  if (!plansProbe) return wasOpen;
  // A receiver that refuses one message works again, and may accept the next.
  const respondsAgain = isAboutMessage && !acceptsNothing(known);
  const probeStep = wasOpen && !respondsAgain ? (health?.probeStep ?? 0) + 1 : 0;
  const delay = probeDelay(probeStep, random(), retryAfterSeconds);
  const probeAt = now() + delay;
  const isQueued = delay <= MAX_QUEUE_DELAY_MS;
  const plan = {
    openedAt: known.openedAt ?? new Date(now()).toISOString(),
    probeStep,
    probeAt,
    dueAt: probeAt + (isQueued ? SAFETY_MARGIN_MS : 0),
  };
  const isMine = await store.open(
    task,
    plan,
    wasOpen ? { ...known, probeStep: health?.probeStep } : known,
    signal,
  );
  // Somebody else has opened it, or a success has cleared the failures.
  if (!isMine) return (await store.read(task.destinationId, signal))?.openedAt !== undefined;
  if (isQueued) {
    // The wake-up task chooses the message, so that different messages are probes in turn.
    const { workspaceId, destinationId } = task;
    const wake = { task: 'wake', workspaceId, destinationId } as const;
    await queue.add([{ task: wake, delaySeconds: Math.ceil(delay / 1000) }], signal);
  }
  return true;
}

/** Every wait is in the table. Short ones are also in the queue, which is more exact. */
export async function waitForRetry(
  task: SendMessageTask,
  delay: number,
  record: (times: { nextAttemptAt: string; dueAt: number }) => Promise<void>,
  { health: store, queue, now }: PlanningDependencies,
  signal: AbortSignal,
): Promise<void> {
  const nextAttempt = now() + delay;
  const isQueued = delay <= MAX_QUEUE_DELAY_MS;
  const dueAt = nextAttempt + (isQueued ? SAFETY_MARGIN_MS : 0);
  await record({ nextAttemptAt: new Date(nextAttempt).toISOString(), dueAt });
  await store.remind(task, dueAt, now(), signal);
  if (isQueued) {
    await queue.add([{ task: { ...task, mode: 'retry' }, delaySeconds: Math.ceil(delay / 1000) }], signal);
  }
}
