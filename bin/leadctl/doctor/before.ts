import { APIGatewayClient, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import { CloudWatchClient, DescribeAlarmsCommand, GetDashboardCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import {
  apiGatewayQuota,
  apiGatewayRole,
  bootstrapVersion,
  CONSOLE_REGION,
  certificate,
  consoleWebAcl,
  hostedZone,
  lambdaConcurrency,
} from './account.ts';
import { type Aws, type FoundStack, makeStackFinder, ofType } from './aws.ts';
import { asking, type Check, type Finding, fail, ok, skip, unless, warn } from './check.ts';
import { mailSender } from './mail.ts';
import type { DeploymentSettings } from './settings.ts';

/** What a deployment with these settings requires. */
export function checksBefore(aws: Aws, settings: DeploymentSettings, now: () => number): Check[] {
  const { stage, ingestDomain, consoleDomain } = settings;
  const stackName = `LeadIngest-${stage}`;
  const findStack = makeStackFinder(aws, stackName);
  const certificateCheck = (name: string, key: string, domain: typeof ingestDomain, region: string) =>
    aws.check(name, async () =>
      domain ? certificate(aws, domain, region, now()) : skip(`${key} is not set`),
    );
  return [
    ...aws.checks,
    aws.check('bootstrap', () => bootstrapVersion(aws)),
    aws.check('Lambda concurrency', () => lambdaConcurrency(aws, settings)),
    aws.check('API Gateway role', () => apiGatewayRole(aws, settings)),
    aws.check('API Gateway quota', () => apiGatewayQuota(aws, settings)),
    aws.check('console web ACL', () => consoleWebAcl(aws.region, settings)),
    certificateCheck('ingest certificate', 'ingestDomainName', ingestDomain, aws.region),
    certificateCheck('console certificate', 'consoleDomainName', consoleDomain, CONSOLE_REGION),
    aws.check('hosted zone', () => hostedZone(aws, settings)),
    aws.check('mail sender', () => mailSender(aws, settings.mailFrom)),
    aws.check('stack', async () => stackFinding(await findStack(), stackName)),
    ...leftoverNames(aws, settings, findStack),
    aws.check('tables', () => leftoverTables(aws, stackName, findStack)),
  ];
}

const FIRST_FAILED =
  'Delete it and its leftovers; in prod, disable termination protection first: docs/deploy.md, 4. Deploy.';

/** States in which a deployment fails or waits. All others are fine. */
const STATES: Readonly<Record<string, (name: string) => ReturnType<typeof fail>>> = {
  CREATE_FAILED: (name) => fail(`the first deployment of ${name} failed`, FIRST_FAILED),
  ROLLBACK_COMPLETE: (name) => fail(`the first deployment of ${name} failed`, FIRST_FAILED),
  ROLLBACK_FAILED: (name) => fail(`the first deployment of ${name} failed`, FIRST_FAILED),
  DELETE_FAILED: (name) =>
    fail(
      `${name} could not be deleted`,
      `Delete it again: aws cloudformation delete-stack --stack-name ${name}. See its events for the cause.`,
    ),
  UPDATE_ROLLBACK_FAILED: (name) =>
    fail(
      `an update of ${name} could not be rolled back`,
      `Fix the cause shown in its events, then run: aws cloudformation continue-update-rollback --stack-name ${name}. docs/upgrade.md says which resources can be skipped.`,
    ),
  UPDATE_FAILED: (name) =>
    fail(
      `an update of ${name} stopped halfway`,
      `Roll it back: aws cloudformation rollback-stack --stack-name ${name}`,
    ),
  REVIEW_IN_PROGRESS: (name) =>
    warn(
      `${name} is a change set that was never executed`,
      `cdk deploy continues from there. To start over: aws cloudformation delete-stack --stack-name ${name}`,
    ),
};

function stackFinding(stack: FoundStack | undefined, name: string) {
  if (!stack) return ok(`${name} does not exist yet`);
  const { status } = stack;
  const finding = STATES[status] ?? (/_FAILED$/.test(status) ? STATES.UPDATE_FAILED : undefined);
  if (finding) return finding(name);
  if (/_IN_PROGRESS$/.test(status)) {
    return warn(`${name} is being updated (${status})`, 'Wait until the update has finished.');
  }
  return ok(`${name} exists (${status})`);
}

type FindStack = () => Promise<FoundStack | undefined>;

/**
 * Resources with fixed names: CloudFormation fails if one exists outside the stack. All others, such as tables, queues
 * and log groups, get unique names.
 */
export function leftoverNames(aws: Aws, settings: DeploymentSettings, findStack: FindStack): Check[] {
  const { stage, ingestDomain, consoleDomain, hostedZone } = settings;
  const without = (name: string, key: string) => aws.check(name, async () => skip(`${key} is false`));
  const prefix = `lead-ingest-${stage}`;
  const check = (name: string, what: string, find: () => Promise<readonly string[]>) =>
    aws.check(name, async () => judge(what, await find(), await findStack()));
  return [
    ...(settings.alarms
      ? [
          check('alarm topic', 'topic', () => findTopic(aws, `${prefix}-alarms`)),
          check('alarm names', 'alarm', () => findAlarms(aws, `${prefix}-`)),
        ]
      : [without('alarm topic', 'alarms'), without('alarm names', 'alarms')]),
    settings.dashboard
      ? check('dashboard name', 'dashboard', () => findDashboard(aws, `${prefix}-monitoring-${aws.region}`))
      : without('dashboard name', 'dashboard'),
    ingestDomain
      ? check('ingest domain', 'API Gateway domain name', () => findDomain(aws, ingestDomain.name))
      : aws.check('ingest domain', async () => skip('ingestDomainName is not set')),
    hostedZone && (ingestDomain ?? consoleDomain)
      ? check('DNS records', 'DNS record', async () => {
          const names = [ingestDomain?.name, consoleDomain?.name].filter((name) => name !== undefined);
          const found = await Promise.all(names.map((name) => findRecords(aws, hostedZone.id, name)));
          return found.flat();
        })
      : aws.check('DNS records', async () => skip('the stack creates none')),
  ];
}

function judge(what: string, found: readonly string[], stack: FoundStack | undefined): Finding {
  const own = new Set(stack?.resources.map(({ physicalId }) => bare(physicalId)));
  const foreign = found.filter((name) => !own.has(bare(name)));
  if (foreign.length === 0) return ok(found.length === 0 ? 'free' : 'owned by the stack');
  const [first] = foreign;
  const more = foreign.length > 1 ? ` and ${foreign.length - 1} more` : '';
  return fail(
    `${what} ${bare(first ?? '')}${more} already exists outside the stack`,
    'The deployment would fail. Delete it, or deploy to another account or region.',
  );
}

/** CloudFormation identifies topics by ARN, and records with or without the trailing dot. */
function bare(id: string): string {
  return (id.startsWith('arn:') ? (id.split(':').at(-1) ?? '') : id).replace(/\.$/, '');
}

async function findTopic(aws: Aws, name: string): Promise<string[]> {
  const { id, partition } = aws.account();
  const TopicArn = `arn:${partition}:sns:${aws.region}:${id}:${name}`;
  const sns = new SNSClient(aws.config());
  const call = asking('sns:GetTopicAttributes', sns.send(new GetTopicAttributesCommand({ TopicArn })));
  const response = await unless(['NotFoundException', 'NotFound'], call).finally(() => sns.destroy());
  return response ? [name] : [];
}

async function findAlarms(aws: Aws, AlarmNamePrefix: string): Promise<string[]> {
  const cloudWatch = new CloudWatchClient(aws.config());
  const call = cloudWatch.send(new DescribeAlarmsCommand({ AlarmNamePrefix, MaxRecords: 100 }));
  const { MetricAlarms = [] } = await asking('cloudwatch:DescribeAlarms', call).finally(() =>
    cloudWatch.destroy(),
  );
  return MetricAlarms.flatMap(({ AlarmName }) => AlarmName ?? []);
}

async function findDashboard(aws: Aws, DashboardName: string): Promise<string[]> {
  const cloudWatch = new CloudWatchClient(aws.config());
  const call = cloudWatch.send(new GetDashboardCommand({ DashboardName }));
  const absent = ['DashboardNotFoundError', 'ResourceNotFound'];
  const response = await unless(absent, asking('cloudwatch:GetDashboard', call)).finally(() =>
    cloudWatch.destroy(),
  );
  return response ? [DashboardName] : [];
}

async function findDomain(aws: Aws, domainName: string): Promise<string[]> {
  const gateway = new APIGatewayClient(aws.config());
  const call = gateway.send(new GetDomainNameCommand({ domainName }));
  const response = await unless(
    ['NotFoundException'],
    asking(`apigateway:GET on /domainnames/${domainName}`, call),
  ).finally(() => gateway.destroy());
  return response ? [domainName] : [];
}

/** Records of other types, such as MX, can have the same name. */
const IN_THE_WAY = new Set<string | undefined>(['A', 'AAAA', 'CNAME']);

async function findRecords(aws: Aws, HostedZoneId: string, name: string): Promise<string[]> {
  const route53 = new Route53Client(aws.config());
  const call = route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId, StartRecordName: name, MaxItems: 20 }),
  );
  const response = await unless(['NoSuchHostedZone'], asking('route53:ListResourceRecordSets', call)).finally(
    () => route53.destroy(),
  );
  const records = response?.ResourceRecordSets ?? [];
  return records.some(({ Name, Type }) => Name === `${name}.` && IN_THE_WAY.has(Type)) ? [name] : [];
}

/** A deleted prod stack keeps its tables. They do not collide, but a new stack does not use them. */
export async function leftoverTables(
  aws: Aws,
  stackName: string,
  findStack: () => Promise<FoundStack | undefined>,
): Promise<Finding> {
  const prefix = `${stackName}-`;
  const dynamoDb = new DynamoDBClient(aws.config());
  // Names are sorted by bytes: a list that starts at the prefix needs one page.
  const call = dynamoDb.send(new ListTablesCommand({ ExclusiveStartTableName: prefix, Limit: 100 }));
  const { TableNames = [] } = await asking('dynamodb:ListTables', call).finally(() => dynamoDb.destroy());
  const stack = await findStack();
  const own = new Set(stack ? ofType(stack, 'AWS::DynamoDB::GlobalTable') : []);
  const left = TableNames.filter((name) => name.startsWith(prefix) && !own.has(name));
  if (left.length === 0) return ok('no leftovers');
  return warn(
    `an earlier ${stackName} left ${left.length === 1 ? 'a table' : `${left.length} tables`}, such as ${left[0]}`,
    'The new stack starts empty. Restore from them (docs/back-up-and-restore.md) or delete them (docs/deploy.md, Remove the stack).',
  );
}
