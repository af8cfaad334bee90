/** Runs in a worker thread, in the place of Lambda's Node.js runtime: loads one function and invokes it. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { replaceConsole } from './environment-console.ts';
import type { EnvironmentMessage, EnvironmentSettings, Invocation } from './environment-protocol.ts';

type Handler = (event: unknown, context: unknown) => unknown;

const settings = workerData as EnvironmentSettings;
let requestId: string | undefined;
replaceConsole(settings.logFormat, () => requestId);

const handler = load(settings);
parentPort?.on('message', (invocation: Invocation) => void run(invocation));
send({ type: 'ready' });

function load({ codeFolder, handler }: EnvironmentSettings): Handler {
  const dot = handler.lastIndexOf('.');
  const stem = join(codeFolder, handler.slice(0, dot));
  const file = ['.js', '.mjs', '.cjs'].map((ending) => stem + ending).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`Runtime.ImportModuleError: cannot find ${stem}`);
  const found: unknown = createRequire(file)(file)[handler.slice(dot + 1)];
  if (typeof found !== 'function') throw new Error(`Runtime.HandlerNotFound: ${handler} is no function`);
  return found as Handler;
}

async function run(invocation: Invocation): Promise<void> {
  requestId = invocation.requestId;
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const context = {
    ...settings.context,
    awsRequestId: invocation.requestId,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadline - Date.now()),
  };
  try {
    const result = await handler(JSON.parse(invocation.event), context);
    send({ type: 'returned', payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'string', message: String(error) };
    console.error('Invoke Error', error);
    send({ type: 'threw', errorType: name, errorMessage: message });
  }
}

function send(message: EnvironmentMessage): void {
  parentPort?.postMessage(message);
}
