import { access, chmod, constants, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DEFAULT_CACHE } from '../lib/kept-builds.ts';
import { type Closers, StartupError } from './lifecycle.ts';

/** The files of one local stack. */
export interface DataDirectory {
  readonly path: string;
  /** Whether it outlives this run. */
  readonly kept: boolean;
  readonly assembly: string;
  /** What takes long to build: in the checkout, for all data folders, or here if the checkout is read-only. */
  readonly cache: string;
  readonly database: string;
  readonly cognito: string;
  readonly logs: string;
  /** Mail that SES would send. */
  readonly mail: string;
  /** Events that EventBridge would get, one JSON object per line. */
  readonly eventBusFile: string;
  readonly outputsFile: string;
  readonly demoFile: string;
  /** How far the streams have been read. */
  readonly checkpointsFile: string;
}

const LOCK = 'lock';
/** The permission bits of everybody but the owner. */
const OTHERS = 0o077;

/** Opens a kept folder exclusively, or a temporary one that is removed at the end. */
export async function openDataDirectory(
  directory: string | undefined,
  closers: Closers,
): Promise<DataDirectory> {
  const path = directory === undefined ? await makeTemporary(closers) : resolve(directory);
  const data: DataDirectory = {
    path,
    kept: directory !== undefined,
    assembly: join(path, 'cdk.out'),
    cache: (await canUse(DEFAULT_CACHE)) ? DEFAULT_CACHE : join(path, 'cache'),
    database: join(path, 'dynamodb'),
    cognito: join(path, 'cognito'),
    logs: join(path, 'logs'),
    mail: join(path, 'mail'),
    eventBusFile: join(path, 'events.jsonl'),
    outputsFile: join(path, 'outputs.json'),
    demoFile: join(path, 'demo.json'),
    checkpointsFile: join(path, 'checkpoints.json'),
  };
  try {
    await makePrivate(path);
    for (const folder of [data.database, data.cognito, data.logs]) await mkdir(folder, { recursive: true });
    await mkdir(data.mail, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `Cannot use ${path} as data folder: ${(error as Error).message}. Choose another with --data, or use --ephemeral.`,
    );
  }
  if (data.kept) lock(path, closers);
  return data;
}

/** The folder holds leads, passwords and secrets, so other users must not read it. */
async function makePrivate(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (((await stat(path)).mode & OTHERS) === 0) return;
  const contents = await readdir(path);
  // Restricting a shared folder such as /tmp would break more than it protects.
  if (contents.length > 0 && !contents.includes(LOCK)) {
    throw new StartupError(
      `Other users can read ${path}, and it contains files that npm start did not create. Choose another folder with --data.`,
    );
  }
  await chmod(path, 0o700);
}

/** Another user may have made the caches in it. */
async function canUse(cache: string): Promise<boolean> {
  try {
    await mkdir(cache, { recursive: true });
    const folders = ['.', ...(await readdir(cache))];
    await Promise.all(folders.map((name) => access(join(cache, name), constants.R_OK | constants.W_OK)));
    return true;
  } catch {
    return false;
  }
}

async function makeTemporary(closers: Closers): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lead-ingest-'));
  closers.defer(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** Uses SQLite's file lock: the kernel releases it with the process, so a killed start leaves no stale lock. */
function lock(path: string, closers: Closers): void {
  try {
    const database = new DatabaseSync(join(path, LOCK));
    closers.defer(() => database.close());
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    const SQLITE_BUSY = 5;
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new StartupError(
      `Another npm start is using ${path}. Stop it, or choose another folder with --data.`,
    );
  }
}
