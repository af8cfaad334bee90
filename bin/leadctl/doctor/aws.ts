import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { PATIENCE } from '../open-stack.ts';
import { type Check, fail, ok } from './check.ts';
import { asking, NotChecked } from './explain-error.ts';

/** How AWS is reached. Whatever is left out, the SDK finds in the environment and in the operator's profile. */
export interface AwsAccess {
  readonly region?: string | undefined;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts?: number;
}

export interface Account {
  readonly id: string;
  /** `aws`, or that of another part of AWS, such as `aws-cn`. */
  readonly partition: string;
}

/** One account, and a region of it. */
export interface Aws {
  /** For a client: in the region of the stack, unless another one is given. */
  config(region?: string): AwsAccess & { readonly region: string; readonly requestHandler: object };
  readonly region: string;
  /** Not checked, where the check of the credentials has failed. */
  account(): Account;
  readonly checks: readonly Check[];
  /** A check that can only be made with credentials and a region. */
  check(name: string, run: Check['run']): Check;
}

/** STS answers everywhere: credentials can be checked although no region is set. */
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
    if (!account) throw new NotChecked('needs credentials');
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
        if (region === undefined) throw new NotChecked('needs a region');
        return run();
      },
    }),
  };
}

function regionFinding(region: string | undefined) {
  if (region) return ok(region);
  return fail('none is set', 'Set AWS_REGION, or pass --region eu-west-1, for instance.');
}

/** From AWS_REGION or the profile, as the SDK has it. */
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
