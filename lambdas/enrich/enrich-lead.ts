import type { EnrichmentResult } from '../core/enrichment/enrichment-item.ts';
import { settle } from '../core/enrichment/settle.ts';
import type { LeadFields } from '../core/json-body.ts';
import { fromLeadItem, type LeadItem } from '../core/lead-item.ts';
import { hasExpired } from '../core/lead-retention.ts';
import { UnknownVersion } from '../core/schema-version.ts';
import type { Enrichments } from '../stores/enrichments.ts';
import { lookAround, type ReadLead, type Surroundings } from './look-around.ts';
import type { EnrichmentLine } from './telemetry.ts';

export interface EnrichLeadDependencies extends Surroundings {
  readonly enrichments: Enrichments;
  readonly now: () => number;
}

/** How the work on one lead ended. `retried` alone brings the message back. */
export type LeadOutcome = Pick<
  EnrichmentLine,
  'code' | 'workspaceId' | 'formId' | 'reason' | 'troubles' | 'facts'
>;

interface Signals {
  /** When to stop asking others, so that there is time left to write down what is known. */
  readonly asking: AbortSignal;
  readonly whole: AbortSignal;
}

export async function enrichLead(
  leadId: string,
  receiveCount: number,
  dependencies: EnrichLeadDependencies,
  signals: Signals,
): Promise<LeadOutcome> {
  const { enrichments, now } = dependencies;
  const { leadItem, enrichment } = await enrichments.read(leadId, signals.whole);
  if (!leadItem || hasExpired(leadItem, now())) return { code: 'gone' };
  const { workspaceId, formId } = leadItem;
  const expiresAt = leadItem.expiresAt as number | undefined;
  const known = { workspaceId, formId };
  // The relay sends clean leads only; this one was put into the queue by hand.
  if (leadItem.clean !== true) return { code: 'skipped', ...known };
  if (enrichment?.state === 'enriched') return { code: 'already_enriched', ...known };

  const { result, troubles } = await resultFor(leadItem, receiveCount, dependencies, signals.asking);
  if (result === 'retry') return { code: 'retried', troubles, ...known };
  const enrichedAt = new Date(now()).toISOString();
  const written = await enrichments.write(
    { ...result, leadId, enrichedAt, attempts: receiveCount, expiresAt },
    signals.whole,
  );
  if (written === 'gone') return { code: 'gone', ...known };
  if (result.state === 'failed') {
    return { code: written === 'settled' ? 'already_failed' : 'failed', reason: result.reason, ...known };
  }
  const facts = Object.keys(result.facts).length;
  return written === 'settled'
    ? { code: 'already_enriched', ...known }
    : { code: 'enriched', facts, troubles, ...known };
}

async function resultFor(
  leadItem: LeadItem,
  receiveCount: number,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<{ result: EnrichmentResult | 'retry'; troubles?: readonly string[] }> {
  const lead = readLeadItem(leadItem);
  if (!lead) return { result: { state: 'failed', reason: 'body_unreadable', facts: {} } };
  const findings = await lookAround(lead, surroundings, signal);
  const troubles = findings.troubles.map(({ outside, code }) => `${outside}:${code}`);
  return { result: settle({ ...findings, receiveCount }), troubles };
}

/**
 * Every stored body was an object when it was accepted; one that is none any more is damaged for good. One of a later
 * version is not: its message comes back, and ends as a dead letter that waits for the later release.
 */
function readLeadItem(leadItem: LeadItem): ReadLead | undefined {
  try {
    const { body, roles } = fromLeadItem(leadItem);
    const fields: unknown = JSON.parse(body);
    return typeof fields === 'object' && fields !== null
      ? { fields: fields as LeadFields, roles }
      : undefined;
  } catch (error) {
    if (error instanceof UnknownVersion) throw error;
    return undefined;
  }
}
