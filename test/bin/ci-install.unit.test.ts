import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { requireBrowser } from '../browser/find-browser.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script = ''): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('.ci/install', () => {
  /** Runs it where only these programs exist. What they were called with is in a log. */
  function install(user: number, programs: Readonly<Record<string, string>>) {
    const log = join(folder, 'log');
    program('id', `echo ${user}`);
    for (const [name, script] of Object.entries(programs)) {
      program(name, `echo ${name} "$@" >>'${log}'\n${script}`);
    }
    const run = spawnSync('/bin/bash', ['.ci/install', 'chromium'], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
    const calls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    return { code: run.status, stderr: run.stderr.trim(), calls };
  }

  const UPDATE = 'apt-get update -qq';
  const INSTALL = 'apt-get install -y -qq --no-install-recommends chromium';

  test.each([
    ['root', 0, [UPDATE, INSTALL]],
    ['another user, with sudo', 1000, [`sudo ${UPDATE}`, UPDATE, `sudo ${INSTALL}`, INSTALL]],
  ])('as %s', (_, user, calls) => {
    expect(install(user, { sudo: '"$@"', 'apt-get': '' })).toEqual({ code: 0, stderr: '', calls });
  });

  test.each([
    ['there is no sudo', 1000, { 'apt-get': '' }, 'Missing: chromium. There is no sudo'],
    ['there is no apt-get', 0, {}, 'Missing: chromium. There is no apt-get'],
    ['it fails', 0, { 'apt-get': '[ "$1" = update ]' }, 'Missing: chromium. apt-get could not install it'],
  ])('says in one line what is missing if %s', (_, user, programs, complaint) => {
    const { code, stderr } = install(user, programs);
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain(complaint);
  });
});

describe('the browser of the tests', () => {
  test('is the one that the variable names, and no other', () => {
    const named = program('my-chrome');
    program('chromium');
    expect(requireBrowser('chromium', { PATH: folder, CHROMIUM_PATH: named })).toBe(named);
    const wrong = { PATH: folder, CHROMIUM_PATH: join(folder, 'gone') };
    expect(() => requireBrowser('chromium', wrong)).toThrow('gone, which cannot be run');
  });

  test('is found by .ci/run in the same way', () => {
    const file = program('google-chrome');
    const args = ['test/browser/find-browser.ts', 'chromium'];
    expect(execFileSync(process.execPath, args, { env: { PATH: folder }, encoding: 'utf8' }).trim()).toBe(
      file,
    );
    expect(readFileSync('.ci/run', 'utf8')).toContain(args[0]);
    const without = spawnSync(process.execPath, args, { env: { PATH: '/nowhere' }, encoding: 'utf8' });
    expect(without).toMatchObject({ status: 1, stdout: '' });
    expect(without.stderr).toContain(
      'None of chromium-headless-shell, chromium, chromium-browser, google-chrome, google-chrome-stable',
    );
  });
});
