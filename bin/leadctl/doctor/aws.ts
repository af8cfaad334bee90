import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { PATIENCE } from '../../operator/open-stack.ts';
import { asking, type Check, fail, NotChecked, ok } from './check.ts';

/** How to reach AWS. The SDK takes the rest from the environment and the operator's profile. */
export interface AwsAccess {
  readonly region?: string | undefined;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts?: number;
}

export interface Account {
  readonly id: string;
  /** `aws`, or another partition such as `aws-cn`. */
  readonly partition: string;
}

/** One account in one region. */
export interface Aws {
  /** Client configuration, by default for the region of the stack. */
  config(region?: string): AwsAccess & { readonly region: string; readonly requestHandler: object };
  readonly region: string;
  /** Throws NotChecked if the credentials check failed. */
  account(): Account;
  readonly checks: readonly Check[];
  /** A check that requires credentials and a region. */
  check(name: string, run: Check['run']): Check;
}

/** STS works in every region, so credentials can be checked without a configured one. */
const ANY_REGION = 'us-east-1';

export async function openAws(access: AwsAccess): Promise<Aws> {
  const region = access.region ?? (await regionOfSdk());
  let account: Account | undefined;
  const config = (other?: string) => ({
    ...access,
    region: other ?? region ?? ANY_REGION,
    requestHandler: PATIENCE,
  });
  const needed = () => {
    if (!account) throw new NotChecked('requires credentials');
    return account;
  };
  const credentials = async () => {
    const sts = new STSClient(config());
    const call = sts.send(new GetCallerIdentityCommand({}));
    const { Account: id, Arn } = await asking('sts:GetCallerIdentity', call).finally(() => sts.destroy());
    account = { id: id ?? '', partition: Arn?.split(':')[1] ?? 'aws' };
    return ok(`account ${id}`);
  };
  return {
    config,
    region: region ?? ANY_REGION,
    account: needed,
    checks: [
      { name: 'credentials', run: credentials },
      { name: 'region', run: async () => regionFinding(region) },
    ],
    check: (name, run) => ({
      name,
      run: async () => {
        needed();
        if (region === undefined) throw new NotChecked('requires a region');
        return run();
      },
    }),
  };
}

function regionFinding(region: string | undefined) {
  if (region) return ok(region);
  return fail('not set', 'Set AWS_REGION, or pass --region, for example eu-west-1.');
}

/** From AWS_REGION or the profile, as the SDK reads it. */
async function regionOfSdk(): Promise<string | undefined> {
  const sts = new STSClient({});
  try {
    return await sts.config.region();
  } catch {
    return undefined;
  } finally {
    sts.destroy();
  }
}

export interface StackResource {
  readonly type: string;
  readonly physicalId: string;
}

export interface FoundStack {
  readonly name: string;
  readonly status: string;
  readonly resources: readonly StackResource[];
}

/** Asks CloudFormation once for all checks. */
export function makeStackFinder(aws: Aws, name: string): () => Promise<FoundStack | undefined> {
  let found: Promise<FoundStack | undefined> | undefined;
  return () => {
    found ??= findStack(aws, name);
    return found;
  };
}

async function findStack(aws: Aws, name: string): Promise<FoundStack | undefined> {
  const client = new CloudFormationClient(aws.config());
  try {
    const status = await statusOf(client, name);
    return status === undefined ? undefined : { name, status, resources: await resourcesOf(client, name) };
  } finally {
    client.destroy();
  }
}

async function statusOf(client: CloudFormationClient, StackName: string): Promise<string | undefined> {
  try {
    const call = client.send(new DescribeStacksCommand({ StackName }));
    const { Stacks } = await asking('cloudformation:DescribeStacks', call);
    return Stacks?.[0]?.StackStatus;
  } catch (error) {
    // CloudFormation has no specific name for this error.
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
}

async function resourcesOf(client: CloudFormationClient, StackName: string): Promise<StackResource[]> {
  const resources: StackResource[] = [];
  const pages = paginateListStackResources({ client }, { StackName });
  for (;;) {
    const { value, done } = await asking('cloudformation:ListStackResources', pages.next());
    if (done) return resources;
    for (const {
      ResourceType: type,
      PhysicalResourceId: physicalId,
      ResourceStatus,
    } of value.StackResourceSummaries ?? []) {
      if (!type || !physicalId || ResourceStatus === 'DELETE_COMPLETE') continue;
      resources.push({ type, physicalId });
      // The alarms and the dashboard are in a nested stack.
      if (type === 'AWS::CloudFormation::Stack') resources.push(...(await resourcesOf(client, physicalId)));
    }
  }
}

export function ofType({ resources }: FoundStack, type: string): string[] {
  return resources.filter((each) => each.type === type).map(({ physicalId }) => physicalId);
}
