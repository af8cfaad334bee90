import { describe, expect, test } from '@jest/globals';
import { dynamoDbCalls } from '#local/iam/calls.ts';
import type { Call } from '#local/iam/evaluate.ts';
import {
  type ResourceStatement,
  roleOfFunction,
  roleStatements,
  statementsForRole,
} from '#local/iam/policies.ts';
import { type Principal, readPrincipal } from '#local/iam/principal.ts';
import { type Resources, readResources } from '#local/iam/resources.ts';
import { type Resource, TemplateReader } from '#local/template.ts';
import { readIamTemplate } from '../support/iam-template.ts';

describe('principals', () => {
  const TABLES = 'arn:aws:dynamodb:us-east-1:000000000000:table/';
  const KEY = 'arn:aws:kms:us-east-1:000000000000:key/S-SecretsKey';
  const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:S-Work';
  const ROLE = 'arn:aws:iam::000000000000:role/S-FnRole';
  const ROOT = 'arn:aws:iam::000000000000:root';

  const allow = (Action: unknown, Resource: unknown, rest: object = {}) => ({
    Effect: 'Allow',
    Action,
    Resource,
    ...rest,
  });
  const deny = (Action: unknown, Resource: unknown) => ({ ...allow(Action, Resource), Effect: 'Deny' });

  function read(statements: readonly unknown[], keyStatements?: readonly unknown[]) {
    const reader = readIamTemplate(statements, keyStatements);
    const resources = readResources(reader);
    const principal = readPrincipal(`${reader.arn('Fn')}:live`, reader, resources);
    return { principal, resources, isAllowed: (call: Call) => principal.judge(call).allowed };
  }

  const judgeAll = (
    principal: Principal,
    resources: Resources,
    operation: string,
    body: { TableName: string },
  ) =>
    dynamoDbCalls(operation, body, resources, principal.hasConditionOn).map(
      (call) => principal.judge(call).allowed,
    );

  describe('the grants of a role', () => {
    const statements = [
      allow(['dynamodb:GetItem', 'dynamodb:PutItem'], [`${TABLES}S-Leads`, `${TABLES}S-Leads/index/*`]),
      allow('dynamodb:Put*', `${TABLES}S-Leads`),
      deny('dynamodb:DeleteItem', '*'),
      { Effect: 'Allow', NotAction: 'dynamodb:*', Resource: '*' },
    ];

    test('are single actions on single resources', () => {
      const { principal } = read(statements);
      expect(principal.grants.map(({ action, resource }) => `${action} ${resource}`)).toEqual([
        `dynamodb:GetItem ${TABLES}S-Leads`,
        `dynamodb:GetItem ${TABLES}S-Leads/index/*`,
        `dynamodb:PutItem ${TABLES}S-Leads`,
        `dynamodb:PutItem ${TABLES}S-Leads/index/*`,
        `dynamodb:Put* ${TABLES}S-Leads`,
        'everything but dynamodb:* *',
      ]);
    });

    test('that allow a call are all named', () => {
      const { grants } = read(statements).principal.judge({
        action: 'dynamodb:PutItem',
        resource: `${TABLES}S-Leads`,
      });
      expect(grants.map(({ action }) => action)).toEqual(['dynamodb:PutItem', 'dynamodb:Put*']);
    });
  });

  describe('a call is denied', () => {
    const put = { action: 'dynamodb:PutItem', resource: `${TABLES}S-Leads` };

    test('by a deny of the role', () => {
      const statements = [allow('*', '*'), deny('dynamodb:Put*', '*')];
      expect(read(statements).principal.judge(put)).toMatchObject({
        allowed: false,
        reason: 'with an explicit deny',
      });
    });

    test('for a key that the condition does not name, each time', () => {
      const Condition = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['l1'] } };
      const { principal, resources } = read([allow('dynamodb:GetItem', `${TABLES}S-Leads`, { Condition })]);
      const get = (S: string) => {
        const input = { TableName: 'S-Leads', Key: { leadId: { S } } };
        return judgeAll(principal, resources, 'GetItem', input);
      };
      expect([get('l1'), get('l2'), get('l1')]).toEqual([[true], [false], [true]]);
    });
  });

  describe('a table with a key of its own', () => {
    const table = allow('dynamodb:GetItem', `${TABLES}S-Secrets`);
    const through = (service: string) => ({
      Condition: { StringEquals: { 'kms:ViaService': `${service}.us-east-1.amazonaws.com` } },
    });
    const toAccount = allow('kms:*', '*', { Principal: { AWS: ROOT } });
    const toRole = allow('kms:Decrypt', '*', { Principal: { AWS: ROLE } });

    test.each<[string, unknown[], unknown[], boolean]>([
      ['by the role, where the key leaves it to the account', [allow('kms:Decrypt', KEY)], [toAccount], true],
      ['through DynamoDB', [allow('kms:Decrypt', KEY, through('dynamodb'))], [toAccount], true],
      ['through another service', [allow('kms:Decrypt', KEY, through('sqs'))], [toAccount], false],
      ['of another key', [allow('kms:Decrypt', `${KEY}2`)], [toAccount], false],
      ['without a grant', [], [toAccount], false],
      ['by the key alone', [], [toRole], true],
      ['by the role alone', [allow('kms:Decrypt', KEY)], [], false],
      [
        'by the role, against the key',
        [allow('kms:Decrypt', KEY)],
        [toAccount, { ...toRole, Effect: 'Deny' }],
        false,
      ],
      ['by the key, against the role', [deny('kms:*', '*')], [toRole], false],
    ])('is decrypted %s: %#', (_, ofRole, ofKey, decrypted) => {
      const { principal, resources } = read([table, ...ofRole], ofKey);
      expect(judgeAll(principal, resources, 'GetItem', { TableName: 'S-Secrets' })).toEqual([
        true,
        decrypted,
      ]);
    });
  });

  test("a queue's policy that refuses calls without TLS does not refuse those of functions", () => {
    const { isAllowed } = read([allow('sqs:SendMessage', QUEUE)]);
    expect(isAllowed({ action: 'sqs:SendMessage', resource: QUEUE })).toBe(true);
    expect(isAllowed({ action: 'sqs:ReceiveMessage', resource: QUEUE })).toBe(false);
  });
});

describe('role statements', () => {
  const document = (action: string, resource: unknown = '*') => ({
    PolicyDocument: { Statement: [{ Effect: 'Allow', Action: action, Resource: resource }] },
  });
  const managed = (name: string) => ({
    'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::aws:policy/${name}`]],
  });

  function read(role: Record<string, unknown>): { reader: TemplateReader; fn: Resource; role: Resource } {
    const reader = new TemplateReader(
      {
        Resources: {
          Fn: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
          Role: { Type: 'AWS::IAM::Role', Properties: role },
          Other: { Type: 'AWS::IAM::Role' },
          Files: { Type: 'AWS::S3::Bucket' },
          Beside: {
            Type: 'AWS::IAM::Policy',
            Properties: { ...document('s3:GetObject'), Roles: [{ Ref: 'Role' }] },
          },
          OfOther: {
            Type: 'AWS::IAM::Policy',
            Properties: { ...document('s3:*'), Roles: [{ Ref: 'Other' }] },
          },
          Managed: { Type: 'AWS::IAM::ManagedPolicy', Properties: document('sqs:SendMessage') },
          Attached: {
            Type: 'AWS::IAM::ManagedPolicy',
            Properties: { ...document('kms:Decrypt'), Roles: [{ Ref: 'Role' }] },
          },
        },
      },
      'S',
    );
    const [fn] = reader.resources('AWS::Lambda::Function');
    if (fn === undefined) throw new Error('the template has no function');
    return { reader, fn, role: roleOfFunction(reader, fn) };
  }

  describe('the statements of a role', () => {
    test('come from its own policies, those attached to it, and managed ones', () => {
      const { reader, role } = read({
        Policies: [document('s3:PutObject', { 'Fn::GetAtt': ['Files', 'Arn'] })],
        ManagedPolicyArns: [{ Ref: 'Managed' }, managed('service-role/AWSLambdaBasicExecutionRole')],
      });
      const statements = roleStatements(reader, role);
      expect(statements.map(({ Action, Resource }) => [Action, Resource])).toEqual([
        ['s3:PutObject', 'arn:aws:s3:::s-files'],
        ['s3:GetObject', '*'],
        ['kms:Decrypt', '*'],
        ['sqs:SendMessage', '*'],
        [['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'], '*'],
      ]);
    });

    test('are not guessed', () => {
      const unknown = read({ ManagedPolicyArns: [managed('AdministratorAccess')] });
      expect(() => roleStatements(unknown.reader, unknown.role)).toThrow('AdministratorAccess');
      const bounded = read({ PermissionsBoundary: managed('PowerUserAccess') });
      expect(() => roleStatements(bounded.reader, bounded.role)).toThrow('permissions boundary');
    });
  });

  describe('a resource policy', () => {
    const ROLE = 'arn:aws:iam::000000000000:role/S-Role';
    const ROOT = 'arn:aws:iam::000000000000:root';
    const statement = (Effect: string, Principal: ResourceStatement['Principal']): ResourceStatement => ({
      Effect,
      Principal,
      Action: '*',
      Resource: '*',
    });

    test.each<[string, ResourceStatement, boolean]>([
      ['everybody', statement('Allow', '*'), true],
      ['every AWS principal', statement('Deny', { AWS: '*' }), true],
      ['the role', statement('Allow', { AWS: [ROOT, ROLE] }), true],
      ['another role', statement('Allow', { AWS: `${ROLE}2` }), false],
      ['a service', statement('Allow', { Service: 'cloudfront.amazonaws.com' }), false],
      ['the account, which leaves an Allow to its own policies', statement('Allow', { AWS: ROOT }), false],
      ['the account, which a Deny takes in whole', statement('Deny', { AWS: ROOT }), true],
    ])('for %s', (_, its, applies) => {
      expect(statementsForRole([its], ROLE)).toEqual(applies ? [its] : []);
    });

    test('with NotPrincipal is refused', () => {
      const { Principal, ...rest } = statement('Deny', '*');
      expect(() => statementsForRole([{ ...rest, NotPrincipal: Principal }], ROLE)).toThrow('NotPrincipal');
    });
  });
});
