import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import type { Aws } from './aws.ts';
import { asking } from './explain-error.ts';

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
      if (type && physicalId && ResourceStatus !== 'DELETE_COMPLETE') resources.push({ type, physicalId });
    }
  }
}

export function ofType({ resources }: FoundStack, type: string): string[] {
  return resources.filter((each) => each.type === type).map(({ physicalId }) => physicalId);
}
