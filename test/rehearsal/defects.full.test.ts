import { beforeAll, describe, expect } from '@jest/globals';
import type { Statement } from '../../local/iam/evaluate.ts';
import type { Template } from '../../local/template.ts';
import { documentedRights, type Rights } from '../docs/deployment-rights.ts';
import { testUnlessMissing } from '../programs.ts';
import type { Version } from './custom-resources.ts';
import { MISSING } from './handlers.ts';
import { deployUpdateAndDelete, placeForTests } from './scenarios.ts';
import { changed, Versions } from './versions.ts';

const { here, title } = testUnlessMissing(MISSING);

type Change = (template: Template) => Template;

/** Changes the policy statements of roles, or of buckets. */
function statements(type: string, change: (statement: Statement) => Statement[]): Change {
  const inDocument = (document: { Statement: Statement[] }) => ({
    ...document,
    Statement: document.Statement.flatMap(change),
  });
  return (template) =>
    changed(template, (properties, { Type }) => {
      if (Type !== type) return properties;
      const { Policies, PolicyDocument } = properties as Record<string, unknown> & {
        Policies?: { PolicyDocument: { Statement: Statement[] } }[];
        PolicyDocument?: { Statement: Statement[] };
      };
      return {
        ...properties,
        ...(Policies && {
          Policies: Policies.map((it) => ({ ...it, PolicyDocument: inDocument(it.PolicyDocument) })),
        }),
        ...(PolicyDocument && { PolicyDocument: inDocument(PolicyDocument) }),
      };
    });
}

const withoutGrant = (type: string, action: string) =>
  statements(type, (statement) => {
    const Action = [statement.Action ?? []].flat().filter((it) => it !== action);
    return Action.length === 0 ? [] : [{ ...statement, Action }];
  });

const onDeployments =
  (more: Record<string, unknown>): Change =>
  (template) =>
    changed(template, (properties, { Type }) =>
      Type === 'Custom::CDKBucketDeployment' ? { ...properties, ...more } : properties,
    );

const both =
  (one: Change, other: Change): Change =>
  (template) =>
    other(one(template));

/** The text `"false"` is true to CDK's handler, which then waits for the invalidation. */
const invalidation = onDeployments({
  DistributionId: { Ref: 'Console' },
  DistributionPaths: ['/*'],
  WaitForDistributionInvalidation: false,
});

const mayInvalidate = (...more: string[]) =>
  statements('AWS::IAM::Role', (statement) =>
    [statement.Action].flat().includes('s3:PutObject')
      ? [statement, { Effect: 'Allow', Action: ['cloudfront:CreateInvalidation', ...more], Resource: '*' }]
      : [statement],
  );

const byCustomerKey: Change = (template) =>
  changed(template, (properties, { Type }) => {
    const KMSMasterKeyID = 'arn:aws:kms:us-east-1:000000000000:key/console';
    const ServerSideEncryptionByDefault = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID };
    return Type === 'AWS::S3::Bucket'
      ? {
          ...properties,
          BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault }] },
        }
      : properties;
  });

/** Each with the requests that must fail by it, and the action that must be named. */
const DEFECTS: readonly [string, Change, readonly string[], string][] = [
  [
    'no cloudfront:GetInvalidation',
    both(invalidation, mayInvalidate()),
    ['Create', 'Update', 'Delete'],
    'cloudfront:GetInvalidation on arn:aws:cloudfront::000000000000:distribution/LeadIngest-dev-Console',
  ],
  [
    'no reading of the uploaded assets',
    withoutGrant('AWS::IAM::Role', 's3:GetObject'),
    ['Create', 'Update'],
    's3:GetObject on arn:aws:s3:::cdk-hnb659fds-assets-000000000000-us-east-1/',
  ],
  [
    'no listing of the bucket',
    withoutGrant('AWS::IAM::Role', 's3:ListBucket'),
    ['Create', 'Update'],
    's3:ListBucket on arn:aws:s3:::leadingest-dev-consolefiles',
  ],
  [
    'no writing',
    withoutGrant('AWS::IAM::Role', 's3:PutObject'),
    ['Create', 'Update'],
    's3:PutObject on arn:aws:s3:::leadingest-dev-consolefiles/index.html',
  ],
  [
    'no pruning',
    withoutGrant('AWS::IAM::Role', 's3:DeleteObject'),
    ['Update'],
    's3:DeleteObject on arn:aws:s3:::leadingest-dev-consolefiles/dropped.html',
  ],
  [
    'no log',
    withoutGrant('AWS::IAM::Role', 'logs:PutLogEvents'),
    ['Create', 'Update', 'Delete'],
    'logs:PutLogEvents on arn:aws:logs:us-east-1:000000000000:log-group:',
  ],
  [
    'no emptying of the bucket',
    withoutGrant('AWS::S3::BucketPolicy', 's3:DeleteObject*'),
    ['Delete'],
    's3:DeleteObjectVersion on arn:aws:s3:::leadingest-dev-consolefiles/index.html',
  ],
  [
    'a customer key that nobody may use',
    byCustomerKey,
    ['Create', 'Update'],
    'kms:GenerateDataKey on arn:aws:kms:us-east-1:000000000000:key/console',
  ],
];

describe('a planted defect is found', () => {
  const versions = new Versions();
  const place = placeForTests();
  let current: Version;
  let earlier: Version;

  beforeAll(async () => {
    current = await versions.synthesize('dev', {});
    earlier = versions.withEarlierAssets(current);
  });

  const rehearse = (change: Change, rights?: Rights) => {
    const planted = (version: Version) => ({ ...version, template: change(version.template) });
    return deployUpdateAndDelete(
      { ...place(), ...(rights && { rights }) },
      planted(earlier),
      planted(current),
    );
  };

  here.each(DEFECTS)(title('%s'), async (_, change, requests, call) => {
    const problems = await rehearse(change);
    const found = problems.filter((problem) => problem.includes(`not allowed: ${call}`));
    expect([...new Set(found.map((problem) => problem.split(' ', 1)[0]))].sort()).toEqual(
      requests.toSorted(),
    );
  });

  here(title('and an invalidation that may be waited for is none'), async () => {
    const change = both(invalidation, mayInvalidate('cloudfront:GetInvalidation'));
    expect(await rehearse(change)).toEqual([]);
  });

  here.each([
    // Allowed by the policy of the bucket, not of the role.
    ['boundary', 's3:*', 's3:GetBucketTagging on arn:aws:s3:::leadingest-dev-consolefiles'],
    ['boundary', 'logs:*', 'logs:PutLogEvents on arn:aws:logs:'],
    ['execution', 'lambda:*', 'lambda:InvokeFunction on arn:aws:lambda:'],
  ] as const)(title('no %s for %s'), async (policy, action, call) => {
    const rights = documentedRights();
    const narrower = rights[policy].map((statement) => ({
      ...statement,
      Action: [statement.Action ?? []].flat().filter((it) => it !== action),
    }));
    const problems = await rehearse((template) => template, { ...rights, [policy]: narrower });
    expect(problems.filter((problem) => problem.includes(`not allowed: ${call}`))).not.toEqual([]);
  });

  here(title('a page that is gone, and not pruned'), async () => {
    const later = changed(current.template, (properties) =>
      'SystemMetadata' in properties ? { ...properties, Prune: false } : properties,
    );
    const problems = await deployUpdateAndDelete(place(), earlier, { ...current, template: later });
    expect(problems).toContainEqual('after the update dropped.html is still there');
  });
});
