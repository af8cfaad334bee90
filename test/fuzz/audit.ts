import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { fromLeadItem } from '../../lambdas/submission/lead-item.ts';
import type { openContract } from '../contract/tenant.ts';
import { digestOf, type Judge } from './judge.ts';
import type { World } from './world.ts';

/** What the tables say once all has been answered. */
export interface Audit {
  readonly stored: number;
  /** Told of and not there, or there with another body. */
  readonly missing: readonly string[];
  readonly altered: readonly string[];
  /** There, and more than the senders that hung up can account for. */
  readonly unaccounted: number;
  /** Rejections of the service's own making. */
  readonly defects: number;
}

type Contract = Pick<ReturnType<typeof openContract>, 'client' | 'tables'>;

export async function audit({ client, tables }: Contract, world: World, judge: Judge): Promise<Audit> {
  const ours = new Set(world.tenants.map(({ workspaceId }) => workspaceId));
  const seen = new Set<string>();
  const altered: string[] = [];
  let stored = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.leads })) {
    for (const item of Items) {
      if (item.part !== 'lead' || !ours.has(item.workspaceId as string)) continue;
      stored += 1;
      const { leadId, body } = fromLeadItem(item);
      const digest = judge.leads.get(leadId);
      if (judge.leads.has(leadId)) seen.add(leadId);
      if (digest !== undefined && digest !== digestOf(body)) altered.push(leadId);
    }
  }
  return {
    stored,
    altered,
    missing: [...judge.leads.keys()].filter((leadId) => !seen.has(leadId)),
    unaccounted: Math.max(0, stored - seen.size - judge.unheard()),
    defects: await countDefects({ client, tables }),
  };
}

async function countDefects({ client, tables }: Contract): Promise<number> {
  let defects = 0;
  for (const TableName of [tables.rejections, tables.unauthenticatedRejections, tables.diagnostics]) {
    const pages = paginateScan(
      { client },
      {
        TableName,
        FilterExpression: 'contains(sk, :defect) OR reason = :defect',
        ExpressionAttributeValues: { ':defect': 'internal_error' },
        Select: 'COUNT',
        ConsistentRead: true,
      },
    );
    for await (const { Count = 0 } of pages) defects += Count;
  }
  return defects;
}
