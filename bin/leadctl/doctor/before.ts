import {
  apiGatewayQuota,
  apiGatewayRole,
  bootstrapVersion,
  consoleWebAcl,
  lambdaConcurrency,
} from './account.ts';
import type { Aws } from './aws.ts';
import { type Check, fail, ok, skip, warn } from './check.ts';
import { CONSOLE_REGION, certificate, hostedZone } from './domains.ts';
import { leftoverNames, leftoverTables } from './leftovers.ts';
import { mailSender } from './mail.ts';
import type { DeploymentSettings } from './settings.ts';
import { type FoundStack, makeStackFinder } from './stack.ts';

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
    aws.check('Lambda concurrency', () => lambdaConcurrency(aws)),
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
      `Fix the cause shown in its events, then run: aws cloudformation continue-update-rollback --stack-name ${name}`,
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
