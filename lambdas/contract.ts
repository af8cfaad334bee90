// The names that lib/, local/, bin/ and lambdas/ share. lib/ imports nothing else from lambdas/.

export * from './aws/metric-names.ts';
export * from './in-turn/in-turn-source.ts';
export { ALL_SURFACES, type AnySurface, LIMITS, SURFACES, type Surface } from './model/limits.ts';
export { REASONS, type Reason } from './model/reasons.ts';

/** The environment variables by which the stack tells a function where its tables are. */
export const TABLE_VARIABLES = {
  workspaces: 'WORKSPACES_TABLE',
  forms: 'FORMS_TABLE',
  formSecrets: 'FORM_SECRETS_TABLE',
  tokens: 'TOKENS_TABLE',
  leads: 'LEADS_TABLE',
  idempotency: 'IDEMPOTENCY_TABLE',
  rejections: 'REJECTIONS_TABLE',
  unauthenticatedRejections: 'UNAUTHENTICATED_REJECTIONS_TABLE',
  diagnostics: 'DIAGNOSTICS_TABLE',
  stats: 'STATS_TABLE',
  destinations: 'DESTINATIONS_TABLE',
  destinationSecrets: 'DESTINATION_SECRETS_TABLE',
  messages: 'MESSAGES_TABLE',
  alerts: 'ALERTS_TABLE',
  leadIndex: 'LEAD_INDEX_TABLE',
  members: 'MEMBERS_TABLE',
  apiKeys: 'API_KEYS_TABLE',
  activity: 'ACTIVITY_TABLE',
  recipients: 'RECIPIENTS_TABLE',
} as const;

export type TableKey = keyof typeof TABLE_VARIABLES;

/** Reads the names of a function's tables. The error lists every missing variable. */
export function tablesFromEnvironment<Key extends TableKey>(
  env: Readonly<Record<string, string | undefined>>,
  tableKeys: readonly Key[],
): Record<Key, string> {
  const missing = tableKeys.map((tableKey) => TABLE_VARIABLES[tableKey]).filter((variable) => !env[variable]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}`);
  return Object.fromEntries(
    tableKeys.map((tableKey) => [tableKey, env[TABLE_VARIABLES[tableKey]]]),
  ) as Record<Key, string>;
}

export function requireVariable(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`Missing environment variables: ${name}`);
  return value;
}

export const INDEXES = {
  formsByWorkspace: 'byWorkspace',
  formsById: 'byFormId',
  tokensByWorkspace: 'byWorkspace',
  tokensById: 'byTokenId',
  leadsByForm: 'byForm',
  messagesByDueTime: 'byDueTime',
  apiKeysByWorkspace: 'byWorkspace',
} as const;

/** One queue per consumer of lead events: two consumers of one queue would each lose events. */
export const QUEUE_VARIABLES = {
  /** The relay puts the ids of clean leads here, and enrichment takes them. */
  enrichment: 'ENRICHMENT_QUEUE_URL',
  /** The relay announces lead events here, and the watch alerts; dispatch takes both. */
  dispatch: 'DISPATCH_QUEUE_URL',
  /** What is to be sent to which destination. */
  sending: 'SENDING_QUEUE_URL',
  /** The same, for destinations that respond slowly. */
  slowSending: 'SLOW_SENDING_QUEUE_URL',
  /** The relay names the leads here that the search index must follow. */
  index: 'INDEX_QUEUE_URL',
  /** What the index could not follow. Erasing a person waits until somebody has redriven it. */
  indexDeadLetters: 'INDEX_DEAD_LETTER_QUEUE_URL',
  /** The relay names the workspaces here whose verdicts have changed. */
  learning: 'LEARNING_QUEUE_URL',
} as const;

/** Optional variables of the functions that forward leads. */
export const SENDING_VARIABLES = {
  /** The name of the event bus, if the stack has one. */
  eventBus: 'EVENT_BUS_NAME',
  /** The sender of mail; without it there are no email destinations. */
  mailFrom: 'MAIL_FROM',
  /** Names the set whose events report bounces and complaints. */
  configurationSet: 'MAIL_CONFIGURATION_SET',
  /** Where the links in mails lead: the settings API, without a slash at the end. */
  linksUrl: 'MAIL_LINKS_URL',
  /** Where owners read a lead, for links in messages. */
  consoleUrl: 'CONSOLE_URL',
  /** Set by `npm start -- --allow-loopback-destinations` and never by the stack. */
  allowLoopback: 'ALLOW_LOOPBACK_DESTINATIONS',
} as const;

/** Optional variables of the enrichment function: an HTTP provider with its key, and DNS servers. */
export const ENRICHMENT_VARIABLES = {
  providerUrl: 'ENRICHMENT_PROVIDER_URL',
  providerSecretArn: 'ENRICHMENT_PROVIDER_SECRET_ARN',
  dnsServers: 'ENRICHMENT_DNS_SERVERS',
} as const;

/** Where the functions of browsers find the keys that sign tokens. */
export const BROWSER_VARIABLES = {
  keysSecretArn: 'BROWSER_KEYS_SECRET_ARN',
  /** The keys themselves. Set on one machine, which has no Secrets Manager, and never by the stack. */
  localKeys: 'BROWSER_KEYS',
} as const;

export const SETTINGS_VARIABLES = {
  /** Where senders reach the service. */
  ingestUrl: 'INGEST_URL',
  /** Where providers and tools reach Surface 1c. */
  sourcesUrl: 'SOURCES_URL',
  /** The function whose lag tells how far the index is behind. */
  relayName: 'RELAY_FUNCTION_NAME',
} as const;

/** The session function exchanges refresh tokens at this address, for this app client. */
export const SESSION_VARIABLES = {
  cognitoEndpoint: 'COGNITO_ENDPOINT',
  clientId: 'USER_POOL_CLIENT_ID',
  userPoolId: 'USER_POOL_ID',
} as const;

/** Sent by the console with every request for its session. Pages of other sites cannot set it. */
export const CONSOLE_HEADER = 'x-lead-ingest-console';

/** Holds the console's refresh token. CloudFront forwards it to the session function only. */
export const SESSION_COOKIE = '__Host-session';

/** The owner's attribute that names the workspace: `custom:workspace_id` in tokens and in Cognito's own calls. */
export const WORKSPACE_ATTRIBUTE = 'workspace_id';
export const WORKSPACE_CLAIM = `custom:${WORKSPACE_ATTRIBUTE}`;

/** Marks a user whom an owner invited. Without an item in Members, such a user has no access. */
export const INVITED_ATTRIBUTE = 'invited';
export const INVITED_CLAIM = `custom:${INVITED_ATTRIBUTE}`;

/** How the authorizer knows the owners' pool, by its tokens and the console's client, and inviting the pool itself. */
export const ACCESS_VARIABLES = {
  issuer: 'OWNERS_ISSUER',
  clientId: 'OWNERS_CLIENT_ID',
  userPoolId: 'OWNERS_POOL_ID',
} as const;

/** The attribute that DynamoDB's TTL watches, in seconds since 1970, in every table that has one. */
export const TTL_ATTRIBUTE = 'expiresAt';

/** The note that takes the place of an erased lead has these attributes, none of which can hold a lead's content. */
export const ERASED_ATTRIBUTES = [
  'leadId',
  'part',
  'workspace',
  'form',
  'erasedAt',
  TTL_ATTRIBUTE,
  'v',
] as const;

/** What a review may write: a few attributes of the lead, and the item beside it. The score and the body stay. */
export const REVIEW_ATTRIBUTES = {
  lead: ['leadId', 'part', 'workspaceId', 'clean', 'scoredClean', 'review', 'roles'],
  item: [
    ...(['leadId', 'part', 'workspaceId', 'formId', 'form', 'score', 'clean', 'verdict', 'at'] as const),
    ...(['madeClean', TTL_ATTRIBUTE, 'v'] as const),
  ],
} as const;

/** What opening and handling a lead may write. */
export const HANDLING_ATTRIBUTES = [
  'leadId',
  'part',
  'workspaceId',
  TTL_ATTRIBUTE,
  'opened',
  'handled',
] as const;

/** The stack's outputs, which are the keys of an outputs file. */
export const OUTPUTS = {
  stage: 'Stage',
  version: 'Version',
  region: 'Region',
  ingestUrl: 'IngestUrl',
  /** Of Surface 1c, whose paths all begin with `/sources`. */
  sourcesUrl: 'SourcesUrl',
  /** Of the owner's API, whose paths all begin with `/settings`. */
  settingsUrl: 'SettingsUrl',
  /** Only with a console. */
  consoleUrl: 'ConsoleUrl',
  /** Only with a custom domain whose DNS records are made elsewhere: what they must point to. */
  ingestDomainTarget: 'IngestDomainTarget',
  consoleDomainTarget: 'ConsoleDomainTarget',
  userPoolId: 'UserPoolId',
  userPoolClientId: 'UserPoolClientId',
  /** Managed policies for people who run `leadctl`. */
  operatorPolicyArn: 'OperatorPolicyArn',
  operatorReadPolicyArn: 'OperatorReadPolicyArn',
  /** Only with the setting `eventBus`. */
  eventBusName: 'EventBusName',
  /** Only with the setting `mailFrom`: the sender of mail. */
  mailFrom: 'MailFrom',
  /** The same: the SES configuration set that reports bounces and complaints. */
  mailConfigurationSet: 'MailConfigurationSet',
  tables: {
    workspaces: 'WorkspacesTable',
    forms: 'FormsTable',
    formSecrets: 'FormSecretsTable',
    tokens: 'TokensTable',
    leads: 'LeadsTable',
    idempotency: 'IdempotencyTable',
    rejections: 'RejectionsTable',
    unauthenticatedRejections: 'UnauthenticatedRejectionsTable',
    diagnostics: 'DiagnosticsTable',
    stats: 'StatsTable',
    destinations: 'DestinationsTable',
    destinationSecrets: 'DestinationSecretsTable',
    messages: 'MessagesTable',
    alerts: 'AlertsTable',
    leadIndex: 'LeadIndexTable',
    members: 'MembersTable',
    apiKeys: 'ApiKeysTable',
    activity: 'ActivityTable',
    recipients: 'RecipientsTable',
  },
  queues: {
    enrichment: 'EnrichmentQueueUrl',
    enrichmentDeadLetters: 'EnrichmentDeadLetterQueueUrl',
    sending: 'SendingQueueUrl',
    sendingDeadLetters: 'SendingDeadLetterQueueUrl',
    index: 'IndexQueueUrl',
  },
  /** Written by `npm start` only: where DynamoDB Local listens. Its presence marks a local stack. */
  localDynamoDbEndpoint: 'LocalDynamoDbEndpoint',
  /** Written by `npm start` only: where the local SQS listens. */
  localSqsEndpoint: 'LocalSqsEndpoint',
  /** Written by `npm start` only: where the local EventBridge listens. */
  localEventBridgeEndpoint: 'LocalEventBridgeEndpoint',
  /** Written by `npm start` only: where the local Cognito listens. */
  localCognitoEndpoint: 'LocalCognitoEndpoint',
  /** Written by `npm start` only: where mail is written instead of sent. */
  localMailFolder: 'LocalMailFolder',
} as const;

/** The one response to everything that is not accepted, from our functions and from API Gateway alike. */
export const OPAQUE_REJECTION = {
  statusCode: 200,
  contentType: 'application/json',
  body: '{"status":"rejected"}',
} as const;

/** The same on Surface 1c. Providers take every 2xx as delivered, and repeat the delivery after this one. */
export const REPEATABLE_REJECTION = { ...OPAQUE_REJECTION, statusCode: 503 } as const;
