import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../aws/dynamodb.ts';
import {
  type DestinationSweep,
  makeDestinationSweep,
  SENDING_SETTLES_MS,
} from './destination-sweep-store.ts';
import { makeSweep, type OffboardingContext, type Removed } from './offboard-contents-store.ts';
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
/** Late writes, for example by the streams, are found in another round; endless rounds would be a defect. */
const MAX_ROUNDS = 10;
const BETWEEN_ROUNDS_MS = 300;

/**
 *   suspend ── pause destinations ── all but these two ── settle ── all but these two ── forms, destinations
 *     ── round after round until nothing is found ── workspace
 *
 * Leads are only found through their forms, and a submission that has passed the gate may still write one, so the forms
 * are deleted after that time; messages and destinations likewise. The workspace goes last: an operator needs it to
 * repeat the command.
 */
export function makeOffboarding(context: OffboardingContext): Offboarding {
  const { client, tables, now } = context;
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
    const note = (kind: keyof Removed, count: number) => {
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
    for (let round = 1; ; round += 1) {
      const found = await sweep.removeAll(note);
      if (found === 0) break;
      if (round === MAX_ROUNDS) return 'left';
      await sleep(BETWEEN_ROUNDS_MS, undefined, { signal });
    }
    if (!begun) return 'unknown';
    return (await end(workspaceId, begun.configVersion)) ? 'gone' : 'resumed';
  };

  return { run };
}
