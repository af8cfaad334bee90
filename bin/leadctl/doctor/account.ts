import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import type { Aws } from './aws.ts';
import { fail, ok, skip, warn } from './check.ts';
import { CONSOLE_REGION } from './domains.ts';
import { asking, type Finding, unless } from './explain-error.ts';
import type { DeploymentSettings } from './settings.ts';

/** What the stack's template requires. A test compares it with CDK's. */
export const BOOTSTRAP = { parameter: '/cdk-bootstrap/hnb659fds/version', version: 6 } as const;

export async function bootstrapVersion(aws: Aws): Promise<Finding> {
  const ssm = new SSMClient(aws.config());
  const call = asking('ssm:GetParameter', ssm.send(new GetParameterCommand({ Name: BOOTSTRAP.parameter })));
  const answer = await unless(['ParameterNotFound'], call).finally(() => ssm.destroy());
  const bootstrap = `Run: npx cdk bootstrap aws://${aws.account().id}/${aws.region}`;
  if (!answer) return fail('CDK is not bootstrapped in this account and region', bootstrap);
  const version = Number(answer.Parameter?.Value);
  if (version >= BOOTSTRAP.version) return ok(`version ${version}`);
  return fail(`version ${answer.Parameter?.Value}, but version ${BOOTSTRAP.version} is required`, bootstrap);
}

/** The usual quota. New accounts often start with 10. */
const ORDINARY_CONCURRENCY = 1_000;

export async function lambdaConcurrency(aws: Aws): Promise<Finding> {
  const lambda = new LambdaClient(aws.config());
  const call = asking('lambda:GetAccountSettings', lambda.send(new GetAccountSettingsCommand({})));
  const { AccountLimit } = await call.finally(() => lambda.destroy());
  const total = AccountLimit?.ConcurrentExecutions ?? 0;
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions ?? total;
  if (total < ORDINARY_CONCURRENCY) {
    return warn(
      `Lambda runs at most ${total} concurrent requests, and rejects all others`,
      'Request an increase before you connect a sender: docs/deploy.md, 2. Request concurrency.',
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
