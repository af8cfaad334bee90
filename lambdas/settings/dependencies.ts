import { randomBytes } from 'node:crypto';
import { SETTINGS_VARIABLES } from '../contract.ts';
import { requireVariable, tablesFromEnvironment } from '../environment.ts';
import { makeOwnerAdministration } from '../stores/administration/index.ts';
import { makeDocumentClient } from '../stores/document-client.ts';
import { makeLastUses } from '../stores/owner/last-uses.ts';
import { makeLeadExport } from '../stores/owner/lead-export.ts';
import { makeLeadPages } from '../stores/owner/lead-pages.ts';
import { makeSecretDates } from '../stores/owner/secret-dates.ts';
import { makeStatsReader } from '../stores/owner/stats-reader.ts';
import { makeWebhookSender } from '../stores/owner/webhook-sender.ts';
import { makeWorkspaceUsage } from '../stores/owner/workspace-usage.ts';
import { makeOwnerTelemetry } from '../telemetry/owner-telemetry.ts';
import type { SettingsDependencies } from './settings-dependencies.ts';

/** Less than the function's own timeout and the gateway's 30 seconds, so that whoever waits gets an answer. */
const DEADLINE_MS = 22_000;

const TABLES = ['workspaces', 'forms', 'formSecrets', 'tokens', 'leads', 'stats', 'diagnostics'] as const;

export function settingsDependencies(env: NodeJS.ProcessEnv): SettingsDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const context = { client: makeDocumentClient(), tables, now: Date.now, randomBytes };
  return {
    administrationOf: makeOwnerAdministration(context),
    usage: makeWorkspaceUsage(context),
    secretDates: makeSecretDates(context),
    lastUses: makeLastUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    stats: makeStatsReader(context),
    webhooks: makeWebhookSender(),
    ingestUrl: requireVariable(env, SETTINGS_VARIABLES.ingestUrl).replace(/\/+$/, ''),
    telemetry: makeOwnerTelemetry('settings', Date.now),
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
  };
}
