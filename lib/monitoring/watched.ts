import type { Enrichment } from '../enrichment.ts';
import type { IngestApi } from '../ingest-api.ts';
import type { LeadStats } from '../lead-stats.ts';
import type { RejectionRecorder } from '../rejection-recorder.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { SettingsApi } from '../settings-api.ts';
import type { Stage } from '../stage.ts';
import type { Tables } from '../tables.ts';

/** What there is to watch. */
export interface Watched {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly ingestApi: IngestApi;
  readonly recorder: RejectionRecorder;
  readonly enrichment: Enrichment;
  readonly leadStats: LeadStats;
  readonly settingsApi: SettingsApi;
  readonly functions: readonly ServiceFunction[];
}
