import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { METRICS } from '../../contract.ts';
import { fieldsOfLead, type LeadFields, type LeadRoles } from '../../model/lead-fields.ts';
import { fromLeadItem, hasExpired, type LeadItem, UnknownVersion } from '../../model/lead-item.ts';
import type { EnrichmentMessage, EnrichmentResult, Facts } from '../enrichment-item.ts';
import type { Enrichments } from '../enrichments-store.ts';
import { ExternalFailure, type Findings, settle } from '../external-failures.ts';
import { contextOf, gatherFacts, mailHostFacts, rolesOf } from '../gather-facts.ts';
import type { MailExchanges } from '../mail-exchanges.ts';
import { type EnrichmentProvider, providerQuestion } from '../provider-http.ts';

export interface ExternalSources {
  readonly mailExchanges: MailExchanges;
  /** Absent unless the deployer configured one. */
  readonly provider?: EnrichmentProvider | undefined;
}

/** A lead's fields, and which key has which role where its form said so. */
export interface ReadLead {
  readonly fields: LeadFields;
  readonly roles: LeadRoles | undefined;
}

/** Everything that can be found out about a lead now: from its body, from DNS and, if there is one, the provider. */
export async function gatherAllFacts(
  { fields, roles }: ReadLead,
  { mailExchanges, provider }: ExternalSources,
  signal: AbortSignal,
): Promise<Omit<Findings, 'receiveCount'>> {
  const { facts, mailHost } = gatherFacts(rolesOf(fields, roles), contextOf(fields, roles));
  const question = providerQuestion(facts);
  const asked = await Promise.all([
    mailHost === undefined ? {} : outcomeOf(mailExchanges.hostsOf(mailHost).then(mailHostFacts)),
    !provider || Object.keys(question).length === 0 ? {} : outcomeOf(provider.ask(question, signal)),
  ]);
  return {
    facts: Object.assign({ ...facts }, ...asked.filter((each) => !(each instanceof ExternalFailure))),
    failures: asked.filter((each) => each instanceof ExternalFailure),
  };
}

/** An external failure is a finding; anything else is a defect and is thrown. */
async function outcomeOf(facts: Promise<Facts>): Promise<Facts | ExternalFailure> {
  try {
    return await facts;
  } catch (error) {
    if (error instanceof ExternalFailure) return error;
    throw error;
  }
}

export interface EnrichLeadDependencies extends ExternalSources {
  readonly enrichments: Enrichments;
  readonly now: () => number;
}

/** How the work on one lead ended. `retried` alone brings the message back. */
export type LeadOutcome = Pick<
  EnrichmentLine,
  'code' | 'workspaceId' | 'formId' | 'reason' | 'failures' | 'facts'
>;

interface Signals {
  /** When to stop asking others, so that there is time left to write down what is known. */
  readonly asking: AbortSignal;
  readonly whole: AbortSignal;
}

export async function enrichLead(
  { leadId, madeClean }: EnrichmentMessage,
  receiveCount: number,
  dependencies: EnrichLeadDependencies,
  signals: Signals,
): Promise<LeadOutcome> {
  const { enrichments, now } = dependencies;
  const { leadItem, enrichment, announcedClean } = await enrichments.read(leadId, signals.whole);
  if (!leadItem || hasExpired(leadItem, now())) {
    // Whoever wrote it may have died before the second look.
    if (enrichment) await enrichments.remove(leadId, signals.whole);
    return { code: 'gone' };
  }
  const { workspaceId, formId, score } = leadItem;
  const expiresAt = leadItem.expiresAt as number | undefined;
  const known = { workspaceId, formId };
  const clean = leadItem.clean === true;
  const isEnriched = enrichment?.state === 'enriched';
  // Destinations that only get clean leads were not told of it while a review said otherwise.
  if (isEnriched && (announcedClean !== clean || (clean && madeClean))) {
    const announced = { workspaceId, formId, score, clean, announcedAt: new Date(now()).toISOString() };
    await enrichments.announce({ ...enrichment, expiresAt }, announced, signals.whole);
  }
  if (!clean) return { code: 'skipped', ...known };
  if (isEnriched) return { code: 'already_enriched', ...known };

  const { result, failures } = await resultFor(leadItem, receiveCount, dependencies, signals.asking);
  if (result === 'retry') return { code: 'retried', failures, ...known };
  const enrichedAt = new Date(now()).toISOString();
  const written = await enrichments.write(
    { ...result, leadId, enrichedAt, attempts: receiveCount, expiresAt },
    { workspaceId, formId, score, clean: true },
    signals.whole,
  );
  if (written === 'gone') return { code: 'gone', ...known };
  if (result.state === 'failed') {
    return { code: written === 'settled' ? 'already_failed' : 'failed', reason: result.reason, ...known };
  }
  const facts = Object.keys(result.facts).length;
  return written === 'settled'
    ? { code: 'already_enriched', ...known }
    : { code: 'enriched', facts, failures, ...known };
}

async function resultFor(
  leadItem: LeadItem,
  receiveCount: number,
  surroundings: ExternalSources,
  signal: AbortSignal,
): Promise<{ result: EnrichmentResult | 'retry'; failures?: readonly string[] }> {
  const lead = readLeadItem(leadItem);
  if (!lead) return { result: { state: 'failed', reason: 'body_unreadable', facts: {} } };
  const findings = await gatherAllFacts(lead, surroundings, signal);
  const failures = findings.failures.map(({ outside, code }) => `${outside}:${code}`);
  return { result: settle({ ...findings, receiveCount }), failures };
}

/**
 * Only objects are accepted, so a stored body that is not an object is damaged, and a retry won't help. A body of a later
 * version is not damaged: its message is retried and becomes a dead letter, which waits for the later release.
 */
function readLeadItem(leadItem: LeadItem): ReadLead | undefined {
  try {
    const lead = fromLeadItem(leadItem);
    const fields = fieldsOfLead(lead);
    return fields && { fields, roles: lead.roles };
  } catch (error) {
    if (error instanceof UnknownVersion) throw error;
    return undefined;
  }
}

export type EnrichmentCode =
  | 'enriched'
  | 'retried'
  | 'failed'
  | 'skipped'
  | 'gone'
  | 'already_enriched'
  | 'already_failed'
  | 'malformed';

/** Ids, codes and counts. Never a value of the lead, a domain or a key. */
export interface EnrichmentLine {
  readonly code: EnrichmentCode;
  readonly messageId: string;
  readonly leadId?: string | undefined;
  readonly workspaceId?: unknown;
  readonly formId?: unknown;
  readonly receiveCount: number;
  readonly tookMilliseconds: number;
  readonly reason?: string | undefined;
  /** What was asked and did not respond, each with a code: `dns:ETIMEOUT`. */
  readonly failures?: readonly string[] | undefined;
  readonly facts?: number | undefined;
  readonly retryInSeconds?: number | undefined;
  readonly error?: unknown;
}

export interface EnrichmentTelemetry {
  message(line: EnrichmentLine): void;
}

const METRIC_OF: Readonly<Partial<Record<EnrichmentCode, string>>> = {
  enriched: METRICS.enriched,
  failed: METRICS.enrichmentFailed,
  retried: METRICS.enrichmentRetried,
};

/** One wide line per message, which is also an EMF document. */
export function makeEnrichmentTelemetry(now: () => number, write: WriteLine = toStdout): EnrichmentTelemetry {
  return {
    message({ code, error, ...line }) {
      const metric = METRIC_OF[code];
      write(
        JSON.stringify({
          level: error === undefined && code !== 'malformed' ? 'INFO' : 'ERROR',
          code: `enrichment.${code}`,
          ...line,
          ...(error === undefined ? {} : describeError(error)),
          ...(metric && {
            [metric]: 1,
            _aws: metricsEnvelope(now(), { names: [metric], dimensions: [] }),
          }),
        }),
      );
    },
  };
}
