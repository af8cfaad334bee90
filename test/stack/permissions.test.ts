import { describe, expect, test } from '@jest/globals';
import {
  ACCESS_VARIABLES,
  BROWSER_VARIABLES,
  METRICS_NAMESPACE_VARIABLE,
  QUEUE_VARIABLES,
  REVIEW_ATTRIBUTES,
  SENDING_VARIABLES,
  SESSION_VARIABLES,
  SETTINGS_VARIABLES,
  TABLE_VARIABLES,
} from '../../lambdas/contract.ts';
import { toErasedItem } from '../../lambdas/model/lead-events.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { toReviewItem } from '../../lambdas/model/review-item.ts';
import {
  ALLOWED,
  permissionsOf as allPermissionsOf,
  statementsOf as allStatementsOf,
  many,
  nameOf,
  rolesOfFunctions,
} from './role-permissions.ts';
import { asText, synthesize, withoutHash } from './synthesize.ts';

const template = synthesize('prod');

const functions = rolesOfFunctions(template);
const statementsOf = (roleId: string) => allStatementsOf(template, roleId);
const permissionsOf = (roleId: string) => allPermissionsOf(template, roleId);
const roleOf = (name: string) => functions.find((it) => it.name === name)?.roleId ?? `no function ${name}`;

const TELEMETRY = ['*: xray:PutTelemetryRecords xray:PutTraceSegments'];
/** To follow a stream, Lambda also needs to list streams. Neither action takes a resource. */
const FOLLOWING_TELEMETRY = ['*: dynamodb:ListStreams xray:PutTelemetryRecords xray:PutTraceSegments'];
/** Neither does reading how far the index lags. */
const SETTINGS_TELEMETRY = [
  '*: cloudwatch:GetMetricStatistics xray:PutTelemetryRecords xray:PutTraceSegments',
];
const logsOf = (name: string) => `${name}Logs: logs:CreateLogStream logs:PutLogEvents`;

const QUEUES = {
  EnrichmentQueue: QUEUE_VARIABLES.enrichment,
  LearningQueue: QUEUE_VARIABLES.learning,
  SearchQueue: QUEUE_VARIABLES.index,
  SendingEvents: QUEUE_VARIABLES.dispatch,
  SendingDeadLetters: QUEUE_VARIABLES.indexDeadLetters,
  SendingMessages: QUEUE_VARIABLES.sending,
  SendingSlowMessages: QUEUE_VARIABLES.slowSending,
} as const satisfies Record<string, string>;

const OTHER_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  ConsoleSiteSession: Object.values(SESSION_VARIABLES),
  AccessAuthorize: [ACCESS_VARIABLES.issuer, ACCESS_VARIABLES.clientId],
  AccessInvite: [ACCESS_VARIABLES.userPoolId],
  SettingsApiSettings: Object.values(SETTINGS_VARIABLES),
  SendingSend: [SENDING_VARIABLES.consoleUrl],
  BrowserMint: [BROWSER_VARIABLES.keysSecretArn],
  BrowserSubmission: [BROWSER_VARIABLES.keysSecretArn],
};

test('the table lists exactly the functions of the stack', () => {
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(ALLOWED).sort());
});

describe.each(Object.entries(ALLOWED))('%s', (name, allowed) => {
  test('has exactly these permissions', () => {
    const followsStream = allowed.some((line) => line.includes('Stream'));
    const usual = followsStream ? FOLLOWING_TELEMETRY : TELEMETRY;
    const telemetry = name === 'SettingsApiSettings' ? SETTINGS_TELEMETRY : usual;
    expect(permissionsOf(roleOf(name))).toEqual([...allowed, logsOf(name), ...telemetry].sort());
  });

  test('has its own role, without AWS managed policies', () => {
    const role = template.findResources('AWS::IAM::Role')[roleOf(name)];
    expect(functions.filter(({ roleId }) => roleId === roleOf(name))).toHaveLength(1);
    expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
  });

  const variables = functions.find((it) => it.name === name)?.variables ?? {};

  test('knows the names of exactly the tables that it may use', () => {
    // An index is part of its table's name: whoever may only query the index knows the table too.
    const touched = allowed.flatMap(
      (line) => /^(?:\$\{)?(\w+)(?:\.Arn\}\S*)?: dynamodb:/.exec(line)?.[1] ?? [],
    );
    const known = Object.entries(TABLE_VARIABLES).flatMap(([tableKey, variable]) =>
      variables[variable] === undefined ? [] : [[tableKey, asText(variables[variable])]],
    );
    const expected = [...new Set(touched)].map((id) => [
      id.charAt(0).toLowerCase() + id.slice(1),
      `\${${id}}`,
    ]);
    expect(known.sort()).toEqual(expected.sort());
  });

  test('knows the URLs of exactly the queues that it may use', () => {
    // Lambda reads a queue for its function: who puts something on it, changes it or counts it needs its URL.
    const touched = allowed.filter((line) =>
      /sqs:(SendMessage|ChangeMessageVisibility)|: sqs:GetQueueAttributes$/.test(line),
    );
    const known = Object.entries(QUEUES).flatMap(([id, variable]) =>
      variables[variable] === undefined ? [] : [[id, withoutHash(asText(variables[variable]).slice(2, -1))]],
    );
    expect(known.sort()).toEqual(touched.map((line) => [line.split(':')[0], line.split(':')[0]]).sort());
  });

  test('has no other variables but these', () => {
    const named: readonly string[] = [...Object.values(TABLE_VARIABLES), ...Object.values(QUEUES)];
    const others = Object.keys(variables).filter((variable) => !named.includes(variable));
    expect(others.sort()).toEqual([METRICS_NAMESPACE_VARIABLE, ...(OTHER_VARIABLES[name] ?? [])].sort());
    expect(variables[METRICS_NAMESPACE_VARIABLE]).toBe('LeadIngest/prod');
  });
});

test("CDK's function that fills the console's bucket has exactly these permissions", () => {
  const [, filler] =
    Object.entries(template.findResources('AWS::Lambda::Function')).find(([id]) =>
      id.startsWith('CustomCDKBucketDeployment'),
    ) ?? [];
  const roleId = filler?.Properties.Role['Fn::GetAtt'][0];
  const assets = `cdk-hnb659fds-assets-\${AWS::AccountId}-\${AWS::Region}`;
  expect(permissionsOf(roleId)).toEqual(
    [
      'ConsoleFiles: s3:ListBucket',
      `\${ConsoleFiles.Arn}/*: s3:DeleteObject s3:PutObject`,
      `arn:\${AWS::Partition}:s3:::${assets}/*: s3:GetObject`,
      logsOf('ConsoleSiteDeployment'),
    ].sort(),
  );
  expect(template.findResources('AWS::IAM::Role')[roleId]?.Properties.ManagedPolicyArns).toBeUndefined();
});

const everyStatement = functions.flatMap(({ roleId }) => statementsOf(roleId));

test('no statement has a wildcard, except for actions that take no resource', () => {
  const wild = everyStatement.filter((it) => JSON.stringify([it.Action, it.Resource]).includes('*'));
  const actions = wild.flatMap(({ Action }) => many(Action));
  expect(new Set(actions)).toEqual(
    new Set([
      'cloudwatch:GetMetricStatistics',
      'dynamodb:ListStreams',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]),
  );
});

/** The function behind the alias that a permission is for. */
function functionOf(alias: { Ref: string }): string {
  const { FunctionName } = template.findResources('AWS::Lambda::Alias')[alias.Ref]?.Properties ?? {};
  return withoutHash(FunctionName.Ref);
}

test('only API Gateway, three schedules and a rotation may call functions, by alias: each for its own routes or rule', () => {
  const permissions = Object.values(template.findResources('AWS::Lambda::Permission')).map(
    ({ Properties: { Action, Principal, FunctionName, SourceArn } }) => {
      expect(Action).toBe('lambda:InvokeFunction');
      const source = withoutHash(/[^:]*$/.exec(nameOf(SourceArn))?.[0] ?? '');
      return `${functionOf(FunctionName)} ${Principal} ${source}`;
    },
  );
  const stageOf = (apiId: string) =>
    Object.entries(template.findResources('AWS::ApiGateway::Stage')).find(
      ([, { Properties }]) => Properties.RestApiId.Ref === apiId,
    )?.[0];
  const [stage, sources] = [stageOf('IngestApi'), stageOf('SourcesApi')];
  const [authorizer] = Object.keys(template.findResources('AWS::ApiGatewayV2::Authorizer'));
  const api = 'apigateway.amazonaws.com';
  // One per function of owners: one per route would fill half of a policy's 20 KB.
  expect(permissions.sort()).toEqual(
    [
      `IngestServerFunction ${api} \${IngestApi}/\${${stage}}/POST/api/v1/ingest`,
      `IngestWebhookFunction ${api} \${IngestApi}/\${${stage}}/POST/api/v1/ingest/*`,
      `RetiredFunction ${api} \${IngestApi}/\${${stage}}/*/api/ingest/*`,
      ...['OPTIONS', 'POST'].map(
        (method) => `BrowserMintFunction ${api} \${IngestApi}/\${${stage}}/${method}/api/v1/browser/token`,
      ),
      `BrowserMintFunction ${api} \${IngestApi}/\${${stage}}/OPTIONS/api/v1/browser/submissions`,
      `BrowserSubmissionFunction ${api} \${IngestApi}/\${${stage}}/POST/api/v1/browser/submissions`,
      `SourcesSubmissionFunction ${api} \${SourcesApi}/\${${sources}}/POST/sources/v1`,
      `SourcesSubmissionFunction ${api} \${SourcesApi}/\${${sources}}/POST/sources/v1/*`,
      `BrowserRotateKeysFunction secretsmanager.amazonaws.com \${BrowserKeys}`,
      // By its own id, and by no route.
      `AccessAuthorizeFunction ${api} \${SettingsApi}/authorizers/\${${authorizer}}`,
      `AccessInviteFunction ${api} \${SettingsApi}/*/*/*`,
      `SettingsApiSettingsFunction ${api} \${SettingsApi}/*/*/*`,
      `SettingsApiDiagnosticsFunction ${api} \${SettingsApi}/*/*/*`,
      `ConsoleSiteSessionFunction ${api} \${SettingsApi}/*/*/*`,
      'SendingSendFunction events.amazonaws.com SendingSweep',
      'AlertsWatchFunction events.amazonaws.com AlertsSchedule',
      'LearningRelearnFunction events.amazonaws.com LearningSchedule',
    ].sort(),
  );
});

test('only the functions of webhooks and settings read the secrets of forms', () => {
  const readers = functions.filter(({ roleId }) => /FormSecrets/.test(permissionsOf(roleId).join()));
  expect(readers.map(({ name }) => name)).toEqual([
    'IngestWebhook',
    'SourcesSubmission',
    'SettingsApiSettings',
  ]);
});

/** Every action that returns what a table or its backup holds. */
const READING =
  /:(Get|BatchGet|Query|Scan|ConditionCheck|PartiQL|DescribeStream|Export|CreateBackup|Restore)/;

test('only the send function has an action that reads the secrets of destinations, and no index or stream copies them', () => {
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const readers = roles.filter((roleId) =>
    statementsOf(roleId).some(
      ({ Action, Resource }) =>
        many(Action).some((action) => READING.test(action)) &&
        many(Resource).some((it) => /\bDestinationSecrets\b|table\//.test(nameOf(it))),
    ),
  );
  expect(readers).toEqual([roleOf('SendingSend')]);
  const { DestinationSecrets } = template.findResources('AWS::DynamoDB::GlobalTable');
  expect(DestinationSecrets?.Properties).not.toHaveProperty('GlobalSecondaryIndexes');
  expect(DestinationSecrets?.Properties).not.toHaveProperty('StreamSpecification');
});

/** What each function may do to a resource, by the name of the function. */
function actionsOn(resource: string): Record<string, string[]> {
  const allowed = functions.map(({ name, roleId }) => {
    const statements = statementsOf(roleId).filter(({ Resource }) =>
      many(Resource).map(nameOf).includes(resource),
    );
    return [name, [...new Set(statements.flatMap(({ Action }) => Action))].sort()] as const;
  });
  return Object.fromEntries(allowed.filter(([, actions]) => actions.length > 0));
}

test('only the send function can read the secrets of destinations, and settings can only write them', () => {
  expect(actionsOn('DestinationSecrets')).toEqual({
    SendingSend: ['dynamodb:BatchGetItem'],
    SettingsApiSettings: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
  });
});

test('no other function can use their key', () => {
  const users = Object.keys(actionsOn('DestinationSecretsKey'));
  expect(users.sort()).toEqual(['SendingSend', 'SettingsApiSettings']);
});

test('the secrets are decrypted through DynamoDB only', () => {
  const decrypting = everyStatement.filter(({ Action }) => many(Action).some((it) => it.startsWith('kms:')));
  const services = decrypting.map(({ Condition }) => asText(Condition?.StringEquals?.['kms:ViaService']));
  expect(new Set(services)).toEqual(new Set([`dynamodb.\${AWS::Region}.amazonaws.com`]));
});

test('the server function writes neither tokens nor forms', () => {
  const lines = permissionsOf(roleOf('IngestServer')).filter((line) => /^(Tokens|Forms):/.test(line));
  expect(lines).toHaveLength(2);
  expect(lines.join()).not.toMatch(/Put|Update|Delete|Write|PartiQL/);
});

/** Every action that changes a table. */
const WRITING = /:(Put|Update|Delete|BatchWrite|PartiQL(?!Select)|Restore|Import)/;

test('the diagnostics function can read Diagnostics and rejections, and nothing else', () => {
  const lines = permissionsOf(roleOf('SettingsApiDiagnostics')).filter((line) => line.includes('dynamodb:'));
  expect(lines.join()).not.toMatch(WRITING);
  expect(lines.every((line) => /^(Diagnostics|Rejections|UnauthenticatedRejections): /.test(line))).toBe(
    true,
  );
});

test('the relearn function can write nothing but what it has learned', () => {
  const writing = statementsOf(roleOf('LearningRelearn')).filter(({ Action }) =>
    many(Action).some((action) => WRITING.test(action) && action.startsWith('dynamodb:')),
  );
  const own = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['learned#*'] } };
  expect(writing.map(({ Resource, Condition }) => [nameOf(Resource), Condition])).toEqual([
    ['Workspaces', own],
  ]);
  expect(learnedKey('ws_1').workspaceId).toMatch(/^learned#/);
});

test('the settings function can delete a lead, put a note without content in its place, review it, and nothing more', () => {
  const onLeads = statementsOf(roleOf('SettingsApiSettings')).filter(({ Resource }) =>
    many(Resource).some((it) => /^(\$\{)?Leads\b/.test(nameOf(it))),
  );
  const writing = onLeads.flatMap(({ Action, Condition }) =>
    many(Action).flatMap((action) => (WRITING.test(action) ? [[action, Condition]] : [])),
  );
  const nothingElse = {
    'ForAllValues:StringEquals': {
      // Ids, times, and what kind of record it is. A lead's content is in other attributes.
      'dynamodb:Attributes': ['leadId', 'part', 'workspace', 'form', 'erasedAt', 'expiresAt', 'v'],
    },
  };
  const only = (attributes: readonly string[]) => ({
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': [...attributes] },
  });
  expect(writing).toEqual([
    ['dynamodb:DeleteItem', undefined],
    ['dynamodb:PutItem', nothingElse],
    [
      'dynamodb:UpdateItem',
      only(['leadId', 'part', 'workspaceId', 'clean', 'scoredClean', 'review', 'roles']),
    ],
    ['dynamodb:UpdateItem', only(['leadId', 'part', 'workspaceId', 'expiresAt', 'opened', 'handled'])],
    ['dynamodb:PutItem', only(REVIEW_ATTRIBUTES.item)],
  ]);
  const review = toReviewItem({
    ...{ leadId: 'l', workspaceId: 'w', formId: 'f', score: 1, clean: true, verdict: 'good', at: 'now' },
    madeClean: true,
    expiresAt: 1,
  });
  expect(Object.keys(review).toSorted()).toEqual([...REVIEW_ATTRIBUTES.item].toSorted());
  const note = toErasedItem({ leadId: 'l', workspaceId: 'w', formId: 'f' }, Date.now());
  expect(Object.keys(note)).toEqual(nothingElse['ForAllValues:StringEquals']['dynamodb:Attributes']);
});
