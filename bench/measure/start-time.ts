import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../local/lifecycle.ts';
import { startArguments } from '../http/run-local-stack.ts';
import { median } from './median.ts';

/** Seconds from the command to the line that says that everything is ready. */
export interface StartTimes {
  /** In a new data folder: everything is made. */
  readonly first: number;
  /** In the same folder again, the median. */
  readonly again: number;
  /** How busy the machine was with other things, by its load average against its processors. */
  readonly loadPerProcessor: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function measureStart(
  { starts, loadPerProcessor }: { starts: number; loadPerProcessor: number },
  closers: Closers,
): Promise<StartTimes> {
  const data = mkdtempSync(join(tmpdir(), 'lead-ingest-start-'));
  closers.defer(() => rmSync(data, { recursive: true, force: true }));
  const first = await startOnce(data, closers);
  const again: number[] = [];
  for (let start = 0; start < starts; start += 1) again.push(await startOnce(data, closers));
  return { first, again: median(again), loadPerProcessor };
}

async function startOnce(data: string, closers: Closers): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...startArguments(), '--json', '--port', '0', '--data', data], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  closers.defer(() => end(child));
  await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('npm start ended'))),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  await end(child);
  return seconds;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
