import type { AlertReader } from '../alerts/alert-reader-store.ts';
import type { DestinationAdministration } from '../sending/keep-destinations.ts';
import type { MessageReader } from '../sending/message-reader-store.ts';
import type { StatsReader } from '../stats/stats-store.ts';
import type { OwnerAdministration } from './administration/administration.ts';
import type { LeadExport } from './leads/lead-export-store.ts';
import type { LeadPages } from './leads/lead-pages-store.ts';
import type { OwnerPipelineDependencies } from './owner-pipeline.ts';
import type { LastUseReader, SecretDatesReader, WorkspaceUsageReader } from './usage-store.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface SettingsDependencies extends OwnerPipelineDependencies {
  readonly administrationOf: (workspaceId: string) => OwnerAdministration;
  readonly usage: WorkspaceUsageReader;
  readonly secretDates: SecretDatesReader;
  readonly lastUses: LastUseReader;
  readonly leads: LeadPages;
  readonly leadExport: LeadExport;
  readonly stats: StatsReader;
  readonly webhooks: WebhookSender;
  readonly destinationsOf: (workspaceId: string) => DestinationAdministration;
  readonly messages: MessageReader;
  readonly alerts: AlertReader;
  /** Whether the deployment has a sender of mail. */
  readonly canSendEmail: boolean;
  /** Where senders reach the service, without a slash at the end. */
  readonly ingestUrl: string;
}
