import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { counterKey, counterName, retentionEnd } from '../../lambdas/rejections/diagnostics-items.ts';
import type { Reason } from '../../lambdas/rejections/reasons.ts';
import { hourlyCounts } from '../../lambdas/stats/stats-items.ts';
import type { StreamedLead } from '../../lambdas/submission/lead-item.ts';
import { openContract, type Tenant } from '../contract/tenant.ts';

const HOUR = 60 * 60 * 1000;
const HOURS = 7 * 24;
const REASONS: readonly Reason[] = ['signature_mismatch', 'timestamp_out_of_window', 'body_invalid_json'];

/** Counts of the week before, as if the pictures' workspace had been there: more by day than by night, by two forms. */
export async function rememberAWeek({ workspaceId, formId }: Tenant): Promise<void> {
  const { client, tables, administration } = openContract();
  const other = await administration.createForm({ workspaceId, name: 'Request a quote' });
  await administration.setSecret({ formId: other.formId });
  const now = Date.now();
  for (let hoursAgo = 1; hoursAgo < HOURS; hoursAgo += 1) {
    const at = now - hoursAgo * HOUR;
    const busy = Math.max(0, Math.sin(((new Date(at).getUTCHours() - 5) / 24) * 2 * Math.PI)) + 0.15;
    const leads = Array.from({ length: Math.round(busy * (9 + (hoursAgo % 5))) }, (_, index) => ({
      workspaceId,
      formId: (index + hoursAgo) % 3 === 0 ? other.formId : formId,
      receivedAt: new Date(at).toISOString(),
      score: [92, 85, 71, 55, 34, 8][(index + hoursAgo) % 6],
      clean: (index + hoursAgo) % 6 < 4,
    })) as StreamedLead[];
    for (const { sk, increments } of hourlyCounts(leads)) await add(tables.stats, sk, increments);
    if (hoursAgo % 7 !== 0 && busy < 0.5) continue;
    const rejected = {
      at: new Date(at).toISOString(),
      formId,
      authenticated: false,
      surface: '1b' as const,
      reason: REASONS[hoursAgo % REASONS.length] as Reason,
    };
    const { sk } = counterKey(workspaceId, rejected, 0);
    await add(tables.diagnostics, sk, { [counterName(rejected.at)]: 1 + (hoursAgo % 3) }, rejected.at);
  }

  async function add(table: string, sk: string, increments: Readonly<Record<string, number>>, at?: string) {
    const names = Object.keys(increments);
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { workspaceId, sk },
        UpdateExpression: `ADD ${names.map((_, index) => `#n${index} :n${index}`).join(', ')} SET v = :v${at === undefined ? '' : ', expiresAt = :end'}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#n${index}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(names.map((name, index) => [`:n${index}`, increments[name]])),
          ':v': 1,
          ...(at !== undefined && { ':end': retentionEnd(at) }),
        },
      }),
    );
  }
}
