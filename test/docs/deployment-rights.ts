import { readFileSync } from 'node:fs';
import type { Call, Statement } from '../../local/iam/evaluate.ts';
import { type ResourceStatement, roleStatements, statementsForRole } from '../../local/iam/policies.ts';
import { resolve } from '../../local/intrinsics.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../../local/local-account.ts';
import { type Resource, TemplateReader } from '../../local/template.ts';
import type { NamedTemplate } from '../stack/every-template.ts';

/** The two policies that docs/deploy.md offers, to be used together. */
export interface Rights {
  /** For CloudFormation, when it deploys. */
  readonly execution: readonly Statement[];
  /** For all roles of the stacks. */
  readonly boundary: readonly Statement[];
}

export function documentedRights(): Rights {
  const [, section = ''] = readFileSync('docs/deploy.md', 'utf8').split('\n## 3. Bootstrap\n');
  const blocks = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/```json\n(\{\n {2}"Version"[\s\S]*?)\n```/g),
  ];
  const [execution, boundary, third] = blocks.map(([, json = '']) => JSON.parse(json).Statement);
  if (!execution || !boundary || third) throw new Error('docs/deploy.md must have two policies');
  return { execution, boundary };
}

/** A call that must be allowed, and what makes it. */
export interface Need extends Call {
  readonly for: string;
}

/**
 * What CloudFormation calls to create, read, update and delete a resource, from `handlers` in the schema of its type:
 * `aws cloudformation describe-type --type RESOURCE --type-name AWS::Lambda::Function`. Left out are permissions for
 * properties that no template sets: networks, file systems, Kinesis, replicas. Types without handlers, like those of
 * rotation, deployment groups and record sets, are listed by the API reference. `service:*` stands for all that a type
 * needs of its own service; roles, assets and functions that it names are found in the template.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  ...onlyOf('apigateway', 'ApiGateway', [
    ...['Account', 'BasePathMapping', 'Deployment', 'GatewayResponse', 'Method', 'Resource', 'RestApi'],
  ]),
  'AWS::ApiGateway::DomainName': 'apigateway:* iam:CreateServiceLinkedRole',
  'AWS::ApiGateway::Stage': 'apigateway:* logs:*',
  ...onlyOf('apigateway', 'ApiGatewayV2', ['Api', 'ApiMapping', 'Authorizer', 'Integration', 'Route']),
  // Access logs of HTTP APIs are delivered by CloudWatch Logs, which the caller must be allowed to set up.
  'AWS::ApiGatewayV2::Stage': 'apigateway:* logs:*',
  ...onlyOf('cloudformation', 'CloudFormation', ['Stack']),
  ...onlyOf('cloudfront', 'CloudFront', [
    ...['Distribution', 'Function', 'OriginAccessControl', 'OriginRequestPolicy', 'ResponseHeadersPolicy'],
  ]),
  ...onlyOf('cloudwatch', 'CloudWatch', ['Alarm', 'Dashboard']),
  ...onlyOf('codedeploy', 'CodeDeploy', ['Application', 'DeploymentGroup']),
  ...onlyOf('cognito-idp', 'Cognito', ['UserPool', 'UserPoolClient']),
  'AWS::DynamoDB::GlobalTable':
    'dynamodb:* application-autoscaling:* cloudwatch:PutMetricData kms:CreateGrant kms:Decrypt kms:DescribeKey kms:ListAliases kms:RevokeGrant',
  'AWS::Events::EventBus': 'events:* kms:DescribeKey kms:GenerateDataKey kms:Decrypt',
  ...onlyOf('events', 'Events', ['Rule']),
  ...onlyOf('iam', 'IAM', ['ManagedPolicy', 'OIDCProvider', 'Policy', 'Role']),
  ...onlyOf('kms', 'KMS', ['Key']),
  // With its update policy, CloudFormation lets CodeDeploy move it.
  'AWS::Lambda::Alias': 'lambda:* codedeploy:CreateDeployment codedeploy:GetDeployment',
  'AWS::Lambda::EventSourceMapping': 'lambda:* kms:DescribeKey kms:GenerateDataKey kms:Decrypt',
  ...onlyOf('lambda', 'Lambda', ['EventInvokeConfig', 'Function', 'LayerVersion', 'Permission', 'Version']),
  ...onlyOf('logs', 'Logs', ['LogGroup', 'MetricFilter']),
  'AWS::Route53::RecordSet':
    'route53:ChangeResourceRecordSets route53:GetChange route53:GetHostedZone route53:ListResourceRecordSets',
  ...onlyOf('s3', 'S3', ['Bucket', 'BucketPolicy']),
  ...onlyOf('ses', 'SES', ['ConfigurationSet', 'ConfigurationSetEventDestination']),
  ...onlyOf('sns', 'SNS', ['Subscription', 'Topic', 'TopicPolicy']),
  ...onlyOf('sqs', 'SQS', ['Queue', 'QueuePolicy']),
  ...onlyOf('secretsmanager', 'SecretsManager', ['RotationSchedule', 'Secret']),
  ...onlyOf('wafv2', 'WAFv2', ['WebACL']),
  'AWS::WAFv2::WebACLAssociation': 'wafv2:* apigateway:SetWebACL',
};

/** Types that need nothing but their own service. */
function onlyOf(service: string, name: string, types: readonly string[]): Record<string, string> {
  return Object.fromEntries(types.map((type) => [`AWS::${name}::${type}`, `${service}:*`]));
}

const IAM = `arn:aws:iam::${LOCAL_ACCOUNT}`;

/** The ARNs of resources whose names the documented policy restricts. */
const ARNS: Readonly<Record<string, (resource: Resource, reader: TemplateReader) => readonly string[]>> = {
  'AWS::CloudFormation::Stack': ({ logicalId }, reader) => [
    `arn:aws:cloudformation:${LOCAL_REGION}:${LOCAL_ACCOUNT}:stack/${reader.name(logicalId)}/x`,
  ],
  'AWS::IAM::ManagedPolicy': ({ logicalId }, reader) => [reader.arn(logicalId)],
  'AWS::IAM::OIDCProvider': (it) => [
    `${IAM}:oidc-provider/${it.required<string>('Url').replace('https://', '')}`,
  ],
  'AWS::IAM::Policy': (it) => it.required<string[]>('Roles').map((name) => `${IAM}:role/${name}`),
  'AWS::IAM::Role': ({ logicalId }, reader) => [reader.arn(logicalId)],
  'AWS::S3::Bucket': ({ logicalId }, reader) => [reader.arn(logicalId)],
  'AWS::S3::BucketPolicy': (it) => [`arn:aws:s3:::${it.required('Bucket')}`],
};

/** A role that API Gateway needs for custom domains. AWS creates it on behalf of the first who adds one. */
const LINKED_ROLE = `${IAM}:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway`;

/** Every call that CloudFormation makes for a template, with the role that `cdk bootstrap` gives it. */
export function deploymentNeeds({ name, stackName, template }: NamedTemplate): Need[] {
  const reader = readerOf({ stackName, template });
  const parameters = Object.values(template.Parameters ?? {})
    .filter(({ Type }) => Type?.startsWith('AWS::SSM::'))
    .map(({ Default }) => ({
      for: `${name}, a parameter`,
      action: 'ssm:GetParameters',
      resource: `arn:aws:ssm:${LOCAL_REGION}:${LOCAL_ACCOUNT}:parameter${Default}`,
    }));
  const types = [...new Set(Object.values(template.Resources).map(({ Type }) => Type))];
  const ofResources = reader.resources(...types).flatMap((resource) => {
    const { Properties } = template.Resources[resource.logicalId] ?? {};
    const calls = [
      ...ownCalls(resource, reader),
      ...calledFunctions(resource),
      ...handedOver(Properties, reader),
    ];
    return calls.map((call) => ({ ...call, for: `${name}, ${resource.type} ${resource.logicalId}` }));
  });
  return [...parameters, ...ofResources];
}

function ownCalls(resource: Resource, reader: TemplateReader): Call[] {
  // The function behind it has a role of its own.
  if (resource.type.startsWith('Custom::')) return [];
  const actions = ACTIONS[resource.type];
  if (actions === undefined) {
    throw new Error(`what CloudFormation needs for ${resource.type} is not listed: see ACTIONS`);
  }
  const arns = ARNS[resource.type]?.(resource, reader) ?? ['*'];
  return actions.split(' ').flatMap((action) =>
    (action === 'iam:CreateServiceLinkedRole' ? [LINKED_ROLE] : arns).map((arn) => ({
      action,
      resource: arn,
    })),
  );
}

/** CloudFormation calls the function of a custom resource; Secrets Manager tests the caller's right to call a rotation's. */
function calledFunctions(resource: Resource): Call[] {
  const property = resource.type.startsWith('Custom::')
    ? 'ServiceToken'
    : resource.type === 'AWS::SecretsManager::RotationSchedule'
      ? 'RotationLambdaARN'
      : undefined;
  if (property === undefined) return [];
  return [{ action: 'lambda:InvokeFunction', resource: resource.required(property) }];
}

/** The assets and roles that a resource hands over to its service. */
function handedOver(value: unknown, reader: TemplateReader): Call[] {
  if (typeof value !== 'object' || value === null) return [];
  const { S3Bucket, S3Key, 'Fn::GetAtt': attribute } = value as Record<string, unknown>;
  if (S3Bucket !== undefined) {
    const resource = `arn:aws:s3:::${resolve(S3Bucket, reader)}/${resolve(S3Key, reader)}`;
    return [{ action: 's3:GetObject', resource }];
  }
  if (Array.isArray(attribute)) {
    const [logicalId = ''] = attribute as string[];
    const isRole = reader.resources('AWS::IAM::Role').some((role) => role.logicalId === logicalId);
    return isRole ? [{ action: 'iam:PassRole', resource: reader.arn(logicalId) }] : [];
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    // Named in a policy, a role is not handed over.
    key === 'PolicyDocument' || key === 'KeyPolicy' ? [] : handedOver(inner, reader),
  );
}

/** Everything that the roles of a template may do, by their own policies or by those of a resource that names them. */
export function roleNeeds({ name, stackName, template }: NamedTemplate): Need[] {
  const reader = readerOf({ stackName, template });
  const policies = Object.entries(template.Resources)
    .filter(([, { Type }]) => !Type.startsWith('AWS::IAM::'))
    .flatMap(([logicalId, { Type }]) => reader.resources(Type).filter((it) => it.logicalId === logicalId))
    .flatMap((it) => [it.property<Policy>('PolicyDocument'), it.property<Policy>('KeyPolicy')])
    .flatMap((policy) => policy?.Statement ?? []);
  return reader.resources('AWS::IAM::Role').flatMap((role) => {
    const statements = [
      ...roleStatements(reader, role),
      ...statementsForRole(policies, reader.arn(role.logicalId)),
    ];
    return statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action = '*' }) => Action)
      .map((action) => ({ for: `${name}, ${role.logicalId}`, action, resource: '*' }));
  });
}

interface Policy {
  readonly Statement: readonly ResourceStatement[];
}

/** Attributes that only AWS knows get any value: no name that a policy restricts depends on them. */
function readerOf({ stackName, template }: Omit<NamedTemplate, 'name'>): TemplateReader {
  const reader = new TemplateReader(template, stackName);
  for (const [, logicalId = '', attribute = ''] of JSON.stringify(template).matchAll(
    /\{"Fn::GetAtt":\["(\w+)","([\w.]+)"\]\}/g,
  )) {
    reader.setAttribute(logicalId, attribute, `${logicalId}.${attribute}`);
  }
  for (const { logicalId } of reader.resources('AWS::SQS::Queue'))
    reader.setAttribute(logicalId, 'Ref', logicalId);
  return reader;
}
