import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { onTestStack, PROGRAM, runLeadctl, testOutputsFile } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
const folder = mkdtempSync(join(tmpdir(), 'leadctl-outputs-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
  stack.close();
});

/** Linux has it: every write fails as on a full disk. */
const FULL = '/dev/full';
const onLinux = existsSync(FULL) ? test : test.skip;

async function writingToFullDisk(args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, LEADCTL_OUTPUTS: testOutputsFile() },
    stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
  });
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  return { exitCode, stderr };
}

describe('standard output on a full disk is one clear error', () => {
  onLinux.each([
    ['help', () => ['--help']],
    ['a list', () => ['workspace', 'list']],
    ['an export', (formId: string) => ['leads', 'export', '--form', formId, '--format', 'csv']],
  ])('%s', async (_, args) => {
    const { formId } = await stack.newForm();
    expect(await writingToFullDisk(args(formId))).toEqual({
      exitCode: 1,
      stderr: 'leadctl: Cannot write standard output: no space left on the device (ENOSPC).\n',
    });
  });
});

describe('an export refuses', () => {
  test('a file that is not a regular one', async () => {
    const { formId } = await stack.newForm();
    const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--yes', '--out', folder];
    const run = await onTestStack(args);
    expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `leadctl: ${folder} is not a regular file.\n` });
  });

  test('a path below a file', async () => {
    const { formId } = await stack.newForm();
    const out = join(testOutputsFile(), 'leads.csv');
    const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv', '--out', out]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toBe(`leadctl: Cannot write ${out}: part of the path is not a folder (ENOTDIR).\n`);
  });
});

describe('a backup', () => {
  test('that fails removes what it wrote, so that it can be run again', async () => {
    const outputs = JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Record<string, object>;
    const damaged = Object.entries(outputs).map(([name, of]) => [
      name,
      { ...of, [OUTPUTS.tables.workspaces]: 'NoSuchTable' },
    ]);
    const file = join(folder, 'damaged.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(damaged)));
    const to = join(folder, 'backup');
    const failed = await runLeadctl(['--outputs', file, 'backup', '--to', to]);
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
    expect(failed.stderr).toContain('does not exist');
    expect(readdirSync(to)).toEqual([]);
  });

  test('that was killed is named as such, with what to do', async () => {
    const to = join(folder, 'killed');
    mkdirSync(to);
    writeFileSync(join(to, 'leads.ndjson'), '');
    const run = await onTestStack(['backup', '--to', to]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toBe(
      `leadctl: ${to} contains an incomplete backup. Remove it, or choose another folder with --to.\n`,
    );
  });
});
