import { randomBytes } from 'node:crypto';
import { activityRoutes, apiKeyRoutes } from '../access/access-routes.ts';
import { makeApiKeys } from '../access/api-keys-store.ts';
import { makeAlertReader } from '../alerts/alert-reader-store.ts';
import { alertRoutes } from '../alerts/alert-routes.ts';
import { makeDocumentClient } from '../aws/dynamodb.ts';
import { makeOutbox, makeQueueClient } from '../aws/queues.ts';
import {
  ENRICHMENT_VARIABLES,
  QUEUE_VARIABLES,
  requireVariable,
  SENDING_VARIABLES,
  SETTINGS_VARIABLES,
  tablesFromEnvironment,
} from '../contract.ts';
import { makeLeadExport } from '../leads/export/lead-export-store.ts';
import { makeListExport } from '../leads/export/list-export-store.ts';
import { handlingRoutes } from '../leads/handling/handling-routes.ts';
import { makeLeadPages } from '../leads/lead-pages-store.ts';
import { leadRoutes } from '../leads/lead-routes.ts';
import { learningRoutes } from '../leads/learning/learning-routes.ts';
import { listRoutes } from '../leads/list-routes.ts';
import { type IndexLag, makeIndexBacklog, makeIndexLag } from '../leads/people/index-backlog-store.ts';
import { peopleRoutes } from '../leads/people/people-routes.ts';
import { reviewRoutes, senderRoutes } from '../leads/reviews/review-routes.ts';
import { makeLeadIndex } from '../leads/search/lead-index-store.ts';
import { makeLeadSearcher } from '../leads/search/lead-search-store.ts';
import { makeActivityLog, makeActivityReader } from '../owner-api/activity-store.ts';
import { ownerPipeline } from '../owner-api/owner-pipeline.ts';
import { makeOwnerTelemetry } from '../owner-api/owner-request.ts';
import { destinationRoutes, messageRoutes } from '../sending/destination-routes.ts';
import { makeResolveName } from '../sending/outbound-http.ts';
import { makeSendQueue } from '../sending/send-queue-store.ts';
import { statsRoutes } from '../stats/stats-routes.ts';
import { makeStatsReader } from '../stats/stats-store.ts';
import { makeOwnerAdministration } from '../workspaces/administration.ts';
import { deliveryRoutes, testRoutes } from '../workspaces/delivery-routes.ts';
import { formRoutes } from '../workspaces/form-routes.ts';
import { providerRoutes } from '../workspaces/provider-routes.ts';
import {
  makeLastUses,
  makeProviderUses,
  makeSecretDates,
  makeWorkspaceUsage,
} from '../workspaces/usage-store.ts';
import { makeWebhookSender } from '../workspaces/webhook-sender.ts';
import { tokenRoutes, workspaceRoutes } from '../workspaces/workspace-routes.ts';
import {
  destinationDependencies,
  learningDependencies,
  personDependencies,
  reviewDependencies,
  type SettingsDependencies,
} from './settings-dependencies.ts';

/** The owner's API. */
export function makeSettings(dependencies: SettingsDependencies) {
  return ownerPipeline('settings', dependencies, [
    ...workspaceRoutes(dependencies),
    ...formRoutes(dependencies),
    ...deliveryRoutes(dependencies),
    ...testRoutes(dependencies),
    ...providerRoutes(dependencies),
    ...tokenRoutes(dependencies),
    ...leadRoutes(dependencies),
    ...listRoutes(dependencies),
    ...peopleRoutes(dependencies),
    ...reviewRoutes(dependencies),
    ...handlingRoutes(dependencies),
    ...senderRoutes(dependencies),
    ...learningRoutes(dependencies),
    ...destinationRoutes(dependencies),
    ...messageRoutes(dependencies),
    ...alertRoutes(dependencies),
    ...statsRoutes(dependencies),
    ...apiKeyRoutes(dependencies),
    ...activityRoutes(dependencies),
  ]);
}

/** Below the function's timeout and the gateway's 30 seconds, so that the caller gets a response. */
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
  'members',
  'apiKeys',
  'activity',
] as const;

const indexQueues = (env: NodeJS.ProcessEnv) => ({
  index: requireVariable(env, QUEUE_VARIABLES.index),
  deadLetters: requireVariable(env, QUEUE_VARIABLES.indexDeadLetters),
});

/** One machine has no CloudWatch: there, only an empty queue says that nothing waits. */
function indexLag(env: NodeJS.ProcessEnv): IndexLag | undefined {
  if (env.AWS_ENDPOINT_URL_SQS !== undefined) return undefined;
  const queueName = requireVariable(env, QUEUE_VARIABLES.index).split('/').at(-1) as string;
  return makeIndexLag(queueName, requireVariable(env, SETTINGS_VARIABLES.relayName), Date.now);
}

export function settingsDependencies(env: NodeJS.ProcessEnv): SettingsDependencies {
  const tables = tablesFromEnvironment(env, TABLES);
  const context = { client: makeDocumentClient(), tables, now: Date.now, randomBytes };
  const queueClient = makeQueueClient();
  const dnsServers = (env[ENRICHMENT_VARIABLES.dnsServers] ?? '').split(',').filter(Boolean);
  return {
    administrationOf: makeOwnerAdministration(context),
    ...destinationDependencies(context, {
      queue: makeSendQueue(queueClient, { sending: requireVariable(env, QUEUE_VARIABLES.sending) }),
      resolve: makeResolveName(dnsServers),
      allowLoopback: env[SENDING_VARIABLES.allowLoopback] === 'true',
      canSendEmail: Boolean(env[SENDING_VARIABLES.mailFrom]),
    }),
    usage: makeWorkspaceUsage(context),
    secretDates: makeSecretDates(context),
    lastUses: makeLastUses(context),
    providerUses: makeProviderUses(context),
    leads: makeLeadPages(context),
    leadExport: makeLeadExport(context),
    leadSearch: makeLeadSearcher(context),
    listExport: makeListExport(context),
    ...personDependencies(context),
    leadIndex: makeLeadIndex(context),
    indexBacklog: makeIndexBacklog({
      ...context,
      queueClient,
      queues: indexQueues(env),
      lag: indexLag(env),
    }),
    ...reviewDependencies(context),
    ...learningDependencies(context, makeOutbox(queueClient, requireVariable(env, QUEUE_VARIABLES.learning))),
    stats: makeStatsReader(context),
    alerts: makeAlertReader(context),
    apiKeysOf: makeApiKeys(context),
    activityReader: makeActivityReader(context),
    activity: makeActivityLog(context),
    webhooks: makeWebhookSender(),
    ingestUrl: requireVariable(env, SETTINGS_VARIABLES.ingestUrl).replace(/\/+$/, ''),
    sourcesUrl: requireVariable(env, SETTINGS_VARIABLES.sourcesUrl).replace(/\/+$/, ''),
    telemetry: makeOwnerTelemetry('settings', Date.now),
    now: Date.now,
    deadlineMilliseconds: DEADLINE_MS,
  };
}
