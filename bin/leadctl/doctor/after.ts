import {
  BatchGetDeploymentGroupsCommand,
  BatchGetDeploymentTargetsCommand,
  CodeDeployClient,
  type DeploymentGroupInfo,
  type LambdaFunctionInfo,
  ListDeploymentTargetsCommand,
} from '@aws-sdk/client-codedeploy';
import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { VERSION } from '#lib/version.ts';
import type { StackOutputs } from '../../operator/stack-outputs.ts';
import { alarmSubscription, alarmsOn } from './alarms.ts';
import { type Aws, type FoundStack, makeStackFinder, ofType } from './aws.ts';
import { deadLetters, type Queues, queue, streams } from './backlog.ts';
import { asking, type Check, type Finding, fail, NotChecked, ok, skip, warn, worstOf } from './check.ts';
import { mailSender } from './mail.ts';

/** Whether this program and the stack are of one release. */
export function versionCheck({ version }: StackOutputs): Check {
  const differs = (stack: string) =>
    warn(
      `leadctl is ${VERSION}, and the stack is ${stack}`,
      "Use the leadctl of the stack's version, or upgrade the stack. If you have, write the outputs file again.",
    );
  const finding = version === VERSION ? ok(VERSION) : differs(version ?? 'from before the first release');
  return { name: 'version', run: async () => finding };
}

/** Whether a deployed stack accepts leads, and whether somebody is notified if it does not. */
export function checksAfter(
  aws: Aws,
  outputs: StackOutputs,
  queues: Queues,
  roundTrip: Check,
  now: () => number,
): Check[] {
  const findStack = makeStackFinder(aws, outputs.stackName);
  const ofStack = (name: string, run: (stack: FoundStack) => Promise<Finding>) =>
    aws.check(name, async () => {
      const stack = await findStack();
      if (!stack) throw new NotChecked('requires the stack');
      return run(stack);
    });
  return [
    ...aws.checks,
    aws.check('stack', async () => stackFinding(await findStack(), outputs)),
    ofStack('alarm subscription', (stack) => alarmSubscription(aws, stack)),
    ofStack('alarms', (stack) => alarmsOn(aws, stack)),
    ofStack('aliases', (stack) => aliases(aws, stack)),
    ofStack('streams', (stack) => streams(aws, stack, now())),
    aws.check('enrichment queue', () => queue('enrichment', queues, now(), aws)),
    aws.check('dead letters', () => deadLetters('enrichment', queues)),
    aws.check('sending queue', () => queue('sending', queues, now(), aws)),
    aws.check('index queue', () => queue('index', queues, now(), aws)),
    aws.check('sending dead letters', () => deadLetters('sending', queues)),
    aws.check('mail sender', () => mailSender(aws, outputs.mailFrom)),
    aws.check(roundTrip.name, roundTrip.run),
  ];
}

const ON_AWS = [
  ...['credentials', 'region', 'stack', 'alarm subscription', 'alarms', 'aliases', 'streams', 'mail sender'],
];

/** A local stack has only queues and endpoints. */
export function checksOnThisMachine(queues: Queues, roundTrip: Check, now: () => number): Check[] {
  return [
    ...ON_AWS.map((name) => ({ name, run: async () => skip('not on a local stack') })),
    { name: 'enrichment queue', run: () => queue('enrichment', queues, now()) },
    { name: 'dead letters', run: () => deadLetters('enrichment', queues) },
    { name: 'sending queue', run: () => queue('sending', queues, now()) },
    { name: 'index queue', run: () => queue('index', queues, now()) },
    { name: 'sending dead letters', run: () => deadLetters('sending', queues) },
    roundTrip,
  ];
}

function stackFinding(stack: FoundStack | undefined, { stackName, region }: StackOutputs): Finding {
  if (!stack) {
    return fail(
      `${stackName} not found in ${region}`,
      'The outputs file is outdated, or your credentials are for another account.',
    );
  }
  const { status } = stack;
  if (/_FAILED$|^ROLLBACK_COMPLETE$/.test(status)) {
    return fail(`${stackName} is in ${status}`, 'See its events in CloudFormation.');
  }
  if (/_IN_PROGRESS$/.test(status)) {
    return warn(`${stackName} is being updated (${status})`, 'Run this again when the update has finished.');
  }
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    return warn(
      `the last deployment of ${stackName} was rolled back`,
      'The previous version is running. See the events in CloudFormation.',
    );
  }
  return ok(`${stackName} (${status})`);
}

interface Alias {
  readonly functionName: string;
  readonly name: string;
  readonly version: string;
  /** Shares of calls that go to other versions. */
  readonly weights: Readonly<Record<string, number>>;
}

/** CodeDeploy fails if an alias is not at the version where it left it, such as after a manual change. */
export async function aliases(aws: Aws, stack: FoundStack): Promise<Finding> {
  const arns = ofType(stack, 'AWS::Lambda::Alias');
  if (arns.length === 0) return ok('none: this stage deploys without CodeDeploy');
  const [found, deployments] = [await readAliases(aws, arns), await readDeployments(aws, stack)];
  if (deployments.underWay) {
    return warn('a deployment is in progress', 'Run this again when it has finished.');
  }
  const findings = found.map((alias) => judge(alias, deployments.last));
  return worstOf(findings, `${found.length} as CodeDeploy left them`);
}

function judge(alias: Alias, last: readonly LambdaFunctionInfo[]): Finding {
  const { functionName, name, version, weights } = alias;
  const of = last.find((each) => each.functionName === functionName && each.functionAlias === name);
  const wanted = of?.targetVersion;
  const goBack = (to: string) =>
    `aws lambda update-alias --function-name ${functionName} --name ${name} --function-version ${to} --routing-config 'AdditionalVersionWeights={}'`;
  if (Object.keys(weights).length > 0) {
    const others = Object.entries(weights).map(([other, share]) => `${share * 100} % to version ${other}`);
    return fail(
      `${functionName} sends ${others.join(', ')}, and no deployment is in progress`,
      `Route all calls to one version: ${goBack(wanted ?? version)}`,
    );
  }
  if (wanted === undefined || wanted === version) return ok(version);
  return fail(
    `${functionName} is at version ${version}, but CodeDeploy left it at ${wanted}`,
    `The next deployment that changes it would fail. Move it back first: ${goBack(wanted)}`,
  );
}

async function readAliases(aws: Aws, arns: readonly string[]): Promise<Alias[]> {
  const lambda = new LambdaClient(aws.config());
  const read = async (arn: string): Promise<Alias> => {
    const [functionName = '', name = ''] = arn.split(':').slice(6);
    const call = lambda.send(new GetAliasCommand({ FunctionName: functionName, Name: name }));
    const { FunctionVersion = '', RoutingConfig } = await asking('lambda:GetAlias', call);
    return {
      functionName,
      name,
      version: FunctionVersion,
      weights: RoutingConfig?.AdditionalVersionWeights ?? {},
    };
  };
  return Promise.all(arns.map(read)).finally(() => lambda.destroy());
}

const UNDER_WAY = new Set<string | undefined>(['Created', 'Queued', 'InProgress', 'Baking', 'Ready']);

async function readDeployments(aws: Aws, stack: FoundStack) {
  const [applicationName] = ofType(stack, 'AWS::CodeDeploy::Application');
  const deploymentGroupNames = ofType(stack, 'AWS::CodeDeploy::DeploymentGroup');
  const codeDeploy = new CodeDeployClient(aws.config());
  try {
    const call = codeDeploy.send(
      new BatchGetDeploymentGroupsCommand({ applicationName, deploymentGroupNames }),
    );
    const { deploymentGroupsInfo = [] } = await asking('codedeploy:BatchGetDeploymentGroups', call);
    return {
      underWay: deploymentGroupsInfo.some(({ lastAttemptedDeployment }) =>
        UNDER_WAY.has(lastAttemptedDeployment?.status),
      ),
      last: (await Promise.all(deploymentGroupsInfo.map((group) => targetsOf(codeDeploy, group)))).flat(),
    };
  } finally {
    codeDeploy.destroy();
  }
}

/** Empty for a group that has never deployed: the first deployment creates aliases without CodeDeploy. */
async function targetsOf(
  codeDeploy: CodeDeployClient,
  { lastSuccessfulDeployment }: DeploymentGroupInfo,
): Promise<LambdaFunctionInfo[]> {
  const deploymentId = lastSuccessfulDeployment?.deploymentId;
  if (deploymentId === undefined) return [];
  const listing = codeDeploy.send(new ListDeploymentTargetsCommand({ deploymentId }));
  const { targetIds = [] } = await asking('codedeploy:ListDeploymentTargets', listing);
  if (targetIds.length === 0) return [];
  const call = codeDeploy.send(new BatchGetDeploymentTargetsCommand({ deploymentId, targetIds }));
  const { deploymentTargets = [] } = await asking('codedeploy:BatchGetDeploymentTargets', call);
  return deploymentTargets.flatMap(({ lambdaTarget }) => lambdaTarget?.lambdaFunctionInfo ?? []);
}
