import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { METRICS } from '../../contract.ts';

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
  /** What was asked and did not answer, each with a code: `dns:ETIMEOUT`. */
  readonly troubles?: readonly string[] | undefined;
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
