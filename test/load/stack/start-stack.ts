import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Question, Responses } from './tap-protocol.ts';

const LOWEST = 20_000;
/** Below the ephemeral ports, so that no outgoing connection takes the port while the stack is down. */
const COUNT = 10_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch {
      // Taken: try another.
    }
  }
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TAP = new URL('./tap-stack.ts', import.meta.url).href;

/** `npm start` as a child process that can be queried and killed. */
export interface StackProcess {
  readonly ingestUrl: string;
  readonly outputsFile: string;
  readonly pid: number;
  readonly enginePid: number;
  readonly ended: Promise<unknown>;
  ask<Kind extends Question['kind']>(question: Question & { kind: Kind }): Promise<Responses[Kind]>;
  /** Without a chance to clean up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function startStack(args: readonly string[]): Promise<StackProcess> {
  const child = spawn(process.execPath, ['--import', TAP, 'local/main.ts', '--json', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  const complaints: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk));
  const ended = once(child, 'exit').then(() => running.delete(child));
  const ready = await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
    ended.then((): never => {
      throw new Error(`The stack did not start:\n${Buffer.concat(complaints)}`);
    }),
  ]);
  const { ingestUrl, outputsFile } = JSON.parse(ready[0]) as { ingestUrl: string; outputsFile: string };
  // The other test modules find the stack by this variable.
  process.env.LEAD_INGEST_OUTPUTS = outputsFile;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    ingestUrl,
    outputsFile,
    ended,
    pid: child.pid as number,
    enginePid: await javaOf(child.pid as number),
    ask: askerOf(child, ended),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Rejects if the stack ends before it responds. */
function askerOf(child: ChildProcess, ended: Promise<unknown>): StackProcess['ask'] {
  let lastId = 0;
  const waiting = new Map<number, (result: never) => void>();
  child.on('message', ({ id, result }: { id: number; result: never }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return (question) => {
    lastId += 1;
    const id = lastId;
    const asked = new Promise<never>((resolve, reject) => {
      waiting.set(id, resolve);
      child.send({ ...question, id }, (error) => error && reject(error));
    });
    return Promise.race([asked, ended.then(() => Promise.reject(new Error('the stack has ended')))]);
  };
}

async function javaOf(parent: number): Promise<number> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(parent), 'java']);
  return Number(stdout.trim());
}

export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) * 1024;
}
