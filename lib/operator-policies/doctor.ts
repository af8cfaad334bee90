import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Reasoned } from '../acknowledge-wildcards.ts';
import { alarmPrefix, nestedPrefix } from '../monitoring/runbook-alarm.ts';
import type { OwnDomain } from '../settings.ts';
import type { Stage } from '../stage.ts';

/** The ids of all statements for `leadctl doctor` begin with this. */
export const DOCTOR_SID = 'Doctor';

export interface Examined {
  readonly stack: Stack;
  readonly stage: Stage;
  /** Custom domains, whose certificates and records are checked. */
  readonly ingestDomain: OwnDomain | undefined;
  readonly consoleDomain: OwnDomain | undefined;
  /** The sender of mail, which SES must have verified. */
  readonly mailFrom: string | undefined;
}

const MADE_UP = 'CloudFormation, Lambda and CodeDeploy generate the last part of these names.';

/**
 * What `leadctl doctor` looks at besides the data: reading only, and of this stack where IAM can say so. Who the caller
 * is, sts:GetCallerIdentity, needs no permission.
 */
export function doctorStatements(examined: Examined): Reasoned[] {
  const { stack, stage, ingestDomain, consoleDomain, mailFrom } = examined;
  const { COLON_RESOURCE_NAME: colon, SLASH_RESOURCE_NAME: slash } = ArnFormat;
  const arn = (service: string, resource: string, resourceName: string, arnFormat = colon) =>
    stack.formatArn({ service, resource, resourceName, arnFormat });
  const may = (about: string, actions: string[], resources: string[], wildcard?: string): Reasoned => ({
    statement: new PolicyStatement({ sid: `${DOCTOR_SID}${about}`, actions, resources }),
    ...(wildcard !== undefined && { wildcard }),
  });
  const { stackName, partition, region } = stack;
  const own = [ingestDomain, consoleDomain].flatMap((domain) => domain ?? []);
  const certificates = own.map(({ certificateArn }) => certificateArn);
  const zones = new Set(own.flatMap(({ hostedZone }) => hostedZone?.id ?? []));
  const zoneArns = [...zones].map((id) => `arn:${partition}:route53:::hostedzone/${id}`);
  const paths = ['/account', ...(ingestDomain ? [`/domainnames/${ingestDomain.name}`] : [])];
  return [
    may(
      'Stack',
      ['DescribeStacks', 'GetTemplate', 'ListStackResources'].map((action) => `cloudformation:${action}`),
      // The second is the nested stack of alarms and dashboard.
      [`${stackName}/*`, `${stackName}-*/*`].map((name) => arn('cloudformation', 'stack', name, slash)),
      MADE_UP,
    ),
    may('Aliases', ['lambda:GetAlias'], [arn('lambda', 'function', `${stackName}-*`)], MADE_UP),
    may(
      'Deployments',
      ['BatchGetDeploymentGroups', 'BatchGetDeploymentTargets', 'ListDeploymentTargets'].map(
        (action) => `codedeploy:${action}`,
      ),
      [arn('codedeploy', 'deploymentgroup', `${stackName}-*`)],
      MADE_UP,
    ),
    may(
      'Topic',
      ['sns:GetTopicAttributes', 'sns:ListSubscriptionsByTopic'],
      [stack.formatArn({ service: 'sns', resource: `${alarmPrefix(stage)}alarms` })],
    ),
    may(
      'Alarms',
      ['cloudwatch:DescribeAlarms'],
      [arn('cloudwatch', 'alarm', '*')],
      'CloudWatch describes alarms by name only to who may describe all of them.',
    ),
    may(
      'Dashboard',
      ['cloudwatch:GetDashboard'],
      [
        stack.formatArn({
          service: 'cloudwatch',
          region: '',
          resource: 'dashboard',
          resourceName: `${nestedPrefix(stage)}${region}`,
        }),
      ],
    ),
    may(
      'Gateway',
      ['apigateway:GET'],
      paths.map((path) => `arn:${partition}:apigateway:${region}::${path}`),
    ),
    may(
      'Bootstrap',
      ['ssm:GetParameter'],
      [arn('ssm', 'parameter', 'cdk-bootstrap/*/version', slash)],
      'A bootstrap stack may have a qualifier of its own. The parameter holds a version.',
    ),
    may(
      'Account',
      [
        'cloudwatch:GetMetricData',
        'dynamodb:ListTables',
        'lambda:GetAccountSettings',
        'lambda:GetEventSourceMapping',
        ...(mailFrom === undefined ? [] : ['ses:GetAccount']),
      ],
      ['*'],
      'These read no data and take no resource, except for the mapping, whose id Lambda makes up.',
    ),
    ...(certificates.length > 0 ? [may('Certificates', ['acm:DescribeCertificate'], certificates)] : []),
    ...(mailFrom === undefined
      ? []
      : [
          may(
            'Mail',
            ['ses:GetEmailIdentity'],
            [mailFrom, domainOf(mailFrom)].map((identity) => arn('ses', 'identity', identity, slash)),
          ),
        ]),
    ...(zoneArns.length > 0
      ? [may('Zone', ['route53:GetHostedZone', 'route53:ListResourceRecordSets'], zoneArns)]
      : []),
  ];
}

function domainOf(mailFrom: string): string {
  return mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
}
