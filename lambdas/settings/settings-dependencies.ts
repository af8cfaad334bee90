import type { OwnerPipelineDependencies } from '../middleware/settings/owner-pipeline.ts';
import type { OwnerAdministration } from '../stores/administration/index.ts';
import type { LastUseReader } from '../stores/owner/last-uses.ts';
import type { LeadExport } from '../stores/owner/lead-export.ts';
import type { LeadPages } from '../stores/owner/lead-pages.ts';
import type { SecretDatesReader } from '../stores/owner/secret-dates.ts';
import type { StatsReader } from '../stores/owner/stats-reader.ts';
import type { WebhookSender } from '../stores/owner/webhook-sender.ts';
import type { WorkspaceUsageReader } from '../stores/owner/workspace-usage.ts';

export interface SettingsDependencies extends OwnerPipelineDependencies {
  readonly administrationOf: (workspaceId: string) => OwnerAdministration;
  readonly usage: WorkspaceUsageReader;
  readonly secretDates: SecretDatesReader;
  readonly lastUses: LastUseReader;
  readonly leads: LeadPages;
  readonly leadExport: LeadExport;
  readonly stats: StatsReader;
  readonly webhooks: WebhookSender;
  /** Where senders reach the service, without a slash at the end. */
  readonly ingestUrl: string;
}
