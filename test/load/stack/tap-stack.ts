/**
 * Loaded into `npm start` (`node --import`), because the environments of functions are threads, which can't be killed
 * from outside. Changes nothing in the stack.
 */
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import threads, { BroadcastChannel, Worker, type WorkerOptions } from 'node:worker_threads';
import {
  CHANNEL,
  type EnvironmentNote,
  type FailedGateWrite,
  type Question,
  type Weight,
} from './tap-protocol.ts';

const ENVIRONMENT_TAP = new URL('./tap-environment.ts', import.meta.url).href;
const WEIGHING_MILLISECONDS = 3_000;

const environments = new Map<Worker, string>();
const failedGateWrites: FailedGateWrite[] = [];
let weights: Weight[] = [];

const channel = new BroadcastChannel(CHANNEL);
channel.unref();
channel.onmessage = (message: unknown) => {
  const { data } = message as { data: EnvironmentNote };
  if (data.kind === 'failed-gate-write') failedGateWrites.push(data);
  if (data.kind === 'weight') weights.push(data);
};

class TappedWorker extends Worker {
  constructor(file: string | URL, options: WorkerOptions = {}) {
    const isEnvironment = String(file).endsWith('/function-environment.js');
    super(file, isEnvironment ? { ...options, execArgv: ['--import', ENVIRONMENT_TAP] } : options);
    if (!isEnvironment) return;
    environments.set(this, options.workerData.context.functionName);
    this.once('exit', () => environments.delete(this));
  }
}

threads.Worker = TappedWorker;
syncBuiltinESMExports();

process.on('message', (question: Question & { id: number }) => {
  void response(question).then((result) => process.send?.({ id: question.id, result }));
});
// The parent process is gone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

async function response(question: Question) {
  if (question.kind === 'failed-gate-writes') return failedGateWrites;
  if (question.kind === 'weigh') return weigh();
  const all = [...environments];
  const [environment, functionName] = all[Math.floor(question.draw * all.length)] ?? [];
  // At any point of its work.
  await environment?.terminate();
  return functionName ?? null;
}

async function weigh(): Promise<readonly Weight[]> {
  weights = [];
  channel.postMessage({ kind: 'weigh' } satisfies EnvironmentNote);
  await sleep(WEIGHING_MILLISECONDS);
  return weights;
}
