import { describe, expect, test } from '@jest/globals';
import {
  type ResourceStatement,
  roleOfFunction,
  roleStatements,
  statementsForRole,
} from '#local/iam/policies.ts';
import { type Resource, TemplateReader } from '#local/template.ts';

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

  test('that names whom it is not for is refused', () => {
    const { Principal, ...rest } = statement('Deny', '*');
    expect(() => statementsForRole([{ ...rest, NotPrincipal: Principal }], ROLE)).toThrow('NotPrincipal');
  });
});
