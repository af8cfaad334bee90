import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../../aws/dynamodb.ts';
import { requireKnownVersion } from '../../model/lead-item.ts';
import { type SenderList, type SenderStatus, sendersKey } from '../../model/senders.ts';
import { AdministrationError } from '../../owner-api/errors.ts';
import { ifUnchanged, type Revised, revise } from '../../owner-api/revise.ts';
import type { WorkspaceAdministration } from '../../workspaces/workspaces-store.ts';
import {
  applyVerdicts,
  type ChangedList,
  type ListedSender,
  listedSenders,
  MAX_SENDERS,
  type SenderVerdict,
} from './sender-list.ts';

/** The workspace's trusted and blocked senders. Every change applies from the next submission on. */
export interface Senders {
  list(workspaceId: string): Promise<ListedSender[]>;
  put(workspaceId: string, sender: string, status: SenderStatus): Promise<ListedSender>;
  /** No error if it is not on the list. */
  remove(workspaceId: string, sender: string): Promise<void>;
  applyVerdicts(workspaceId: string, verdicts: readonly SenderVerdict[]): Promise<ChangedList>;
}

interface SendersContext extends StoreContext<'workspaces'> {
  readonly now: () => number;
}

interface SendersItem extends Revised {
  readonly senders: SenderList;
}

export function makeSenders(
  { client, tables, now }: SendersContext,
  workspaces: Pick<WorkspaceAdministration, 'requireExisting' | 'raiseConfigVersion'>,
): Senders {
  async function read(workspaceId: string): Promise<SendersItem | undefined> {
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.workspaces, Key: sendersKey(workspaceId), ConsistentRead: true }),
    );
    if (Item) requireKnownVersion(Item, 1);
    return Item as SendersItem | undefined;
  }

  async function write(workspaceId: string, seen: SendersItem | undefined, senders: SenderList) {
    const { next, condition, values } = ifUnchanged(seen);
    await client.send(
      new UpdateCommand({
        TableName: tables.workspaces,
        Key: sendersKey(workspaceId),
        UpdateExpression: 'SET senders = :senders, revision = :revision, v = :v',
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values, ':senders': senders, ':revision': next, ':v': 1 },
      }),
    );
  }

  /** As every change of configuration: written first, then announced by the version. Repeating it is safe. */
  async function change<Result extends { readonly list: SenderList }>(
    workspaceId: string,
    decide: (list: SenderList, at: string) => Result,
  ): Promise<Result> {
    // A list without its workspace would never be deleted.
    await workspaces.requireExisting(workspaceId);
    const at = new Date(now()).toISOString();
    const decided = await revise(
      () => read(workspaceId),
      async (seen) => {
        const result = decide(seen?.senders ?? {}, at);
        if (!isSame(seen?.senders ?? {}, result.list)) await write(workspaceId, seen, result.list);
        return result;
      },
    );
    await workspaces.raiseConfigVersion(workspaceId);
    return decided;
  }

  return {
    async list(workspaceId) {
      return listedSenders((await read(workspaceId))?.senders ?? {});
    },

    async put(workspaceId, sender, status) {
      const { entry } = await change(workspaceId, (list, at) => {
        const before = list[sender];
        if (before?.status === status) return { list, entry: before };
        if (!before && Object.keys(list).length >= MAX_SENDERS) throw listIsFull();
        const added = { status, addedAt: at };
        return { list: { ...list, [sender]: added }, entry: added };
      });
      return { sender, ...entry };
    },

    async remove(workspaceId, sender) {
      await change(workspaceId, ({ [sender]: _removed, ...list }) => ({ list }));
    },

    async applyVerdicts(workspaceId, verdicts) {
      if (verdicts.length === 0) return { list: {}, changed: [], full: false };
      return change(workspaceId, (list, at) => applyVerdicts(list, verdicts, at));
    },
  };
}

function listIsFull(): AdministrationError {
  return new AdministrationError(
    'conflict',
    `The list can have at most ${MAX_SENDERS} senders. Remove one first.`,
  );
}

function isSame(before: SenderList, after: SenderList): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}
