import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { PATIENCE } from '../../operator/open-stack.ts';
import { type Check, fail, ok } from './check.ts';
import { asking, NotChecked } from './explain-error.ts';

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
