import { DeleteCommand, GetCommand, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../../aws/dynamodb.ts';
import { isBeingOffboarded } from '../../aws/removed-workspaces.ts';
import type { Workspace } from '../../model/configuration.ts';
import { requireKnownVersion } from '../../model/lead-item.ts';
import { type Learned, type LearnedFrom, learnedKey } from '../../model/learned.ts';
import { ifUnchanged, type Revised } from '../../owner-api/revise.ts';

export interface LearnedItem extends Revised {
  readonly learned: Learned;
  readonly from: LearnedFrom;
  /** When the verdicts were read. */
  readonly learnedAt: string;
}

export interface LearningState {
  /** `gone` also for one that is being offboarded. */
  readonly workspace: 'on' | 'off' | 'gone';
  readonly item: LearnedItem | undefined;
}

/** What was learned from a workspace's verdicts. It can always be computed again, so no backup has it. */
export interface LearnedStore {
  find(workspaceId: string, signal: AbortSignal): Promise<LearningState>;
  /** Fails with DynamoDB's error if the item has changed since it was seen. */
  write(
    workspaceId: string,
    seen: LearnedItem | undefined,
    content: Omit<LearnedItem, 'revision'>,
    signal: AbortSignal,
  ): Promise<void>;
  /** The same, or whatever the item is. No error if there is none. */
  remove(workspaceId: string, seen: LearnedItem | 'any', signal: AbortSignal): Promise<void>;
  /** The workspaces that have such an item, page by page. Reads the whole table. */
  list(signal: AbortSignal): AsyncGenerator<string[]>;
}

const PREFIX = learnedKey('').workspaceId;

export function makeLearnedStore({ client, tables }: StoreContext<'workspaces'>): LearnedStore {
  const table = tables.workspaces;

  async function get(Key: { readonly workspaceId: string }, signal: AbortSignal) {
    const command = new GetCommand({ TableName: table, Key, ConsistentRead: true });
    return (await client.send(command, { abortSignal: signal })).Item;
  }

  return {
    async find(workspaceId, signal) {
      const [owner, item] = await Promise.all([
        get({ workspaceId }, signal),
        get(learnedKey(workspaceId), signal),
      ]);
      if (item) requireKnownVersion(item, 1);
      const { learningOff } = (owner ?? {}) as Partial<Workspace>;
      const workspace = !owner || isBeingOffboarded(owner) ? 'gone' : learningOff ? 'off' : 'on';
      return { workspace, item: item as LearnedItem | undefined };
    },

    async write(workspaceId, seen, { learned, from, learnedAt }, signal) {
      const { next, condition, values } = ifUnchanged(seen);
      await client.send(
        new PutCommand({
          TableName: table,
          Item: { ...learnedKey(workspaceId), learned, from, learnedAt, revision: next, v: 1 },
          ConditionExpression: condition,
          ...(seen && { ExpressionAttributeValues: values }),
        }),
        { abortSignal: signal },
      );
    },

    async remove(workspaceId, seen, signal) {
      const { condition, values } = ifUnchanged(seen === 'any' ? undefined : seen);
      const ifSeen = { ConditionExpression: condition, ExpressionAttributeValues: values };
      await client.send(
        new DeleteCommand({
          TableName: table,
          Key: learnedKey(workspaceId),
          ...(seen !== 'any' && ifSeen),
        }),
        { abortSignal: signal },
      );
    },

    async *list(signal) {
      const scan = {
        TableName: table,
        FilterExpression: 'begins_with(workspaceId, :prefix)',
        ExpressionAttributeValues: { ':prefix': PREFIX },
        ProjectionExpression: 'workspaceId',
      };
      for await (const { Items = [] } of paginateScan({ client }, scan)) {
        signal.throwIfAborted();
        yield Items.map((item) => String(item.workspaceId).slice(PREFIX.length));
      }
    },
  };
}
