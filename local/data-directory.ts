import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Closers } from './closers.ts';
import { StartupError } from './startup-error.ts';

/** Where everything of one local stack lies. */
export interface DataDirectory {
  readonly path: string;
  /** Whether it outlives this run. */
  readonly kept: boolean;
  readonly assembly: string;
  readonly database: string;
  readonly cognito: string;
  readonly logs: string;
  readonly outputsFile: string;
  readonly demoFile: string;
}

/** Opens the folder of a kept stack for this process alone, or a temporary one that is removed at the end. */
export async function openDataDirectory(
  directory: string | undefined,
  closers: Closers,
): Promise<DataDirectory> {
  const path = directory === undefined ? await makeTemporary(closers) : resolve(directory);
  const data: DataDirectory = {
    path,
    kept: directory !== undefined,
    assembly: join(path, 'cdk.out'),
    database: join(path, 'dynamodb'),
    cognito: join(path, 'cognito'),
    logs: join(path, 'logs'),
    outputsFile: join(path, 'outputs.json'),
    demoFile: join(path, 'demo.json'),
  };
  try {
    await mkdir(data.database, { recursive: true });
    // It holds passwords.
    await mkdir(data.cognito, { recursive: true, mode: 0o700 });
    await mkdir(data.logs, { recursive: true });
  } catch (error) {
    throw new StartupError(`Cannot use ${path} as data folder: ${(error as Error).message}`);
  }
  if (data.kept) lock(path, closers);
  return data;
}

async function makeTemporary(closers: Closers): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lead-ingest-'));
  closers.defer(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}

/** SQLite's file lock, because the kernel releases it with the process: a killed start leaves no stale lock. */
function lock(path: string, closers: Closers): void {
  try {
    const database = new DatabaseSync(join(path, 'lock'));
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
