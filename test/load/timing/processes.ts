import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TABLE_VARIABLES, type TableNoun } from '#contract';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '#local/local-account.ts';
import { TABLE_NAMES } from './records.ts';
import type { Order, Samples } from './timed-function.ts';

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Store and function have a process each, for this pair alone: neither waits for the other's event loop. */
export async function timeInProcesses(slowness: number, order: Order): Promise<[Samples, Samples]> {
  const store = fork(path('slow-store.ts'), [String(slowness)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const port = (await messageOf(store)) as number;
    const timed = fork(path('timed-function.ts'), {
      env: { PATH: process.env.PATH ?? '', ...variables(`http://127.0.0.1:${port}`) },
      // Lines of telemetry are really written, to nowhere.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    timed.send(order);
    const taken = (await messageOf(timed)) as [Samples, Samples];
    timed.disconnect();
    return taken;
  } finally {
    store.disconnect();
  }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code}`);
  });
  const [message] = await Promise.race([once(child, 'message'), exited]);
  exited.catch(() => undefined);
  return message;
}

function variables(store: string): Record<string, string> {
  const tables = Object.entries(TABLE_NAMES).map(([noun, name]) => [
    TABLE_VARIABLES[noun as TableNoun],
    name,
  ]);
  return {
    ...Object.fromEntries(tables),
    AWS_ACCESS_KEY_ID: LOCAL_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: LOCAL_CREDENTIALS.secretAccessKey,
    AWS_REGION: LOCAL_REGION,
    AWS_ENDPOINT_URL_DYNAMODB: store,
    AWS_LAMBDA_FUNCTION_NAME: 'timing',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  };
}
