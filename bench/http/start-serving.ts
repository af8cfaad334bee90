import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TableNames } from '../../lambdas/aws/tables.ts';
import { TABLE_VARIABLES, type TableNoun } from '../../lambdas/contract.ts';
import type { Closers } from '../../local/lifecycle.ts';
import type { Bundles } from '../engines/bundles.ts';
import { FLOOR_TABLE, SHELF_TABLES } from '../engines/shelf-tables.ts';
import type { Engines } from '../engines/start-engines.ts';
import { FLOOR_VARIABLES, SHELF_VARIABLES } from '../engines/variables.ts';
import { CONTENDERS } from '../measure/cpu.ts';
import type { ServeSettings } from './serve.ts';

/** Serves all three under `/ours`, `/shelf` and `/floor`; gives the gateway's address. */
export async function startServing(
  engines: Engines,
  tables: TableNames,
  bundles: Bundles,
  closers: Closers,
): Promise<string> {
  const variables = {
    ours: Object.fromEntries(
      Object.entries(tables).map(([noun, table]) => [TABLE_VARIABLES[noun as TableNoun], table]),
    ),
    shelf: {
      [SHELF_VARIABLES.tokens]: SHELF_TABLES.tokens,
      [SHELF_VARIABLES.limits]: SHELF_TABLES.limits,
      [SHELF_VARIABLES.idempotency]: SHELF_TABLES.idempotency,
      [SHELF_VARIABLES.leads]: SHELF_TABLES.leads,
      [SHELF_VARIABLES.queueUrl]: engines.shelfQueueUrl,
    },
    floor: { [FLOOR_VARIABLES.leads]: FLOOR_TABLE },
  };
  const settings: ServeSettings = {
    functions: (['ours', 'shelf', 'floor'] as const).map((name) => ({
      name,
      codeFolder: bundles.folderOf(CONTENDERS[name]),
      variables: variables[name],
    })),
    endpoints: { dynamoDb: engines.dynamoDb, sqs: engines.sqs, cognito: 'none', dns: '127.0.0.1:53' },
    logFolder: engines.data.logs,
  };
  const child = fork(fileURLToPath(new URL('serve.ts', import.meta.url)), {
    env: { ...process.env, BENCH_SERVE: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  closers.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  });
  const [url] = await once(child, 'message');
  return url as string;
}
