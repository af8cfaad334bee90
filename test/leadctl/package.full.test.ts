import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { runProgram } from '../programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { testOutputsFile } from './run-leadctl.ts';

const PACKAGE = resolve('packages/leadctl');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const folder = temporaryFolder('leadctl-package');

const run = (program: string, ...words: string[]) =>
  runProgram(program, words, { cwd: folder, env: process.env });
const leadctl = (...words: string[]) => run(join(folder, 'node_modules/.bin/leadctl'), ...words);

beforeAll(async () => {
  const packed = await run('npm', 'pack', PACKAGE);
  expect(packed).toMatchObject({ exitCode: 0 });
  const quiet = ['--offline', '--no-audit', '--no-fund', '--prefix', folder];
  const installed = await run('npm', 'install', ...quiet, join(folder, `leadctl-${version}.tgz`));
  expect(installed).toMatchObject({ exitCode: 0 });
});

test('the installed package contains the bundle and its licences, but neither sources nor dependencies', () => {
  const files = readdirSync(join(folder, 'node_modules/leadctl'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(['bin/leadctl.js', 'dist/leadctl.js', 'dist/LICENSES.txt']));
  expect(files.filter((file) => /\.ts$|test|build|inputs/.test(file))).toEqual([]);
  const licences = readFileSync(join(folder, 'node_modules/leadctl/dist/LICENSES.txt'), 'utf8');
  expect(licences).toMatch(/^leadctl\n\nMIT License/);
  expect(licences).toMatch(/^commander \d/m);
  const packages = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages).toEqual(['leadctl']);
});

test('the installed command prints its version and its help', async () => {
  expect(await leadctl('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const help = await leadctl('--help');
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Usage: leadctl /);
  expect(help.stdout).toMatch(/^ {2}\$ leadctl workspace create /m);
  const ofCommand = await leadctl('form', 'create', '--help');
  expect(ofCommand.stdout).toMatch(/^ {2}\$ leadctl --outputs outputs\.json form create /m);
  expect(help.stdout + ofCommand.stdout).not.toContain('npx');
});

test('the bundle has no limit of listeners, of which Node 20 would warn', async () => {
  const script = `await import(${JSON.stringify(join(PACKAGE, 'node-20.js'))});
    const { signal } = new AbortController();
    console.log(events.defaultMaxListeners, events.getMaxListeners(signal));`;
  const checked = await run(
    process.execPath,
    '--input-type=module',
    '-e',
    `import events from 'node:events'; ${script}`,
  );
  expect(checked).toEqual({ exitCode: 0, stdout: '0 0\n', stderr: '' });
});

test('the installed command works on a stack', async () => {
  const created = await leadctl(
    ...['--outputs', testOutputsFile(), '--json', 'workspace', 'create', '--name', 'From a package'],
  );
  expect(created).toMatchObject({ exitCode: 0, stderr: '' });
  const { workspaceId } = JSON.parse(created.stdout) as { workspaceId: string };
  const listed = await leadctl('--outputs', testOutputsFile(), 'workspace', 'list');
  expect(listed.stdout).toContain(workspaceId);
  const missing = await leadctl('--outputs', testOutputsFile(), 'form', 'list', '--workspace', 'ws_none');
  expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
  expect(missing.stderr).toMatch(/^leadctl: [^\n]+\n$/);
});

test('the installed command refuses to listen with a secret in the wrong format', async () => {
  const env = { ...process.env, LEADCTL_SIGNING_SECRET: 'none' };
  const program = join(folder, 'node_modules/.bin/leadctl');
  const refused = await runProgram(program, ['listen', '--port', '0'], { cwd: folder, env });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^leadctl: Not a signing secret\. /);
});

test('the command of a checkout runs its sources', async () => {
  const linked = await run(process.execPath, join(PACKAGE, 'bin/leadctl.js'), '--version');
  expect(linked).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test('on a Node that cannot run TypeScript, the command of a checkout bundles itself', async () => {
  rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
  const old = '--no-experimental-strip-types';
  const first = await run(process.execPath, old, join(PACKAGE, 'bin/leadctl.js'), '--version');
  expect(first).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  const help = await run(process.execPath, old, join(PACKAGE, 'bin/leadctl.js'), '--help');
  expect(help.stdout).toContain('$ npx --no-install leadctl workspace create ');
  expect(existsSync(join(PACKAGE, 'dist/leadctl.js'))).toBe(true);
});
