import type { Template } from 'aws-cdk-lib/assertions';
import { asText, ownFunctions, withoutHash } from './synthesize.ts';

const READ_STREAM = 'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator';

const SEE_REMOVED = 'Workspaces: dynamodb:BatchGetItem';
const DERIVE = 'Diagnostics: dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem';

/** All permissions of each function. */
export const ALLOWED: Record<string, string[]> = {
  IngestServer: [
    'Diagnostics: dynamodb:UpdateItem',
    'Forms: dynamodb:BatchGetItem',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'Rejections: dynamodb:PutItem',
    'Tokens: dynamodb:BatchGetItem dynamodb:GetItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:UpdateItem',
  ],
  IngestWebhook: [
    'Diagnostics: dynamodb:UpdateItem',
    'FormSecrets: dynamodb:BatchGetItem dynamodb:Query',
    'FormSecretsKey: kms:Decrypt kms:DescribeKey',
    'Forms: dynamodb:Query',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'Rejections: dynamodb:PutItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
  ],
  Retired: [],
  BrowserMint: [`\${BrowserKeys}: secretsmanager:GetSecretValue`],
  BrowserSubmission: [
    `\${BrowserKeys}: secretsmanager:GetSecretValue`,
    'Forms: dynamodb:Query',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
  ],
  SourcesSubmission: [
    'Diagnostics: dynamodb:UpdateItem',
    'FormSecrets: dynamodb:BatchGetItem dynamodb:Query',
    'FormSecretsKey: kms:Decrypt kms:DescribeKey',
    'Forms: dynamodb:BatchGetItem dynamodb:Query',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'Rejections: dynamodb:PutItem',
    'Tokens: dynamodb:BatchGetItem dynamodb:GetItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
  ],
  BrowserRotateKeys: [
    `\${BrowserKeys}: secretsmanager:DescribeSecret secretsmanager:GetSecretValue secretsmanager:PutSecretValue secretsmanager:UpdateSecretVersionStage`,
  ],
  // Cognito takes its calls unsigned.
  ConsoleSiteSession: ['Owners: cognito-idp:AdminUserGlobalSignOut'],
  RejectionRecorder: [DERIVE, SEE_REMOVED, `\${Rejections.StreamArn}: ${READ_STREAM}`],
  RejectionRecorderUnauthenticatedRecorder: [
    DERIVE,
    SEE_REMOVED,
    `\${UnauthenticatedRejections.StreamArn}: ${READ_STREAM}`,
  ],
  EnrichmentRelay: [
    'EnrichmentQueue: sqs:SendMessage',
    'LearningQueue: sqs:SendMessage',
    'SearchQueue: sqs:SendMessage',
    'SendingEvents: sqs:SendMessage',
    `\${Leads.StreamArn}: ${READ_STREAM}`,
  ],
  EnrichmentEnrich: [
    'EnrichmentQueue: sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage',
    'Leads: dynamodb:BatchGetItem dynamodb:DeleteItem dynamodb:PutItem',
  ],
  SendingDispatch: [
    'Destinations: dynamodb:Query',
    'SendingEvents: sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage',
    'SendingMessages: sqs:SendMessage',
  ],
  SendingSend: [
    'Alerts: dynamodb:BatchGetItem',
    'DestinationSecrets: dynamodb:BatchGetItem',
    'DestinationSecretsKey: kms:Decrypt kms:DescribeKey',
    'Destinations: dynamodb:BatchGetItem dynamodb:Query dynamodb:UpdateItem',
    'Leads: dynamodb:BatchGetItem',
    'Members: dynamodb:Query',
    'Messages: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query dynamodb:UpdateItem',
    'Recipients: dynamodb:BatchGetItem dynamodb:DeleteItem dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:GetItem',
    'SendingMessages: sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage sqs:SendMessage',
    'SendingSlowMessages: sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage sqs:SendMessage',
    `\${Forms.Arn}/index/byWorkspace: dynamodb:Query`,
    `\${Messages.Arn}/index/byDueTime: dynamodb:Query`,
  ],
  SearchIndexLeads: [
    'LeadIndex: dynamodb:BatchGetItem dynamodb:BatchWriteItem dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:GetItem',
    SEE_REMOVED,
    'SearchQueue: sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage',
  ],
  LearningRelearn: [
    'Leads: dynamodb:BatchGetItem',
    'LearningQueue: sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage sqs:SendMessage',
    'Workspaces: dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Scan',
    `\${Forms.Arn}/index/byWorkspace: dynamodb:Query`,
    `\${Leads.Arn}/index/byForm: dynamodb:Query`,
  ],
  LeadStats: [
    'Stats: dynamodb:BatchGetItem dynamodb:PutItem dynamodb:UpdateItem',
    SEE_REMOVED,
    `\${Leads.StreamArn}: ${READ_STREAM}`,
  ],
  AlertsWatch: [
    'Alerts: dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem',
    'Destinations: dynamodb:Query',
    'Diagnostics: dynamodb:Query',
    'Messages: dynamodb:BatchGetItem',
    'SendingEvents: sqs:SendMessage',
    'Stats: dynamodb:PutItem dynamodb:Query',
    'Workspaces: dynamodb:GetItem',
    `\${Forms.Arn}/index/byWorkspace: dynamodb:Query`,
    `\${Tokens.Arn}/index/byWorkspace: dynamodb:Query`,
  ],
  AccessAuthorize: [
    'ApiKeys: dynamodb:GetItem dynamodb:UpdateItem',
    'Members: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Workspaces: dynamodb:GetItem',
  ],
  AccessInvite: [
    'Activity: dynamodb:PutItem',
    'ApiKeys: dynamodb:UpdateItem',
    `\${ApiKeys.Arn}/index/byWorkspace: dynamodb:Query`,
    'Members: dynamodb:ConditionCheckItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem',
    'Owners: cognito-idp:AdminCreateUser cognito-idp:AdminDeleteUser cognito-idp:AdminGetUser',
  ],
  SettingsApiSettings: [
    'Activity: dynamodb:PutItem dynamodb:Query',
    'ApiKeys: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    `\${ApiKeys.Arn}/index/byWorkspace: dynamodb:Query`,
    'Alerts: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem',
    'DestinationSecrets: dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
    'DestinationSecretsKey: kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:ReEncryptTo',
    'Destinations: dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:Query',
    'Diagnostics: dynamodb:Query',
    'FormSecrets: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
    'FormSecretsKey: kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:ReEncryptTo',
    'Forms: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'LeadIndex: dynamodb:BatchGetItem dynamodb:BatchWriteItem dynamodb:PutItem dynamodb:Query',
    // Twice, each with other attributes: the note of an erasure, and a review; a review, and who has handled the lead.
    'Leads: dynamodb:BatchGetItem dynamodb:DeleteItem dynamodb:GetItem dynamodb:PutItem dynamodb:PutItem dynamodb:UpdateItem dynamodb:UpdateItem',
    'LearningQueue: sqs:SendMessage',
    'Members: dynamodb:Query',
    'Messages: dynamodb:BatchGetItem dynamodb:Query',
    'SearchQueue: sqs:GetQueueAttributes',
    'SendingDeadLetters: sqs:GetQueueAttributes',
    'SendingMessages: sqs:SendMessage',
    'Stats: dynamodb:Query',
    'Tokens: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Workspaces: dynamodb:GetItem dynamodb:UpdateItem',
    `\${Forms.Arn}/index/byWorkspace: dynamodb:Query`,
    `\${Leads.Arn}/index/byForm: dynamodb:Query`,
    `\${Messages.Arn}/index/byDueTime: dynamodb:Query`,
    `\${Tokens.Arn}/index/byWorkspace: dynamodb:Query`,
  ],
  SettingsApiDiagnostics: [
    'Diagnostics: dynamodb:Query',
    'Rejections: dynamodb:Query',
    'UnauthenticatedRejections: dynamodb:Query',
  ],
};

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

export const many = <Item>(items: Item | Item[]): Item[] => (Array.isArray(items) ? items : [items]);

/** Every statement of a role, inline or in a separate policy. */
export function statementsOf(template: Template, roleId: string): Statement[] {
  const role = template.findResources('AWS::IAM::Role')[roleId]?.Properties;
  const beside = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some((it: { Ref: string }) => it.Ref === roleId));
  return [...(role.Policies ?? []), ...beside].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** Statements as lines of `resource: actions`, one per resource. */
export function permissionsOf(template: Template, roleId: string): string[] {
  const actions = new Map<string, string[]>();
  for (const statement of statementsOf(template, roleId)) {
    for (const resource of many(statement.Resource).map(nameOf)) {
      actions.set(resource, [...(actions.get(resource) ?? []), ...many(statement.Action)]);
    }
  }
  return [...actions].map(([resource, its]) => `${resource}: ${its.sort().join(' ')}`).sort();
}

/** `${IngestServerLogsA5F8FEB6.Arn}` is `IngestServerLogs`. What is no plain ARN, `…/index/*` say, stays as it is. */
export function nameOf(resource: unknown): string {
  const text = asText(resource);
  const plain = /^\$\{(\w+)\.Arn\}$/.exec(text)?.[1];
  return plain === undefined ? text : withoutHash(plain);
}

interface FunctionRole {
  /** Without `Function`: `IngestServer`. */
  readonly name: string;
  readonly roleId: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The functions of this service with their roles and environment variables. */
export function rolesOfFunctions(template: Template): FunctionRole[] {
  return Object.entries(ownFunctions(template)).map(([id, { Properties }]) => ({
    name: withoutHash(id).replace(/Function$/, ''),
    roleId: Properties.Role['Fn::GetAtt'][0],
    variables: Properties.Environment?.Variables ?? {},
  }));
}
