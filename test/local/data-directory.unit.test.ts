import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openDataDirectory } from '../../local/data-directory.ts';
import { warningText } from '../../local/function-log.ts';
import { type Closers, makeClosers } from '../../local/lifecycle.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the data directory', () => {
  const scratch = temporaryFolder('data-directory');

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

  test('a new folder is private, and so are the new folders above it', async () => {
    const { path } = await openDataDirectory(join(scratch, 'outer', 'new'), closers);
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o700, 0o700]);
  });

  test('a temporary folder is private', async () => {
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

  test('a folder with foreign files keeps its permissions, and is used only if it is private', async () => {
    const folder = makeFolder('foreign', 0o755);
    writeFileSync(join(folder, 'notes.txt'), '');
    await expect(openDataDirectory(folder, closers)).rejects.toThrow('Choose another folder with --data.');
    expect(modeOf(folder)).toBe(0o755);
    chmodSync(folder, 0o700);
    expect((await openDataDirectory(folder, closers)).path).toBe(folder);
  });
});

describe('shutdown', () => {
  test('closes in reverse order, one after the other', async () => {
    const ended: string[] = [];
    const closers = makeClosers();
    closers.defer(() => void ended.push('first'));
    closers.defer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push('second');
    });
    await closers.close();
    expect(ended).toEqual(['second', 'first']);
  });

  test('closes the rest if one fails to close', async () => {
    const ended: string[] = [];
    const closers = makeClosers();
    closers.defer(() => void ended.push('rest'));
    closers.defer(() => Promise.reject(new Error('stuck')));
    await expect(closers.close()).rejects.toThrow('not everything could be closed');
    expect(ended).toEqual(['rest']);
  });

  test('closes once, however often it is called', async () => {
    let times = 0;
    const closers = makeClosers();
    closers.defer(() => void times++);
    await Promise.all([closers.close(), closers.close()]);
    expect(times).toBe(1);
  });
});

describe('function logs', () => {
  test.each([
    ['{"level":"ERROR","message":"no table"}', 'ERROR no table'],
    ['{"level":"warn","message":"slow"}', 'WARN slow'],
    ['{"level":"ERROR","code":"x","_aws":{"a":1}}', 'ERROR {"level":"ERROR","code":"x"}'],
    ['2026-01-01T00:00:00.000Z\tid\tWARN\tslow\rvery', 'WARN slow\n  very'],
  ])('shows %j', (line, text) => {
    expect(warningText(line)).toBe(text);
  });

  test.each([
    '{"level":"INFO","message":"ERROR"}',
    '{"message":"no level"}',
    '{ not json',
    'REPORT RequestId: 1\tDuration: 2 ms',
    '2026-01-01T00:00:00.000Z\tid\tINFO\tWARN',
    '',
  ])('writes %j only to the file', (line) => {
    expect(warningText(line)).toBeUndefined();
  });
});
