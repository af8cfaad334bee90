import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { EVERY_SETTING, synthesizeWhole } from '../stack/synthesize.ts';

/** What the page calls them. A new type fails until it has a name here and a row there. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'tables',
  'AWS::KMS::Key': 'keys',
  'AWS::Cognito::UserPool': 'user pool, with its client',
  'AWS::SQS::Queue': 'queues',
  'AWS::S3::Bucket': 'bucket of the console',
  'AWS::Logs::LogGroup': 'log groups',
  'AWS::IAM::Role': 'role with which API Gateway writes logs, and the account setting that names it',
};

/** Part of another, or gone with it. */
const NOT_BY_THEMSELVES: Readonly<Record<string, string>> = {
  'AWS::Cognito::UserPoolClient': 'belongs to its pool',
  'AWS::Lambda::Version': 'is deleted with its function',
  'AWS::ApiGateway::Account': 'is a setting, which names the role',
};

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: { readonly LoggingConfig?: { readonly LogGroup?: unknown } };
}

const resourcesOf = (stage: 'dev' | 'prod', context = {}) =>
  Object.values<Resource>(synthesizeWhole(stage, context).toJSON().Resources);

function remaining(resources: readonly Resource[]): Map<string, number> {
  const kept = resources.filter(
    ({ Type, DeletionPolicy }) => DeletionPolicy?.startsWith('Retain') && !(Type in NOT_BY_THEMSELVES),
  );
  const counts = new Map<string, number>();
  for (const { Type } of kept) counts.set(Type, (counts.get(Type) ?? 0) + 1);
  // Lambda makes a log group for a function of CDK that names none, and CloudFormation does not know of it.
  const unknown = resources.filter(
    ({ Type, Properties }) => Type === 'AWS::Lambda::Function' && !Properties?.LoggingConfig?.LogGroup,
  );
  if (unknown.length > 0) {
    const group = 'AWS::Logs::LogGroup';
    counts.set(group, (counts.get(group) ?? 0) + unknown.length);
  }
  return counts;
}

test('docs/deploy.md says what remains after a stack is removed', () => {
  const [dev, prod] = [remaining(resourcesOf('dev')), remaining(resourcesOf('prod'))];
  const rows = Object.entries(NAMES).map(
    ([type, name]) => `| ${name} | ${dev.get(type) ?? 0} | ${prod.get(type) ?? 0} |`,
  );
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## Remove the stack');
  const found = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  // Paste what is expected here over the table there.
  expect(found.join('\n')).toBe(
    ['| what remains | of `dev` | of `prod` |', '|---|---|---|', ...rows].join('\n'),
  );
});

test.each([
  ['dev', {}],
  ['prod', {}],
  ['prod', EVERY_SETTING],
] as const)('%s with %j leaves nothing that the page has no name for', (stage, context) => {
  expect([...remaining(resourcesOf(stage, context)).keys()].filter((type) => !(type in NAMES))).toEqual([]);
});

test.each(['dev', 'prod'] as const)('the secret for browsers is deleted with %s', (stage) => {
  const secrets = resourcesOf(stage).filter(({ Type }) => Type === 'AWS::SecretsManager::Secret');
  expect(
    secrets.map(({ DeletionPolicy, UpdateReplacePolicy }) => [DeletionPolicy, UpdateReplacePolicy]),
  ).toEqual([['Delete', 'Delete']]);
});
