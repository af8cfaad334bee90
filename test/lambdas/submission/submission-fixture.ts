import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TableKey } from '#contract';
import {
  openIngestFixture,
  REJECTED,
  type Request,
  SAMPLE,
  type Sender,
  serverEvent,
  submissionId,
} from '#local/fixture/ingest-fixture.ts';
import { fromLeadItem, type Lead } from '#model/lead-item.ts';
import { ownerOf, type RejectionRecord } from '#rejections/rejection-record.ts';
import { unfollowedStack } from '../../local-stack.ts';
import { itemAt, itemsOf, setAttributes } from '../../stored-items.ts';

/** Runs every job, at most `abreast` at a time, like environments that each take one request at a time. */
export async function crowd<Result>(
  jobs: number,
  abreast: number,
  job: (index: number, lane: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function lane(number: number) {
    while (next < jobs) {
      const index = next;
      next += 1;
      results[index] = await job(index, number);
    }
  }
  await Promise.all(Array.from({ length: abreast }, (_, number) => lane(number)));
  return results;
}

export { REJECTED, type Request, SAMPLE, type Sender, serverEvent, submissionId };

const REJECTION_TABLES = ['rejections', 'unauthenticatedRejections'] as const;

/** The ingest fixture on the stack of the test run, with what tests read from its tables. */
export function openSubmissionFixture(startAt?: number, runningStack = unfollowedStack()) {
  const fixture = openIngestFixture(runningStack, startAt);
  const { stack, client, observer } = fixture;

  /** Where the functions of this fixture record rejections. Diagnostics follow later, from the streams. */
  const recorded: { table: string; record: RejectionRecord }[] = [];
  client.middlewareStack.add(
    (next) => (args) => {
      const { TableName = '', Item = {} } = args.input as {
        TableName?: string;
        Item?: Record<string, AttributeValue>;
      };
      if (REJECTION_TABLES.some((tableKey) => stack.tables[tableKey] === TableName)) {
        recorded.push({ table: TableName, record: unmarshall(Item) as unknown as RejectionRecord });
      }
      return next(args);
    },
    { step: 'initialize', name: 'recordedRejections' },
  );

  /** Sets a counter as if this many submissions had been accepted. */
  const pretendCounted = ({ workspaceId }: Sender, counter: string, count: number) =>
    setAttributes(observer, stack.tables.workspaces, { workspaceId }, { [counter]: count });

  const itemOf = (tableKey: TableKey, key: Readonly<Record<string, string>>) =>
    itemAt(observer, stack.tables[tableKey], key);

  const workspaceItem = async (workspaceId: string): Promise<Record<string, unknown>> =>
    (await itemOf('workspaces', { workspaceId })) ?? {};

  async function leadById(leadId: string): Promise<Lead | undefined> {
    const item = await itemOf('leads', { leadId, part: 'lead' });
    return item && fromLeadItem(item);
  }

  async function leadIdsOf(formId: string): Promise<string[]> {
    const ids: string[] = [];
    const pages = paginateQuery(
      { client: observer },
      {
        TableName: stack.tables.leads,
        IndexName: 'byForm',
        KeyConditionExpression: 'formId = :formId',
        ExpressionAttributeValues: { ':formId': formId },
      },
    );
    for await (const { Items = [] } of pages) ids.push(...Items.map(({ leadId }) => leadId as string));
    return ids;
  }

  const diagnosticsOf = (workspaceId: string, sk?: string) =>
    itemsOf(observer, stack.tables.diagnostics, { workspaceId }, sk ? { sk } : {});

  /** The records of a workspace, or those that belong to no workspace. */
  async function rejectionsOf(workspaceId?: string): Promise<(RejectionRecord & { table: string })[]> {
    const theirs = recorded.filter(({ record }) =>
      record.sharedBy ? record.sharedBy.includes(workspaceId ?? '') : ownerOf(record) === workspaceId,
    );
    const stored = await Promise.all(
      theirs.map(async ({ table, record: { requestId, sk } }) => {
        const item = await itemAt(observer, table, { requestId, sk });
        return item && [{ ...(item as unknown as RejectionRecord), table }];
      }),
    );
    return stored.flatMap((item) => item ?? []);
  }

  return {
    ...fixture,
    pretendCounted,
    itemOf,
    workspaceItem,
    leadById,
    leadIdsOf,
    diagnosticsOf,
    rejectionsOf,
    /** The reasons recorded for a workspace, with their counts. */
    async reasonsOf(workspaceId: string): Promise<Record<string, number>> {
      const reasons: Record<string, number> = {};
      for (const { reason } of await rejectionsOf(workspaceId)) reasons[reason] = (reasons[reason] ?? 0) + 1;
      return reasons;
    },
  };
}
