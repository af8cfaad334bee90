import { hashIdempotencyKey } from '#submission/idempotency-key.ts';
import type { Tenant } from '../../contract/tenant.ts';
import { type Finding, without } from '../findings.ts';
import { auditAftermath } from './audit-aftermath.ts';
import { auditCounters, type Room } from './audit-counters.ts';
import type { Ledger } from './ledger.ts';
import { bodyOf, keyIn } from './plan.ts';
import type { StoredState } from './stored-state.ts';

export interface Evidence {
  readonly ledger: Ledger;
  readonly stored: StoredState;
  readonly tenants: readonly Tenant[];
  /** How many each minute had room for, where that was less than the limit. */
  readonly rooms: readonly Room[];
}

/** Holds what the tables say against what the senders were told. */
export function audit(evidence: Evidence): Finding[] {
  const { ledger, stored } = evidence;
  const histories = [...ledger.keys.values()];
  const acknowledged = histories.filter(({ acceptedIds }) => acceptedIds.size > 0);
  const leadsById = new Map(stored.leads.map((lead) => [lead.leadId, lead]));
  const leadsByKey = Map.groupBy(stored.leads, ({ body }) => keyIn(body) ?? 'none');

  /** What is wrong with the lead that an id was given for; undefined where nothing is. */
  function faultOf(id: string, { plan }: (typeof histories)[number]): string | undefined {
    const lead = leadsById.get(id);
    if (!lead) return 'no lead';
    if (!plan.clients.some((client) => bodyOf(plan, client) === lead.body)) return 'another body';
    if (lead.formId !== evidence.tenants[plan.tenant]?.formId) return 'another form';
    return Number.isInteger(lead.score) ? undefined : 'no score';
  }

  return [
    without(
      'every 202 has its lead, byte for byte, scored',
      acknowledged.flatMap((history) =>
        [...history.acceptedIds].flatMap((id) => {
          const fault = faultOf(id, history);
          return fault ? [`${history.plan.key}: ${fault}`] : [];
        }),
      ),
      acknowledged.length,
      'keys with a 202',
    ),
    without(
      'no key has two leads',
      [...leadsByKey].filter(([, leads]) => leads.length > 1).map(([key, { length }]) => `${key}: ${length}`),
      leadsByKey.size,
      'keys with a lead',
    ),
    without(
      'every 202 of a key names the same lead',
      acknowledged.filter(({ acceptedIds }) => acceptedIds.size > 1).map(({ plan }) => plan.key),
      acknowledged.length,
      'keys with a 202',
    ),
    without(
      "every lead is the one that its key's record names",
      stored.leads.filter((lead) => !isNamedByItsKey(lead, evidence)).map(({ leadId }) => leadId),
      stored.leads.length,
      `leads, ${stored.leads.length - acknowledged.length} of which nobody saw the 202`,
    ),
    without(
      'only the 202 and the opaque 200',
      ledger.forbiddenAnswers,
      ledger.attempts - ledger.lost,
      'answers',
    ),
    ...auditAftermath(stored),
    ...auditCounters(stored, evidence.rooms),
  ];
}

function isNamedByItsKey(
  { leadId, workspaceId, body }: StoredState['leads'][number],
  { stored: { keyRecords } }: Evidence,
): boolean {
  const record = keyRecords.get(hashIdempotencyKey(workspaceId, keyIn(body) ?? ''));
  return record?.kind === 'accepted' && record.leadId === leadId;
}
