import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const CHECK = 'bin/check-installation.js';
let root = '';

/** A clone with a program that npm scripts could start, and the version of Node that a test asks for. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'check-installation-'));
  mkdirSync(join(root, 'bin'));
  copyFileSync(CHECK, join(root, CHECK));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'program.ts'), 'console.log(process.argv.slice(2).join() satisfies string);');
  writeFileSync(
    join(root, 'version.cjs'),
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: process.env.VERSION } });',
  );
});
afterAll(() => rmSync(root, { recursive: true }));

function start(version: string) {
  const args = ['--require', './version.cjs', '--import', `./${CHECK}`, 'program.ts', '--port', '0'];
  const env = { ...process.env, VERSION: version };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

test('before npm ci it says so in one line', () => {
  const stderr = 'error: The packages are not installed. Run: npm ci\n';
  expect(start('24.0.0')).toEqual({ status: 1, stdout: '', stderr });
  expect(start('20.0.0')).toEqual({ status: 1, stdout: '', stderr });
});

describe('after npm ci', () => {
  beforeAll(() => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}');
  });

  test.each(['24.0.0', '26.10.0'])('an installed Node %s starts the program', (version) => {
    expect(start(version)).toEqual({ status: 0, stdout: '--port,0\n', stderr: '' });
  });

  test.each(['20.20.2', '22.18.0'])('Node %s is too old, which it says in one line', (version) => {
    const { status, stdout, stderr } = start(version);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `error: Node 24 is required, but this is Node ${version}. npm ci cannot install it on ${process.platform}-${process.arch}: install Node 24 yourself.\n`,
    );
  });
});

test('every npm script that runs a program of ours checks first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const ours = Object.values(scripts).filter((script) => script.startsWith('node '));
  expect(ours).toContain(scripts.start);
  for (const script of ours) expect(script).toMatch(`node --import ./${CHECK} `);
});
