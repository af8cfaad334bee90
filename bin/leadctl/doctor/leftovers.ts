import { APIGatewayClient, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import { CloudWatchClient, DescribeAlarmsCommand, GetDashboardCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import type { Aws } from './aws.ts';
import { type Check, fail, ok, skip, warn } from './check.ts';
import { asking, type Finding, unless } from './explain-error.ts';
import type { DeploymentSettings } from './settings.ts';
import { type FoundStack, ofType } from './stack.ts';

type FindStack = () => Promise<FoundStack | undefined>;

/**
 * Resources with fixed names: CloudFormation fails if one exists outside the stack. All others, such as tables, queues
 * and log groups, get unique names.
 */
export function leftoverNames(aws: Aws, settings: DeploymentSettings, findStack: FindStack): Check[] {
  const { stage, ingestDomain, consoleDomain, hostedZone } = settings;
  const prefix = `lead-ingest-${stage}`;
  const check = (name: string, what: string, find: () => Promise<readonly string[]>) =>
    aws.check(name, async () => judge(what, await find(), await findStack()));
  return [
    check('alarm topic', 'topic', () => findTopic(aws, `${prefix}-alarms`)),
    check('alarm names', 'alarm', () => findAlarms(aws, `${prefix}-`)),
    check('dashboard name', 'dashboard', () => findDashboard(aws, `${prefix}-${aws.region}`)),
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
  const answer = await unless(['NotFoundException', 'NotFound'], call).finally(() => sns.destroy());
  return answer ? [name] : [];
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
  const answer = await unless(absent, asking('cloudwatch:GetDashboard', call)).finally(() =>
    cloudWatch.destroy(),
  );
  return answer ? [DashboardName] : [];
}

async function findDomain(aws: Aws, domainName: string): Promise<string[]> {
  const gateway = new APIGatewayClient(aws.config());
  const call = gateway.send(new GetDomainNameCommand({ domainName }));
  const answer = await unless(
    ['NotFoundException'],
    asking(`apigateway:GET on /domainnames/${domainName}`, call),
  ).finally(() => gateway.destroy());
  return answer ? [domainName] : [];
}

/** Records of other types, such as MX, can have the same name. */
const IN_THE_WAY = new Set<string | undefined>(['A', 'AAAA', 'CNAME']);

async function findRecords(aws: Aws, HostedZoneId: string, name: string): Promise<string[]> {
  const route53 = new Route53Client(aws.config());
  const call = route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId, StartRecordName: name, MaxItems: 20 }),
  );
  const answer = await unless(['NoSuchHostedZone'], asking('route53:ListResourceRecordSets', call)).finally(
    () => route53.destroy(),
  );
  const records = answer?.ResourceRecordSets ?? [];
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
