import { describe, expect, test } from '@jest/globals';
import { METRICS_NAMESPACE_VARIABLE, QUEUE_VARIABLES, TABLE_VARIABLES } from '../../lambdas/contract.ts';
import { toErasedItem } from '../../lambdas/model/lead-events.ts';
import { learnedKey } from '../../lambdas/model/learned.ts';
import { toReviewItem } from '../../lambdas/model/review-item.ts';
import {
  permissionsOf as allPermissionsOf,
  statementsOf as allStatementsOf,
  many,
  nameOf,
  rolesOfFunctions,
} from './role-permissions.ts';
import { asText, restMethodsOf, synthesize, withoutHash } from './synthesize.ts';

const template = synthesize('prod');
const dev = synthesize('dev');

const functions = rolesOfFunctions(template);
const statementsOf = (roleId: string) => allStatementsOf(template, roleId);
const permissionsOf = (roleId: string) => allPermissionsOf(template, roleId);
const roleOf = (name: string) => functions.find((it) => it.name === name)?.roleId ?? `no function ${name}`;

// test/iam runs everything in dev, and finds every grant that is missing or that nothing needs.
test('the permissions of prod are those of dev', () => {
  const permissionsIn = (stage: typeof template) =>
    rolesOfFunctions(stage).map(({ name, roleId }) => [name, allPermissionsOf(stage, roleId)]);
  expect(permissionsIn(template)).toEqual(permissionsIn(dev));
});

test.each(functions)('$name has its own role, its own log and its own namespace of metrics', (it) => {
  expect(functions.filter(({ roleId }) => roleId === it.roleId)).toHaveLength(1);
  const role = template.findResources('AWS::IAM::Role')[it.roleId];
  expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
  const logging = permissionsOf(it.roleId).filter((line) => line.includes('logs:'));
  expect(logging).toEqual([`${it.name}Logs: logs:CreateLogStream logs:PutLogEvents`]);
  expect(it.variables[METRICS_NAMESPACE_VARIABLE]).toBe('LeadIngest/prod');
});

describe.each(functions)('$name knows the names', ({ roleId, variables }) => {
  const permissions = permissionsOf(roleId);
  const known = (names: Readonly<Record<string, string>>) =>
    Object.values(names).flatMap((name) =>
      variables[name] === undefined ? [] : withoutHash(asText(variables[name]).slice(2, -1)),
    );

  test('of exactly the tables that it may use', () => {
    // An index is part of its table's name: whoever may only query the index knows the table too.
    const touched = permissions.flatMap(
      (line) => /^(?:\$\{)?(\w+)(?:\.Arn\}\S*)?: dynamodb:/.exec(line)?.[1] ?? [],
    );
    expect(known(TABLE_VARIABLES).sort()).toEqual([...new Set(touched)].sort());
  });

  test('of exactly the queues that it may use', () => {
    // Lambda reads a queue for its function: who puts something on it, changes it or counts it needs its URL.
    const touched = permissions.filter((line) =>
      /sqs:(SendMessage|ChangeMessageVisibility)|: sqs:GetQueueAttributes$/.test(line),
    );
    expect(known(QUEUE_VARIABLES).sort()).toEqual(touched.map((line) => line.split(':')[0]).sort());
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
      'ConsoleSiteDeploymentLogs: logs:CreateLogStream logs:PutLogEvents',
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

describe('may call functions, by alias and for nothing else:', () => {
  const valuesOf = (type: string) => Object.values(template.findResources(type));
  const aliases = template.findResources('AWS::Lambda::Alias');
  const permissions = valuesOf('AWS::Lambda::Permission').map(({ Properties }) => {
    const { Action, Principal, FunctionName, SourceArn } = Properties;
    expect(Action).toBe('lambda:InvokeFunction');
    expect(aliases).toHaveProperty(FunctionName.Ref);
    return { principal: Principal, may: `${FunctionName.Ref} for ${/[^:]*$/.exec(asText(SourceArn))?.[0]}` };
  });
  const allowed = (principal: string, api = '') =>
    permissions.flatMap((it) => (it.principal === principal && it.may.includes(api) ? [it.may] : [])).sort();
  const aliasIn = (uri: unknown) => /\$\{(\w+)\}\/invocations$/.exec(asText(uri))?.[1];

  test('no other services than these', () => {
    const services = permissions.map(({ principal }) => principal);
    expect([...new Set(services)].sort()).toEqual(
      ['apigateway', 'events', 'secretsmanager'].map((name) => `${name}.amazonaws.com`),
    );
  });

  test.each(['IngestApi', 'SourcesApi'])('%s, each of its methods', (api) => {
    const methods = restMethodsOf(template).filter(({ apiId }) => apiId === api);
    const expected = methods.map(({ method, path, stageId, integration }) => {
      const route = `${method === 'ANY' ? '*' : method}${path.replaceAll(/\{\w+\}/g, '*')}`;
      return `${aliasIn(integration.Uri)} for \${${api}}/\${${stageId}}/${route}`;
    });
    expect(allowed('apigateway.amazonaws.com', `{${api}}`)).toEqual(expected.sort());
  });

  // One per function of owners: one per route would fill half of a policy's 20 KB.
  test('SettingsApi, its integrations, and its authorizer by its own id and by no route', () => {
    const integrated = valuesOf('AWS::ApiGatewayV2::Integration').map(
      ({ Properties }) => `${Properties.IntegrationUri.Ref} for \${SettingsApi}/*/*/*`,
    );
    const authorizers = Object.entries(template.findResources('AWS::ApiGatewayV2::Authorizer')).map(
      ([id, { Properties }]) =>
        `${aliasIn(Properties.AuthorizerUri)} for \${SettingsApi}/authorizers/\${${id}}`,
    );
    expect(allowed('apigateway.amazonaws.com', '{SettingsApi}')).toEqual(
      [...new Set(integrated), ...authorizers].sort(),
    );
  });

  test('rules and rotations, their targets', () => {
    const targets = Object.entries(template.findResources('AWS::Events::Rule')).flatMap(
      ([id, { Properties }]) =>
        Properties.Targets.map(({ Arn }: { Arn: { Ref: string } }) => `${Arn.Ref} for \${${id}.Arn}`),
    );
    expect(allowed('events.amazonaws.com')).toEqual(targets.sort());
    const rotated = valuesOf('AWS::SecretsManager::RotationSchedule').map(
      ({ Properties }) => `${Properties.RotationLambdaARN.Ref} for ${asText(Properties.SecretId)}`,
    );
    expect(allowed('secretsmanager.amazonaws.com')).toEqual(rotated);
  });
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

test('no other function but that of settings, which writes them, can use their key', () => {
  const users = functions.filter(({ roleId }) => /DestinationSecretsKey/.test(permissionsOf(roleId).join()));
  expect(users.map(({ name }) => name).sort()).toEqual(['SendingSend', 'SettingsApiSettings']);
});

test('the secrets are decrypted through DynamoDB only', () => {
  const decrypting = everyStatement.filter(({ Action }) => many(Action).some((it) => it.startsWith('kms:')));
  const services = decrypting.map(({ Condition }) => asText(Condition?.StringEquals?.['kms:ViaService']));
  expect(new Set(services)).toEqual(new Set([`dynamodb.\${AWS::Region}.amazonaws.com`]));
});

/** Every action that changes a table. */
const WRITING = /dynamodb:(Put|Update|Delete|BatchWrite|PartiQL(?!Select)|Restore|Import)/;

const writingOf = (name: string) =>
  statementsOf(roleOf(name)).filter(({ Action }) => many(Action).some((action) => WRITING.test(action)));

test('the server function writes neither tokens nor forms', () => {
  const written = writingOf('IngestServer').flatMap(({ Resource }) => many(Resource).map(nameOf));
  expect(written).toContain('Leads');
  expect(written.filter((table) => /\b(Tokens|Forms)\b/.test(table))).toEqual([]);
});

test('the diagnostics function can read Diagnostics and rejections, and nothing else', () => {
  expect(writingOf('SettingsApiDiagnostics')).toEqual([]);
  const lines = permissionsOf(roleOf('SettingsApiDiagnostics')).filter((line) => line.includes('dynamodb:'));
  const others = lines.filter((line) => !/^(Diagnostics|Rejections|UnauthenticatedRejections): /.test(line));
  expect(others).toEqual([]);
});

test('the relearn function can write nothing but what it has learned', () => {
  const own = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['learned#*'] } };
  expect(
    writingOf('LearningRelearn').map(({ Resource, Condition }) => [nameOf(Resource), Condition]),
  ).toEqual([['Workspaces', own]]);
  expect(learnedKey('ws_1').workspaceId).toMatch(/^learned#/);
});

test('the settings function can delete a lead, put a note without content in its place, review it, and nothing more', () => {
  const writing = writingOf('SettingsApiSettings')
    .filter(({ Resource }) => many(Resource).some((it) => /^(\$\{)?Leads\b/.test(nameOf(it))))
    .flatMap(({ Action, Condition }) =>
      many(Action).flatMap((action) =>
        WRITING.test(action)
          ? [[action, Condition?.['ForAllValues:StringEquals']?.['dynamodb:Attributes']]]
          : [],
      ),
    );
  // Ids, times, and what kind of record it is. A lead's content is in other attributes.
  const note = toErasedItem({ leadId: 'l', workspaceId: 'w', formId: 'f' }, Date.now());
  const review = toReviewItem({
    ...{ leadId: 'l', workspaceId: 'w', formId: 'f', score: 1, clean: true, verdict: 'good', at: 'now' },
    madeClean: true,
    expiresAt: 1,
  });
  expect(writing).toEqual([
    ['dynamodb:DeleteItem', undefined],
    ['dynamodb:PutItem', Object.keys(note)],
    ['dynamodb:UpdateItem', ['leadId', 'part', 'workspaceId', 'clean', 'scoredClean', 'review', 'roles']],
    ['dynamodb:UpdateItem', ['leadId', 'part', 'workspaceId', 'expiresAt', 'opened', 'handled']],
    ['dynamodb:PutItem', expect.arrayContaining(Object.keys(review))],
  ]);
  expect(writing.at(-1)?.[1]).toHaveLength(Object.keys(review).length);
  expect(Object.keys(note)).toEqual(['leadId', 'part', 'workspace', 'form', 'erasedAt', 'expiresAt', 'v']);
});
