import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDataDirectory } from '../../local/data-directory.ts';
import { type Closers, makeClosers } from '../../local/lifecycle.ts';

const scratch = mkdtempSync(join(tmpdir(), 'data-directory-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let closers: Closers;
beforeEach(() => {
  closers = makeClosers();
});
afterEach(() => closers.close());

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A folder with these permissions, whatever the umask. */
function makeFolder(name: string, mode: number): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

test('a new folder is for its owner only, and so are the new folders that it lies in', async () => {
  const { path } = await openDataDirectory(join(scratch, 'outer', 'new'), closers);
  expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o700, 0o700]);
});

test('a temporary folder is for its owner only', async () => {
  expect(modeOf((await openDataDirectory(undefined, closers)).path)).toBe(0o700);
});

test('an empty folder that others can read becomes private', async () => {
  const folder = makeFolder('empty', 0o755);
  await openDataDirectory(folder, closers);
  expect(modeOf(folder)).toBe(0o700);
});

test('a folder of an earlier start that others can read becomes private', async () => {
  const folder = makeFolder('used', 0o700);
  await openDataDirectory(folder, closers);
  await closers.close();
  closers = makeClosers();
  chmodSync(folder, 0o775);
  await openDataDirectory(folder, closers);
  expect(modeOf(folder)).toBe(0o700);
});

test('a folder with files of somebody else keeps its permissions, and is used only if it is private', async () => {
  const folder = makeFolder('foreign', 0o755);
  writeFileSync(join(folder, 'notes.txt'), '');
  await expect(openDataDirectory(folder, closers)).rejects.toThrow('Choose another folder with --data.');
  expect(modeOf(folder)).toBe(0o755);
  chmodSync(folder, 0o700);
  expect((await openDataDirectory(folder, closers)).path).toBe(folder);
});
