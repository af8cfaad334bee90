import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TABLE_VARIABLES } from '../../lambdas/contract.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { FLOOR_TABLE, FLOOR_VARIABLES, SHELF_TABLES, SHELF_VARIABLES } from '../engines/contender-names.ts';
import { OUR_TABLES } from './canned-store.ts';
import type { Order } from './worker.ts';

export interface Worker {
  /** Microseconds of processor time per request, or calls of functions. */
  run(order: Order): Promise<number>;
  /** Ends it gracefully, so that a profile gets written. */
  end(): Promise<void>;
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Starts the canned store and returns its address. */
export async function startCannedStore(closers: Closers): Promise<string> {
  const child = fork(path('canned-store.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  closers.defer(() => end(child));
  const [port] = await once(child, 'message');
  return `http://127.0.0.1:${port}`;
}

export async function startWorker(
  source: string,
  store: string,
  closers: Closers,
  execArgv: string[] = [],
): Promise<Worker> {
  const child = fork(path('worker.ts'), [source], {
    env: { PATH: process.env.PATH ?? '', ...variables(store) },
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  closers.defer(() => end(child));
  await once(child, 'message');
  return {
    async run(order) {
      child.send(order);
      const [response] = (await once(child, 'message')) as [{ perRequest: number; error?: string }];
      if (response.error !== undefined) throw new Error(response.error);
      return response.perRequest;
    },
    end: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exited;
}

/** The environment variables of all the functions. */
export function variables(store: string): Record<string, string> {
  const ours = Object.entries(OUR_TABLES).map(([tableKey, table]) => [
    TABLE_VARIABLES[tableKey as keyof typeof OUR_TABLES],
    table,
  ]);
  return {
    ...Object.fromEntries(ours),
    [SHELF_VARIABLES.tokens]: SHELF_TABLES.tokens,
    [SHELF_VARIABLES.limits]: SHELF_TABLES.limits,
    [SHELF_VARIABLES.idempotency]: SHELF_TABLES.idempotency,
    [SHELF_VARIABLES.leads]: SHELF_TABLES.leads,
    [SHELF_VARIABLES.queueUrl]: `${store}/000000000000/shelf`,
    [FLOOR_VARIABLES.leads]: FLOOR_TABLE,
    AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
    AWS_REGION: LOCAL_REGION,
    AWS_ENDPOINT_URL_DYNAMODB: store,
    AWS_ENDPOINT_URL_SQS: store,
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  };
}
