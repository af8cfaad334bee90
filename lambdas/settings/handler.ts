import { randomBytes } from 'node:crypto';
import { makeActivityLog, makeActivityReader } from '../access/activity-store.ts';
import { makeApiKeys } from '../access/api-keys-store.ts';
import { makeAlertReader } from '../alerts/alert-reader-store.ts';
import { makeDocumentClient } from '../aws/dynamodb.ts';
import {
  ENRICHMENT_VARIABLES,
  QUEUE_VARIABLES,
  requireVariable,
  SEARCH_VARIABLES,
  SENDING_VARIABLES,
  SETTINGS_VARIABLES,
  tablesFromEnvironment,
} from '../contract.ts';
import { makeQueueClient } from '../enrichment/queue-store.ts';
import { makeLeadIndex } from '../search/lead-index-store.ts';
import { makeLeadSearcher } from '../search/lead-search-store.ts';
import { makeResolveName } from '../sending/outbound-http.ts';
import { makeSendQueue } from '../sending/send-queue-store.ts';
import { makeStatsReader } from '../stats/stats-store.ts';
import { makeOwnerAdministration } from './administration/administration.ts';
import { makeLeadExport } from './leads/lead-export-store.ts';
import { makeLeadPages } from './leads/lead-pages-store.ts';
import { ownerPipeline } from './owner-pipeline.ts';
import { makeOwnerTelemetry } from './owner-request.ts';
import { activityRoutes, apiKeyRoutes } from './routes/access.ts';
import { alertRoutes } from './routes/alerts.ts';
import { deliveryRoutes, testRoutes } from './routes/delivery.ts';
import { destinationRoutes, messageRoutes } from './routes/destinations.ts';
import { formRoutes } from './routes/forms.ts';
import { leadRoutes } from './routes/leads.ts';
import { peopleRoutes } from './routes/people.ts';
import { reviewRoutes, senderRoutes } from './routes/reviews.ts';
import { statsRoutes, tokenRoutes, workspaceRoutes } from './routes/workspace.ts';
import {
  destinationDependencies,
  personDependencies,
  reviewDependencies,
  type SettingsDependencies,
} from './settings-dependencies.ts';
import { makeLastUses, makeSecretDates, makeWorkspaceUsage } from './usage-store.ts';
import { makeWebhookSender } from './webhook-sender.ts';

/** The owner's API. */
export function makeSettings(dependencies: SettingsDependencies) {
  return ownerPipeline(dependencies, [
    ...workspaceRoutes(dependencies),
    ...formRoutes(dependencies),
    ...deliveryRoutes(dependencies),
    ...testRoutes(dependencies),
    ...tokenRoutes(dependencies),
    ...leadRoutes(dependencies),
    ...peopleRoutes(dependencies),
    ...reviewRoutes(dependencies),
    ...senderRoutes(dependencies),
    ...destinationRoutes(dependencies),
    ...messageRoutes(dependencies),
    ...alertRoutes(dependencies),
    ...statsRoutes(dependencies),
    ...apiKeyRoutes(dependencies),
    ...activityRoutes(dependencies),
  ]);
}

/** Below the function's timeout and the gateway's 30 seconds, so that the caller gets an answer. */
const DEADLINE_MS = 22_000;

const TABLES = [
  'workspaces',
  'forms',
  'formSecrets',
  'tokens',
  'leads',
  'stats',
  'diagnostics',
  'destinations',
  'destinationSecrets',
  'messages',
  'alerts',
  'leadIndex',
  'apiKeys',
  'activity',
] as const;

export function settingsDependencies(env: NodeJS.ProcessEnv): SettingsDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const context = { client: makeDocumentClient(), tables, now: Date.now, randomBytes };
  const withWords = env[SEARCH_VARIABLES.words] !== 'false';
  const dnsServers = (env[ENRICHMENT_VARIABLES.dnsServers] ?? '').split(',').filter(Boolean);
  return {
    administrationOf: makeOwnerAdministration(context),
    ...destinationDependencies(context, {
      queue: makeSendQueue(makeQueueClient(), { sending: requireVariable(env, QUEUE_VARIABLES.sending) }),
      resolve: makeResolveName(dnsServers),
      allowLoopback: env[SENDING_VARIABLES.allowLoopback] === 'true',
      canSendEmail: Boolean(env[SENDING_VARIABLES.mailFrom]),
    }),
    usage: makeWorkspaceUsage(context),
    secretDates: makeSecretDates(context),
    lastUses: makeLastUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    leadSearch: makeLeadSearcher({ ...context, withWords }),
    ...personDependencies({ ...context, withWords }),
    leadIndex: makeLeadIndex(context),
    ...reviewDependencies(context),
    stats: makeStatsReader(context),
    alerts: makeAlertReader(context),
    apiKeysOf: makeApiKeys(context),
    activityReader: makeActivityReader(context),
    activity: makeActivityLog(context),
    webhooks: makeWebhookSender(),
    ingestUrl: requireVariable(env, SETTINGS_VARIABLES.ingestUrl).replace(/\/+$/, ''),
    telemetry: makeOwnerTelemetry('settings', Date.now),
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
  };
}
