import type { FunctionPools } from './function-pool.ts';
import type { Closers } from './lifecycle.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from './local-account.ts';
import { ServiceFault, startJsonService } from './sending-services.ts';

/** The path by which a function is invoked, and the function's name in it. */
const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export interface LambdaApi {
  readonly endpoint: string;
  /** The pools are made after the engines, whose addresses they know. */
  serve(pools: FunctionPools): void;
}

/** The part of Lambda by which a function invokes another one and waits for what it returns. */
export async function startLambdaApi(closers: Closers): Promise<LambdaApi> {
  const ready = Promise.withResolvers<FunctionPools>();
  const endpoint = await startJsonService(async ({ url }, event) => {
    const name = invokedBy(url);
    if (name === undefined) throw new ServiceFault('InvalidRequest', 'Only Invoke is supported');
    const pools = await ready.promise;
    pools.open(arnOf(name), 'background');
    return JSON.parse(await pools.invoke(arnOf(name), JSON.stringify(event)));
  }, closers);
  return { endpoint, serve: ready.resolve };
}

/** The name of the function that a request invokes. */
export function invokedBy(url = ''): string | undefined {
  const [, name] = INVOKE_PATH.exec(url) ?? [];
  return name && decodeURIComponent(name);
}

/** What IAM must allow for it. */
export function lambdaCalls(name: string) {
  return [{ action: 'lambda:InvokeFunction', resource: arnOf(name) }];
}

const arnOf = (name: string) => `arn:aws:lambda:${LOCAL_REGION}:${LOCAL_ACCOUNT}:function:${name}`;
