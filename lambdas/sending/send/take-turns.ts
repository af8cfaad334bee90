import type { WorkspaceGuard } from '../../aws/removed-workspaces.ts';
import type { SendMessageTask } from '../message.ts';
import type { SendDependencies } from './send-message.ts';

/** The workspaces for which this invocation has the slow lane. */
export interface Turns {
  /** Throws if that could not be found out: the task must come back. */
  has(workspaceId: string): boolean;
  /** Releases the lane, and wakes a destination that waited for it. */
  end(signal: AbortSignal): Promise<void>;
}

export interface TurnDependencies extends Pick<SendDependencies, 'slowLane' | 'queue' | 'now'> {
  readonly workspaces: WorkspaceGuard;
  readonly newId: () => string;
}

/**
 * Takes the slow lane for each workspace of a batch, or lets its destinations wait for it. A batch without tasks of the
 * slow lane makes no call.
 */
export async function takeTurns(
  tasks: readonly SendMessageTask[],
  { slowLane, queue, now, newId, workspaces: guard }: TurnDependencies,
  signal: AbortSignal,
): Promise<Turns> {
  const holder = newId();
  const taken = new Set<string>();
  const errors = new Map<string, unknown>();

  async function takeOrWait(workspaceId: string): Promise<void> {
    // Its destinations are gone, and nothing is sent.
    if ((await guard.removed([workspaceId], signal)).has(workspaceId)) return;
    if (await slowLane.take(workspaceId, holder, now(), signal)) {
      taken.add(workspaceId);
      return;
    }
    const waiting = tasks.filter((task) => task.workspaceId === workspaceId);
    for (const destinationId of new Set(waiting.map((task) => task.destinationId))) {
      await slowLane.wait({ workspaceId, destinationId }, now(), signal);
    }
  }

  const workspaces = new Set(tasks.map(({ workspaceId }) => workspaceId));
  await Promise.all(
    [...workspaces].map((workspaceId) =>
      takeOrWait(workspaceId).catch((error) => errors.set(workspaceId, error)),
    ),
  );

  return {
    has(workspaceId) {
      if (errors.has(workspaceId)) throw errors.get(workspaceId);
      return taken.has(workspaceId);
    },
    async end(endSignal) {
      for (const workspaceId of taken) {
        const next = await slowLane.release(workspaceId, holder, endSignal);
        if (next === undefined) continue;
        await queue.add([{ task: { task: 'wake', workspaceId, destinationId: next } }], endSignal);
      }
    },
  };
}
