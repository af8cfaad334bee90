import type { SQSEvent } from 'aws-lambda';
import { isInSlowLane, type SendTask } from '#sending/message.ts';
import type { makeSend } from '#sending/send/handler.ts';
import type { QueuedTask } from '#sending/send-queue-store.ts';

/** Decides about each call and each delivery. Nothing goes wrong by default. */
export interface Faults {
  /** A call to DynamoDB or SQS is lost, or it is made and its response is lost. */
  call(): 'fine' | 'lost' | 'answer lost';
  /** Whether a batch that was worked on is delivered again. */
  repeats(): boolean;
}

export const NO_FAULTS: Faults = { call: () => 'fine', repeats: () => false };

export async function withFault<Result>({ call }: Faults, work: () => Promise<Result>): Promise<Result> {
  const fault = call();
  if (fault === 'lost') throw new Error('the call was lost');
  const result = await work();
  if (fault === 'answer lost') throw new Error('the answer was lost');
  return result;
}

/** How long SQS hides a message that was not deleted. */
const VISIBILITY_MS = 180_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type Send = ReturnType<typeof makeSend>;

/** In the place of the send queue, with a clock that jumps to the next task. */
export function makeTimedQueue(clock: { now: number }, faults: Faults, lines: readonly string[]) {
  const now = () => clock.now;
  const queued: { task: SendTask; at: number }[] = [];

  async function add(tasks: readonly QueuedTask[]) {
    for (const { task, delaySeconds = 0 } of tasks) {
      await withFault(faults, async () => void queued.push({ task, at: now() + delaySeconds * 1000 }));
    }
  }

  async function perform(tasks: readonly SendTask[], send: Send): Promise<void> {
    const Records = tasks.map((task, index) => ({ body: JSON.stringify(task), messageId: String(index) }));
    const response = await send({ Records } as unknown as SQSEvent);
    const failed = new Set(response?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    if (faults === NO_FAULTS && failed.size > 0) throw new Error(`tasks failed: ${lines.at(-1)}`);
    const again = faults.repeats() ? tasks : tasks.filter((_, index) => failed.has(String(index)));
    for (const task of again) queued.push({ task, at: now() + VISIBILITY_MS });
  }

  /** Runs what is due, in batches of ten, until the given time. Sweeps once a minute, and less often after hours. */
  async function runUntil(end: number, send: Send): Promise<void> {
    const start = now();
    for (;;) {
      const [first] = queued.filter(({ at }) => at <= now());
      if (first) {
        // A batch comes from one queue.
        const isSlow = isInSlowLane(first.task);
        const due = queued
          .filter(({ at, task }) => at <= now() && isInSlowLane(task) === isSlow)
          .slice(0, 10);
        for (const entry of due) queued.splice(queued.indexOf(entry), 1);
        const tasks = due.map(({ task }) => task);
        await perform(tasks, send);
        continue;
      }
      const period = now() - start < 4 * HOUR ? MINUTE : HOUR;
      const nextSweep = (Math.floor(now() / period) + 1) * period;
      const next = Math.min(nextSweep, ...queued.map(({ at }) => at));
      if (next > end) {
        clock.now = end;
        return;
      }
      clock.now = next;
      if (next === nextSweep) await send({} as never).catch(() => undefined);
    }
  }

  return { queued, add, perform, runUntil };
}
