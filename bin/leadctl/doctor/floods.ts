import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import type { Aws } from './aws.ts';
import { CONSOLE_REGION } from './certificates.ts';
import { asking } from './explain-error.ts';
import { type Finding, ok, skip, warn } from './finding.ts';
import type { DeploymentSettings } from './settings.ts';

/** Whether the throttles, which are shares of what the stack may use, leave anything of the quota. */
export async function apiGatewayQuota(
  aws: Aws,
  { apiRequestsPerSecond: wanted }: DeploymentSettings,
): Promise<Finding> {
  const gateway = new APIGatewayClient(aws.config());
  const call = asking('apigateway:GET on /account', gateway.send(new GetAccountCommand({})));
  const { throttleSettings } = await call.finally(() => gateway.destroy());
  const quota = throttleSettings?.rateLimit;
  if (quota === undefined) return skip('API Gateway does not say what the account may use');
  if (quota >= wanted) return ok(`${quota} requests per second, of which the stack may use ${wanted}`);
  return warn(
    `${quota} requests per second, but the stack may use ${wanted}: a flood of one endpoint could stop all APIs`,
    `Deploy with -c apiRequestsPerSecond=${quota}, or request a higher quota first.`,
  );
}

/** Whether one address can fetch the console's files without bound. */
export async function consoleWebAcl(region: string, settings: DeploymentSettings): Promise<Finding> {
  const { console, consoleFirewall, consoleWebAclArn } = settings;
  if (!console) return skip('console is false');
  if (consoleWebAclArn !== undefined) return ok('named by consoleWebAclArn');
  if (!consoleFirewall) return skip('consoleFirewall is off');
  if (region === CONSOLE_REGION) return ok('the stack makes it');
  return warn(
    `none: CloudFront takes one from ${CONSOLE_REGION} only, and the stack would be in ${region}`,
    'Make it with bin/console-firewall.ts, and set consoleWebAclArn: docs/deploy.md, Settings.',
  );
}
