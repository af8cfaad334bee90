import { ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { copyTable } from '../local/fixture/copy-table.ts';
import { type RunningStack, readRunningStack } from '../local/fixture/running-stack.ts';

export type LocalStack = RunningStack;

/** The stack that the test run has started. */
export function localStack(outputsFile = process.env.LEAD_INGEST_OUTPUTS): LocalStack {
  if (!outputsFile) throw new Error('LEAD_INGEST_OUTPUTS is not set: run the tests with npm test');
  return readRunningStack(outputsFile);
}

const FOLLOWED = ['leads', 'rejections', 'unauthenticatedRejections'] as const;

/**
 * The same stack, with copies of the tables that its functions follow. For each lead they would do more work than most tests
 * ask for, and in the middle of it: what they write a moment later may be what was true when they began.
 */
export function unfollowedStack(): LocalStack {
  const stack = localStack();
  const copies = FOLLOWED.map((tableKey) => [tableKey, copyOf(stack.tables[tableKey])]);
  return { ...stack, tables: { ...stack.tables, ...Object.fromEntries(copies) } };
}

const copyOf = (table: string) => `${table}-unfollowed`;

/** Makes the copies, for all tests of a run. */
export async function copyFollowedTables(outputsFile: string): Promise<void> {
  const { tables, newClient } = localStack(outputsFile);
  const client = newClient();
  for (const tableKey of FOLLOWED) {
    await copyTable(client, tables[tableKey], copyOf(tables[tableKey])).catch((error) => {
      // A stack that was running already has them from an earlier run.
      if (!(error instanceof ResourceInUseException)) throw error;
    });
  }
  client.destroy();
}
