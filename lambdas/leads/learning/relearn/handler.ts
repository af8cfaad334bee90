import type { ScheduledEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { makeDocumentClient } from '#aws/dynamodb.ts';
import { makeOutbox, makeQueueClient, type Outbox } from '#aws/queues.ts';
import { describeError, toStdout, type WriteLine } from '#aws/telemetry.ts';
import { QUEUE_VARIABLES, requireVariable, tablesFromEnvironment } from '#contract';
import { type LearnMessage, readLearnMessage } from '#model/lead-events.ts';
import { revise } from '#owner-api/revise.ts';
import { learnFrom } from '../learn.ts';
import { type LearnedItem, type LearnedStore, makeLearnedStore } from '../learned-store.ts';
import { makeReadReviewed, type ReadReviewed } from '../reviewed-leads-store.ts';

export interface RelearnDependencies {
  readonly store: LearnedStore;
  readonly readReviewed: ReadReviewed;
  readonly queue: Outbox<LearnMessage>;
  readonly now: () => number;
  readonly write: WriteLine;
}

/** Below the function's timeout. Offboarding waits longer than that. */
const DEADLINE_MS = 25_000;

/** The index of reviews follows the leads within seconds: by then it has what was reviewed before. */
const INDEX_FOLLOWS_MS = 5_000;

/**
 * Learns again from the newest verdicts of each workspace that a message names. What is learned is a function of the
 * leads that exist and of their verdicts, so that a withdrawn verdict and an erased lead are unlearned by the same means.
 * Once a day, without a message, it queues every workspace that has learned something: expired leads announce nothing.
 */
export function makeRelearn(dependencies: RelearnDependencies) {
  const { write } = dependencies;
  return async function relearn(event: SQSEvent | ScheduledEvent): Promise<SQSBatchResponse | undefined> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    if (!('Records' in event)) {
      const workspaces = await queueAll(dependencies, signal);
      write(JSON.stringify({ level: 'INFO', code: 'relearn.queued', workspaces }));
      return undefined;
    }
    const failed: SQSRecord[] = [];
    // One after the other: the leads of a workspace may take 60 MB.
    for (const [workspaceId, records] of Map.groupBy(event.Records, workspaceOf)) {
      try {
        if (workspaceId === undefined) throw new Error('a message that names no workspace');
        const outcome = await learnAgain(workspaceId, records, dependencies, signal);
        write(JSON.stringify({ level: 'INFO', code: `relearn.${outcome}`, workspaceId }));
      } catch (error) {
        failed.push(...records);
        write(
          JSON.stringify({ level: 'ERROR', code: 'relearn.defect', workspaceId, ...describeError(error) }),
        );
      }
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

const workspaceOf = ({ body }: SQSRecord) => readLearnMessage(body)?.workspaceId;

async function queueAll({ store, queue }: RelearnDependencies, signal: AbortSignal): Promise<number> {
  let queued = 0;
  for await (const workspaceIds of store.list(signal)) {
    const messages = workspaceIds.map(
      (workspaceId): LearnMessage => ({ task: 'learn', workspaceId, ifLearned: true }),
    );
    const refused = await queue.send(messages);
    // The function fails, and Lambda repeats the event: to learn twice changes nothing.
    if (refused.size > 0) throw new Error('the queue did not take everything');
    queued += messages.length;
  }
  return queued;
}

type Outcome = 'learned' | 'nothing' | 'removed' | 'covered';

/** If another invocation writes in between, both read and decide again. */
async function learnAgain(
  workspaceId: string,
  records: readonly SQSRecord[],
  { store, readReviewed, now }: RelearnDependencies,
  signal: AbortSignal,
): Promise<Outcome> {
  async function remove(item: LearnedItem | undefined): Promise<Outcome> {
    if (!item) return 'nothing';
    await store.remove(workspaceId, item, signal);
    return 'removed';
  }

  return revise(
    () => store.find(workspaceId, signal),
    async ({ workspace, item }): Promise<Outcome> => {
      if (workspace !== 'on') return remove(item);
      if (isCovered(records, item)) return 'covered';
      const learnedAt = new Date(now()).toISOString();
      const { learned, from } = learnFrom(await readReviewed(workspaceId, signal));
      const points = [learned, ...Object.values(learned.forms)];
      if (points.every(({ words, signals }) => isEmpty(words) && isEmpty(signals))) return remove(item);
      await store.write(workspaceId, item, { learned, from, learnedAt }, signal);
      // Switched off or offboarded in the meantime: nothing may stay.
      if ((await store.find(workspaceId, signal)).workspace === 'on') return 'learned';
      await store.remove(workspaceId, 'any', signal);
      return 'removed';
    },
  );
}

const isEmpty = (points: object) => Object.keys(points).length === 0;

/** Whether there is nothing to do: several reviews in a row are learned from once. */
function isCovered(records: readonly SQSRecord[], item: LearnedItem | undefined): boolean {
  if (!item) return records.every(({ body }) => readLearnMessage(body)?.ifLearned === true);
  const newest = Math.max(...records.map(({ attributes }) => Number(attributes.SentTimestamp)));
  return Date.parse(item.learnedAt) - INDEX_FOLLOWS_MS > newest;
}

export function relearnDependencies(env: NodeJS.ProcessEnv): RelearnDependencies {
  const tables = tablesFromEnvironment(env, ['workspaces', 'leads', 'forms']);
  const context = { client: makeDocumentClient(), tables, now: Date.now };
  return {
    store: makeLearnedStore(context),
    readReviewed: makeReadReviewed(context),
    queue: makeOutbox(makeQueueClient(), requireVariable(env, QUEUE_VARIABLES.learning)),
    now: Date.now,
    write: toStdout,
  };
}
