import { describe, expect, test } from '@jest/globals';
import {
  METRICS_NAMESPACE_VARIABLE,
  QUEUE_VARIABLES,
  SETTINGS_VARIABLES,
  TABLE_VARIABLES,
} from '../../lambdas/contract.ts';
import { asText, ownFunctions, synthesise, withoutHash } from './synthesise.ts';

const template = synthesise('prod');

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: { StringEquals?: Record<string, unknown> };
}

const many = <Item>(items: Item | Item[]): Item[] => (Array.isArray(items) ? items : [items]);

/** Every statement of a role, inline or in a separate policy. */
function statementsOf(roleId: string): Statement[] {
  const role = template.findResources('AWS::IAM::Role')[roleId]?.Properties;
  const beside = Object.values(template.findResources('AWS::IAM::Policy'))
    .map(({ Properties }) => Properties)
    .filter(({ Roles }) => Roles.some((it: { Ref: string }) => it.Ref === roleId));
  return [...(role.Policies ?? []), ...beside].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** Statements as lines of `resource: actions`, one per resource. */
function permissionsOf(roleId: string): string[] {
  const actions = new Map<string, string[]>();
  for (const statement of statementsOf(roleId)) {
    for (const resource of many(statement.Resource).map(nameOf)) {
      actions.set(resource, [...(actions.get(resource) ?? []), ...many(statement.Action)]);
    }
  }
  return [...actions].map(([resource, its]) => `${resource}: ${its.sort().join(' ')}`).sort();
}

/** `${IngestServerLogsA5F8FEB6.Arn}` is `IngestServerLogs`. What is no plain ARN, `…/index/*` say, stays as it is. */
function nameOf(resource: unknown): string {
  const text = asText(resource);
  const plain = /^\$\{(\w+)\.Arn\}$/.exec(text)?.[1];
  return plain === undefined ? text : withoutHash(plain);
}

const functions = Object.entries(ownFunctions(template)).map(([id, { Properties }]) => ({
  name: withoutHash(id).replace(/Function$/, ''),
  roleId: Properties.Role['Fn::GetAtt'][0] as string,
  variables: (Properties.Environment?.Variables ?? {}) as Record<string, { Ref: string }>,
}));

const roleOf = (name: string) => functions.find((it) => it.name === name)?.roleId ?? `no function ${name}`;

const TELEMETRY = ['*: xray:PutTelemetryRecords xray:PutTraceSegments'];
/** To follow a stream, Lambda also needs to list streams. Neither action takes a resource. */
const FOLLOWING_TELEMETRY = ['*: dynamodb:ListStreams xray:PutTelemetryRecords xray:PutTraceSegments'];
const logsOf = (name: string) => `${name}Logs: logs:CreateLogStream logs:PutLogEvents`;

const READ_STREAM = 'dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator';

const DERIVE = 'Diagnostics: dynamodb:BatchWriteItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem';

/** All permissions of each function. */
const ALLOWED: Record<string, string[]> = {
  IngestServer: [
    'Diagnostics: dynamodb:PutItem',
    'Forms: dynamodb:BatchGetItem',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'Rejections: dynamodb:PutItem',
    'Tokens: dynamodb:BatchGetItem dynamodb:GetItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:UpdateItem',
  ],
  IngestWebhook: [
    'Diagnostics: dynamodb:PutItem',
    'FormSecrets: dynamodb:Query',
    'FormSecretsKey: kms:Decrypt kms:DescribeKey',
    'Forms: dynamodb:Query',
    'Idempotency: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:PutItem',
    'Rejections: dynamodb:PutItem',
    'UnauthenticatedRejections: dynamodb:PutItem',
    'Workspaces: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
  ],
  Retired: [],
  RejectionRecorder: [DERIVE, `\${Rejections.StreamArn}: ${READ_STREAM}`],
  RejectionRecorderUnauthenticatedRecorder: [
    DERIVE,
    `\${UnauthenticatedRejections.StreamArn}: ${READ_STREAM}`,
  ],
  EnrichmentRelay: ['EnrichmentQueue: sqs:SendMessage', `\${Leads.StreamArn}: ${READ_STREAM}`],
  EnrichmentEnrich: [
    'EnrichmentQueue: sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:ReceiveMessage',
    'Leads: dynamodb:BatchGetItem dynamodb:ConditionCheckItem dynamodb:PutItem',
  ],
  LeadStats: [
    'Stats: dynamodb:BatchGetItem dynamodb:PutItem dynamodb:UpdateItem',
    `\${Leads.StreamArn}: ${READ_STREAM}`,
  ],
  SettingsApiSettings: [
    'Diagnostics: dynamodb:Query',
    'FormSecrets: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem',
    'FormSecretsKey: kms:Decrypt kms:DescribeKey kms:Encrypt kms:GenerateDataKey kms:GenerateDataKeyWithoutPlaintext kms:ReEncryptFrom kms:ReEncryptTo',
    'Forms: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Leads: dynamodb:BatchGetItem dynamodb:DeleteItem',
    'Stats: dynamodb:Query',
    'Tokens: dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem',
    'Workspaces: dynamodb:GetItem dynamodb:UpdateItem',
    `\${Forms.Arn}/index/byWorkspace: dynamodb:Query`,
    `\${Leads.Arn}/index/byForm: dynamodb:Query`,
    `\${Tokens.Arn}/index/byWorkspace: dynamodb:Query`,
  ],
  SettingsApiDiagnostics: [
    'Diagnostics: dynamodb:Query',
    'Rejections: dynamodb:Query',
    'UnauthenticatedRejections: dynamodb:Query',
  ],
};

test('the table lists exactly the functions of the stack', () => {
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(ALLOWED).sort());
});

describe.each(Object.entries(ALLOWED))('%s', (name, allowed) => {
  test('has exactly these permissions', () => {
    const telemetry = allowed.some((line) => line.includes('Stream')) ? FOLLOWING_TELEMETRY : TELEMETRY;
    expect(permissionsOf(roleOf(name))).toEqual([...allowed, logsOf(name), ...telemetry].sort());
  });

  test('has its own role, without AWS managed policies', () => {
    const role = template.findResources('AWS::IAM::Role')[roleOf(name)];
    expect(functions.filter(({ roleId }) => roleId === roleOf(name))).toHaveLength(1);
    expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
  });

  test('knows the names of exactly the tables that it may use', () => {
    const {
      [QUEUE_VARIABLES.enrichment]: queue,
      [SETTINGS_VARIABLES.ingestUrl]: ingestUrl,
      [METRICS_NAMESPACE_VARIABLE]: namespace,
      ...known
    } = functions.find((it) => it.name === name)?.variables ?? {};
    expect(namespace).toBe('LeadIngest/prod');
    expect(ingestUrl !== undefined).toBe(name === 'SettingsApiSettings');
    expect(queue !== undefined).toBe(allowed.some((line) => line.startsWith('EnrichmentQueue:')));
    const touched = allowed.filter((line) => /^\w+: dynamodb:/.test(line)).map((line) => line.split(':')[0]);
    expect(
      Object.values(known)
        .map(({ Ref }) => Ref)
        .sort(),
    ).toEqual(touched.sort());
    for (const [variable, { Ref }] of Object.entries(known)) {
      const noun = Ref.charAt(0).toLowerCase() + Ref.slice(1);
      expect(variable).toBe(TABLE_VARIABLES[noun as keyof typeof TABLE_VARIABLES]);
    }
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
    new Set(['dynamodb:ListStreams', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments']),
  );
});

test('only the functions of webhooks and settings read the secrets', () => {
  const readers = functions.filter(({ roleId }) => /FormSecrets/.test(permissionsOf(roleId).join()));
  expect(readers.map(({ name }) => name)).toEqual(['IngestWebhook', 'SettingsApiSettings']);
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

test('the settings function writes no lead: it can only delete one', () => {
  const lines = permissionsOf(roleOf('SettingsApiSettings')).filter((line) => /^(\$\{)?Leads\b/.test(line));
  const actions = lines.flatMap((line) => line.split(/(?<!dynamodb):\s*| /).slice(1));
  expect(actions.filter((action) => WRITING.test(action))).toEqual(['dynamodb:DeleteItem']);
});

/** The function behind the alias that a permission is for. */
function functionOf(alias: { Ref: string }): string {
  const { FunctionName } = template.findResources('AWS::Lambda::Alias')[alias.Ref]?.Properties ?? {};
  return withoutHash(FunctionName.Ref);
}

test('only API Gateway may call functions, by alias: ingest functions for their own routes, those of owners for any', () => {
  const permissions = Object.values(template.findResources('AWS::Lambda::Permission')).map(
    ({ Properties: { Action, Principal, FunctionName, SourceArn } }) => {
      expect(`${Principal} ${Action}`).toBe('apigateway.amazonaws.com lambda:InvokeFunction');
      return `${functionOf(FunctionName)} ${/[^:]*$/.exec(asText(SourceArn))?.[0]}`;
    },
  );
  const stage = Object.keys(template.findResources('AWS::ApiGateway::Stage'))[0];
  // One per function of owners: one per route would fill half of a policy's 20 KB.
  expect(permissions.sort()).toEqual(
    [
      `IngestServerFunction \${IngestApi}/\${${stage}}/POST/api/v1/ingest`,
      `IngestWebhookFunction \${IngestApi}/\${${stage}}/POST/api/v1/ingest/*`,
      `RetiredFunction \${IngestApi}/\${${stage}}/*/api/ingest/*`,
      `SettingsApiSettingsFunction \${SettingsApi}/*/*/*`,
      `SettingsApiDiagnosticsFunction \${SettingsApi}/*/*/*`,
    ].sort(),
  );
});
