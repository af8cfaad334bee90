import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { regionOf } from '#lib/context/kinds.ts';
import { counted } from '../../operator/terminal.ts';
import type { Aws } from './aws.ts';
import { asking, type Finding, fail, ok, skip, unless, warn } from './check.ts';
import type { CertifiedName, DeploymentSettings } from './settings.ts';

/** What the stack's template requires. A test compares it with CDK's. */
export const BOOTSTRAP = { parameter: '/cdk-bootstrap/hnb659fds/version', version: 6 } as const;

export async function bootstrapVersion(aws: Aws): Promise<Finding> {
  const ssm = new SSMClient(aws.config());
  const call = asking('ssm:GetParameter', ssm.send(new GetParameterCommand({ Name: BOOTSTRAP.parameter })));
  const response = await unless(['ParameterNotFound'], call).finally(() => ssm.destroy());
  const bootstrap = `Run: npx cdk bootstrap aws://${aws.account().id}/${aws.region}`;
  if (!response) return fail('CDK is not bootstrapped in this account and region', bootstrap);
  const version = Number(response.Parameter?.Value);
  if (version >= BOOTSTRAP.version) return ok(`version ${version}`);
  return fail(
    `version ${response.Parameter?.Value}, but version ${BOOTSTRAP.version} is required`,
    bootstrap,
  );
}

/** The usual quota. New accounts often start with 10. */
const ORDINARY_CONCURRENCY = 1_000;

/** As docs/deploy.md has it. */
const REQUEST_CONCURRENCY = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${ORDINARY_CONCURRENCY}`;

/** How many functions can work on what no sender waits for, with default settings. A test adds them up in the template. */
export const BACKGROUND_CONCURRENCY = { usual: 31, smallAccount: 6 } as const;

export async function lambdaConcurrency(
  aws: Aws,
  { smallAccount }: Pick<DeploymentSettings, 'smallAccount'>,
): Promise<Finding> {
  const lambda = new LambdaClient(aws.config());
  const call = asking('lambda:GetAccountSettings', lambda.send(new GetAccountSettingsCommand({})));
  const { AccountLimit } = await call.finally(() => lambda.destroy());
  const total = AccountLimit?.ConcurrentExecutions ?? 0;
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions ?? total;
  if (total < ORDINARY_CONCURRENCY) {
    const { usual, smallAccount: inTurn } = BACKGROUND_CONCURRENCY;
    const left = (taken: number) => Math.max(0, total - taken);
    const until = smallAccount ? [] : ['Until AWS has granted it, deploy with -c smallAccount=true.'];
    return warn(
      `Lambda runs at most ${total} functions at a time: when work after the 202 is at its most, leads have ${left(usual)} of them, or ${left(inTurn)} with smallAccount=true; Lambda rejects all others`,
      [...until, `See docs/deploy.md, 2. Request concurrency. Run: ${REQUEST_CONCURRENCY}`].join(' '),
    );
  }
  if (smallAccount) {
    return warn(
      `Lambda runs ${total} functions at a time, but with smallAccount=true work after the 202 waits for its turn`,
      'Deploy without smallAccount.',
    );
  }
  if (unreserved < ORDINARY_CONCURRENCY / 2) {
    return warn(
      `only ${unreserved} of ${total} concurrent requests are unreserved`,
      'Reserve less for other functions, or request an increase: docs/deploy.md, 2. Request concurrency.',
    );
  }
  return ok(`${total} concurrent requests, ${unreserved} unreserved`);
}

export async function apiGatewayRole(
  aws: Aws,
  { manageApiGatewayAccount }: DeploymentSettings,
): Promise<Finding> {
  const gateway = new APIGatewayClient(aws.config());
  // API Gateway's permissions are HTTP methods, not operations.
  const call = asking('apigateway:GET on /account', gateway.send(new GetAccountCommand({})));
  const { cloudwatchRoleArn } = await call.finally(() => gateway.destroy());
  const role = cloudwatchRoleArn?.split('/').at(-1);
  if (!manageApiGatewayAccount) {
    if (role) return ok(`${role} (unchanged)`);
    return fail(
      'the account has no role for API Gateway logs',
      'Set one, or deploy without manageApiGatewayAccount=false.',
    );
  }
  if (!role) return ok('none yet; the stack sets it');
  // From this stack, the other stage or an earlier stack, which keeps it on purpose.
  if (role.startsWith('LeadIngest-')) return ok(role);
  return warn(
    `the stack would replace ${role}, which all REST APIs of this account and region use for logs`,
    'To keep it, deploy with -c manageApiGatewayAccount=false.',
  );
}

/** Whether the stack's throttles fit into the account's quota. */
export async function apiGatewayQuota(
  aws: Aws,
  { apiRequestsPerSecond: wanted }: DeploymentSettings,
): Promise<Finding> {
  const gateway = new APIGatewayClient(aws.config());
  const call = asking('apigateway:GET on /account', gateway.send(new GetAccountCommand({})));
  const { throttleSettings } = await call.finally(() => gateway.destroy());
  const quota = throttleSettings?.rateLimit;
  if (quota === undefined) return skip('API Gateway does not report the quota');
  if (quota >= wanted) return ok(`${quota} requests per second; the stack may use ${wanted}`);
  return warn(
    `${quota} requests per second, but the stack may use ${wanted}: a flood of one endpoint could stop all APIs`,
    `Deploy with -c apiRequestsPerSecond=${quota}, or request a higher quota first.`,
  );
}

/** Whether the rate of one address on the console's files is limited. */
export async function consoleWebAcl(region: string, settings: DeploymentSettings): Promise<Finding> {
  const { console, consoleFirewall, consoleWebAclArn } = settings;
  if (!console) return skip('console is false');
  if (consoleWebAclArn !== undefined) return ok('named by consoleWebAclArn');
  if (!consoleFirewall) return skip('consoleFirewall is off');
  if (region === CONSOLE_REGION) return ok('the stack creates it');
  return warn(
    `none: it must be in ${CONSOLE_REGION}, and the stack would be in ${region}`,
    'Create it with bin/console-firewall.ts and set consoleWebAclArn: docs/deploy.md, Settings.',
  );
}

/** CloudFront only accepts certificates from this region. */
export const CONSOLE_REGION = 'us-east-1';

const SOON_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** Whether the certificate is issued, valid, for this name, and in the right region. */
export async function certificate(
  aws: Aws,
  { name, certificateArn }: CertifiedName,
  region: string,
  now: number,
): Promise<Finding> {
  const actual = regionOf(certificateArn);
  if (actual !== region) {
    return fail(
      `it is in ${actual}, but must be in ${region}`,
      `Request one there: aws acm request-certificate --region ${region} --domain-name ${name} --validation-method DNS`,
    );
  }
  const acm = new ACMClient(aws.config(region));
  const call = acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }));
  const response = await unless(
    ['ResourceNotFoundException'],
    asking('acm:DescribeCertificate', call),
  ).finally(() => acm.destroy());
  if (!response?.Certificate) return fail(`not found in ACM in ${region}`, 'Check the ARN.');
  return judge(response.Certificate, name, now);
}

function judge(detail: CertificateDetail, name: string, now: number): Finding {
  const { Status, NotAfter, Type } = detail;
  if (Status === 'PENDING_VALIDATION') {
    return fail(
      'it is not issued yet',
      'Create the DNS records that ACM requires, and wait: docs/deploy.md, Custom domains.',
    );
  }
  if (Status === 'EXPIRED' || (NotAfter && NotAfter.getTime() <= now)) {
    return fail('it has expired', 'Request or import a new one.');
  }
  if (Status !== 'ISSUED') return fail(`its status is ${Status}`, 'Request a new one.');
  const names = [detail.DomainName ?? '', ...(detail.SubjectAlternativeNames ?? [])];
  if (!names.some((each) => covers(each.toLowerCase(), name))) {
    return fail(
      `it is for ${[...new Set(names)].filter(Boolean).join(', ')}, not for ${name}`,
      `Request one for ${name}.`,
    );
  }
  // ACM renews the certificates that it issued.
  const days = NotAfter ? Math.floor((NotAfter.getTime() - now) / DAY_MS) : SOON_DAYS;
  if (Type === 'IMPORTED' && days < SOON_DAYS) {
    return warn(
      `it was imported and expires in ${counted(days, 'day')}`,
      'Import a new one: ACM does not renew imported certificates.',
    );
  }
  return ok(`issued, for ${name}`);
}

/** A wildcard matches exactly one label. */
function covers(pattern: string, name: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === name;
  return name.slice(name.indexOf('.') + 1) === pattern.slice(2);
}

export async function hostedZone(aws: Aws, settings: DeploymentSettings): Promise<Finding> {
  const { hostedZone: zone, ingestDomain, consoleDomain } = settings;
  if (!zone) return skip('hostedZoneId is not set');
  const outside = [ingestDomain, consoleDomain].find(
    (domain) => domain && domain.name !== zone.name && !domain.name.endsWith(`.${zone.name}`),
  );
  if (outside) {
    return fail(`${outside.name} is not in ${zone.name}`, 'Set the hosted zone of your domain, or none.');
  }
  const route53 = new Route53Client(aws.config());
  const call = asking('route53:GetHostedZone', route53.send(new GetHostedZoneCommand({ Id: zone.id })));
  const response = await unless(['NoSuchHostedZone'], call).finally(() => route53.destroy());
  const lookUp = `Find the ID: aws route53 list-hosted-zones-by-name --dns-name ${zone.name}`;
  if (!response?.HostedZone) return fail(`hosted zone ${zone.id} not found`, lookUp);
  const { Name = '', Config } = response.HostedZone;
  const name = Name.replace(/\.$/, '');
  if (name !== zone.name) return fail(`${zone.id} is the zone of ${name}, not of ${zone.name}`, lookUp);
  if (Config?.PrivateZone) {
    return fail(`${zone.id} is private: senders could not resolve its names`, `Use a public zone. ${lookUp}`);
  }
  return ok(`${zone.id}, the public zone of ${name}`);
}
