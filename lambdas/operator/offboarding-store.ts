import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../aws/dynamodb.ts';
import {
  type DestinationSweep,
  makeDestinationSweep,
  SENDING_SETTLES_MS,
} from './destination-sweep-store.ts';
import { makeSweep, type Note, type OffboardingContext, type Removed } from './offboard-contents-store.ts';
import { makeWorkspaceContents } from './workspace-contents-store.ts';

export { REMOVED_KINDS, type Removed } from './offboard-contents-store.ts';

/** `unknown`: no such workspace, though there may have been remains of it, which are now deleted. */
export type OffboardingOutcome = 'gone' | 'unknown' | 'left' | 'resumed';

export interface Offboarding {
  /** Can be interrupted at any time and run again: it continues where it stopped. */
  run(
    workspaceId: string,
    progress: { readonly removed: Removed; readonly onStep: () => void },
    signal: AbortSignal,
  ): Promise<OffboardingOutcome>;
}

/** A function's timeout: by then, everything that the gate admitted before the suspension has been written. */
const SETTLE_MS = 10_000;
/**
 * After the forms and tokens are deleted: a warm ingest function knows them for a minute, and records rejections for the
 * workspace. The functions behind streams and queues have looked at the workspace before, and have ended by then.
 */
const FORGOTTEN_AFTER_MS = 75_000;
/** Late writes, for example by the streams, are found in another round; endless rounds would be a defect. */
const MAX_ROUNDS = 10;
const BETWEEN_ROUNDS_MS = 300;

/**
 *   suspend ── pause destinations ── all but these two ── settle ── all but these two ── forms, destinations
 *     ── some rounds ── wait until nobody knows it ── rounds until nothing is found, with the search index ── workspace
 *
 * Leads are only found through their forms, and a submission that has passed the gate may still write one, so the forms
 * are deleted after that time; messages and destinations likewise. The workspace goes last: an operator needs it to
 * repeat the command. From the suspension on, whoever follows a stream or a queue drops what belongs to the workspace,
 * however late it comes.
 */
export function makeOffboarding(context: OffboardingContext): Offboarding {
  const { client, tables, now, forgottenAfterMilliseconds = FORGOTTEN_AFTER_MS } = context;
  const contents = makeWorkspaceContents(context);

  /** Suspends the workspace and returns the time since when nothing is admitted; undefined if there is no workspace. */
  async function begin(workspaceId: string) {
    const Key = { workspaceId };
    const found = await client.send(
      new GetCommand({ TableName: tables.workspaces, Key, ConsistentRead: true }),
    );
    if (!found.Item) return undefined;
    const { status, offboardingSince } = found.Item;
    // If it was resumed in between, it has admitted leads again.
    const since = status === 'suspended' && offboardingSince ? Number(offboardingSince) : now();
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: tables.workspaces,
        Key,
        UpdateExpression: 'SET #status = :suspended, offboardingSince = :since ADD configVersion :one',
        ConditionExpression: 'attribute_exists(workspaceId)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':suspended': 'suspended', ':since': since, ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    return { since, configVersion: Number(Attributes?.configVersion) };
  }

  async function end(workspaceId: string, configVersion: number): Promise<boolean> {
    const command = new DeleteCommand({
      TableName: tables.workspaces,
      Key: { workspaceId },
      // Resuming it in the meantime raises the version.
      ConditionExpression: 'configVersion = :version OR attribute_not_exists(workspaceId)',
      ExpressionAttributeValues: { ':version': configVersion },
    });
    return unlessConditionFails(client.send(command));
  }

  /** Returns when nothing that began earlier can write any more. */
  async function stopSending(destinations: DestinationSweep, since: number): Promise<number> {
    const { all, paused } = await destinations.pauseAll();
    if (all === 0) return since + SETTLE_MS;
    return (paused > 0 ? now() : since) + SENDING_SETTLES_MS;
  }

  const run: Offboarding['run'] = async (workspaceId, { removed, onStep }, signal) => {
    const destinations = makeDestinationSweep(context, workspaceId, signal);
    const sweep = makeSweep(context, contents, destinations, workspaceId, signal);
    const note: Note = (kind, count) => {
      removed[kind] += count;
      if (count > 0) onStep();
    };
    const begun = await begin(workspaceId);
    if (begun) {
      const settledAt = await stopSending(destinations, begun.since);
      await sweep.removeContents(note);
      const wait = Math.min(SENDING_SETTLES_MS, settledAt - now());
      if (wait > 0) await sleep(wait, undefined, { signal });
    }
    const removeUntilNothingIsLeft = async (removeAll: (note: Note) => Promise<number>) => {
      for (let round = 1; round <= MAX_ROUNDS; round += 1) {
        if ((await removeAll(note)) === 0) return true;
        await sleep(BETWEEN_ROUNDS_MS, undefined, { signal });
      }
      return false;
    };
    // A sender who goes on gets rejections for as long as a function knows the token: only the last rounds decide.
    await removeUntilNothingIsLeft(sweep.removeAll);
    if (begun && forgottenAfterMilliseconds > 0) {
      await sleep(forgottenAfterMilliseconds, undefined, { signal });
    }
    if (!(await removeUntilNothingIsLeft(sweep.removeEveryTrace))) return 'left';
    if (!begun) return 'unknown';
    return (await end(workspaceId, begun.configVersion)) ? 'gone' : 'resumed';
  };

  return { run };
}
