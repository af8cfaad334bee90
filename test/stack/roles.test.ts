import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { makeGithubApp } from '../../lib/github-deployment-stack.ts';
import { asText, EVERY_SETTING, synthesize, withAssembly, withoutHash } from './synthesize.ts';

describe('the roles for GitHub', () => {
  const REPOSITORY = 'acme/leads';
  const ISSUER = 'token.actions.githubusercontent.com';
  const PROVIDER = `arn:aws:iam::111122223333:oidc-provider/${ISSUER}`;

  function synthesiseRoles(context: Record<string, unknown>): Template {
    return withAssembly((outdir) => {
      const app = makeGithubApp({ outdir, context, builtinCloudFormationValidation: false });
      return Template.fromJSON(app.synth().getStackByName('LeadIngest-github').template);
    });
  }

  interface Statement {
    Action: string | string[];
    Resource: unknown;
    Condition?: Record<string, Record<string, unknown>>;
  }

  function rolesOf(template: Template) {
    const roles = Object.entries(template.findResources('AWS::IAM::Role'));
    return new Map(roles.map(([id, { Properties }]) => [withoutHash(id), Properties]));
  }

  const template = synthesiseRoles({ repository: REPOSITORY });
  const roles = rolesOf(template);
  const statementsOf = (role: string): Statement[] =>
    roles
      .get(role)
      .Policies.flatMap(
        ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
      );
  const resourcesOf = ({ Resource }: Statement) => [Resource].flat().map(asText);

  test('there is one role for pull requests, and one for each stage', () => {
    expect([...roles.keys()].sort()).toEqual(['DevDeployRole', 'DiffRole', 'ProdDeployRole']);
    const outputs = Object.keys(template.toJSON().Outputs).sort();
    expect(outputs).toEqual(['DevDeployRoleArn', 'DiffRoleArn', 'ProdDeployRoleArn']);
  });

  test.each([
    ['DiffRole', 'pull_request'],
    ['DevDeployRole', 'environment:dev'],
    ['ProdDeployRole', 'environment:prod'],
  ])('%s trusts only this repository and %s', (role, subject) => {
    const [trust, ...more] = roles.get(role).AssumeRolePolicyDocument.Statement;
    expect(more).toEqual([]);
    expect(trust).toEqual({
      Action: 'sts:AssumeRoleWithWebIdentity',
      Effect: 'Allow',
      Principal: { Federated: { Ref: expect.stringMatching(/^Provider/) } },
      Condition: {
        StringEquals: {
          [`${ISSUER}:aud`]: 'sts.amazonaws.com',
          [`${ISSUER}:sub`]: `repo:${REPOSITORY}:${subject}`,
        },
      },
    });
  });

  test('a pull request can read templates and nothing else', () => {
    expect(statementsOf('DiffRole').map(({ Action }) => Action)).toEqual([
      ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate', 'cloudformation:ListStackResources'],
    ]);
    expect(statementsOf('DiffRole').flatMap(resourcesOf)).toEqual(
      ['dev', 'prod'].flatMap((stage) => [
        expect.stringMatching(`:stack/LeadIngest-${stage}-\\*/\\*$`),
        expect.stringMatching(`:stack/LeadIngest-${stage}/\\*$`),
      ]),
    );
  });

  describe.each(['Dev', 'Prod'])('%sDeployRole', (name) => {
    const statements = statementsOf(`${name}DeployRole`);
    const stage = name.toLowerCase();

    test("may assume only CDK's roles for deployment", () => {
      const taken = statements.filter(({ Action }) => [Action].flat().includes('sts:AssumeRole'));
      expect(taken.flatMap(resourcesOf).sort()).toEqual(
        ['deploy', 'file-publishing', 'lookup'].map(
          (role) =>
            `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:role/cdk-hnb659fds-${role}-role-\${AWS::AccountId}-\${AWS::Region}`,
        ),
      );
    });

    test('reaches the tables, owners and key of its own stage', () => {
      const others = statements.filter(({ Action }) => Action !== 'sts:AssumeRole');
      for (const statement of others) {
        const byTag = statement.Condition?.StringEquals?.['aws:ResourceTag/stage'] === stage;
        const byName = resourcesOf(statement).every((arn) => arn.includes(`:table/LeadIngest-${stage}-`));
        expect([statement.Action, byTag || byName]).toEqual([statement.Action, true]);
      }
    });

    test('has no action with a wildcard, and none on IAM or CloudFormation', () => {
      const actions = statements.flatMap(({ Action }) => Action);
      expect(actions.filter((action) => /\*|^(iam|cloudformation):/.test(action))).toEqual([]);
    });
  });

  describe('context', () => {
    test('the subject of newer repositories contains their ids', () => {
      const newer = rolesOf(synthesiseRoles({ repository: 'acme@12/leads@34', stages: 'prod' }));
      expect([...newer.keys()].sort()).toEqual(['DiffRole', 'ProdDeployRole']);
      const [trust] = newer.get('ProdDeployRole').AssumeRolePolicyDocument.Statement;
      expect(trust.Condition.StringEquals[`${ISSUER}:sub`]).toBe('repo:acme@12/leads@34:environment:prod');
    });

    test('an existing provider of the account is used instead of a new one', () => {
      const given = synthesiseRoles({ repository: REPOSITORY, oidcProviderArn: PROVIDER });
      given.resourceCountIs('AWS::IAM::OIDCProvider', 0);
      const [trust] = rolesOf(given).get('DiffRole').AssumeRolePolicyDocument.Statement;
      expect(trust.Principal).toEqual({ Federated: PROVIDER });
    });

    test.each([
      [{}, 'Which repository may deploy? Add -c repository=owner/name.'],
      [
        { repository: 'acme/*' },
        'Context "repository" must be owner/name, or owner@1/name@2 with the ids that the tokens of newer repositories have, but is "acme/*".',
      ],
      [
        { repository: REPOSITORY, stages: 'test' },
        'Context "stages" must be dev, prod or dev,prod, but is "test".',
      ],
      [
        { repository: REPOSITORY, oidcProviderArn: 'arn:aws:iam::1:oidc-provider/example.com' },
        'Context "oidcProviderArn" must be the ARN of the account\'s provider for GitHub, but is "arn:aws:iam::1:oidc-provider/example.com".',
      ],
      [
        { repository: REPOSITORY, stage: 'prod', branch: 'main' },
        'Unknown context key "branch". Known keys: repository, stages, oidcProviderArn.',
      ],
    ])('%j fails with one sentence', (context, sentence) => {
      expect(() => synthesiseRoles(context)).toThrow(new Error(sentence));
    });
  });
});

describe('the policies for operators', () => {
  const prod = synthesize('prod', EVERY_SETTING);
  const policies = Object.entries(prod.findResources('AWS::IAM::ManagedPolicy'));

  test.each(policies)('%s is attached to nobody', (_id, { Properties }) => {
    for (const who of ['Users', 'Groups', 'Roles']) expect(Properties[who] ?? []).toEqual([]);
  });

  test.each(policies)('%s names its actions one by one', (_id, { Properties }) => {
    const statements = Properties.PolicyDocument.Statement as { Action: string | string[] }[];
    const actions = statements.flatMap(({ Action }) => Action);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });
});

const BOUNDARY = { '@aws-cdk/core:permissionsBoundary': { name: 'limits' } };

// In dev CDK adds the role of one more function.
test('a permissions boundary in context is on every role', () => {
  const template = synthesize('dev', { ...EVERY_SETTING, ...BOUNDARY });
  const roles = Object.values(template.findResources('AWS::IAM::Role'));
  expect(roles.length).toBeGreaterThan(5);
  for (const { Properties } of roles) {
    expect(asText(Properties.PermissionsBoundary)).toBe(
      `arn:\${AWS::Partition}:iam::\${AWS::AccountId}:policy/limits`,
    );
  }
});
