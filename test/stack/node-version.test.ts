import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ownFunctions, synthesise } from './synthesise.ts';

const read = (file: string) => readFileSync(file, 'utf8');
const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };

/** The major version that a package is asked for by. */
const majorOf = (name: string) => /\d+/.exec(devDependencies[name] ?? '')?.[0];

/** What the functions run on, by the template of prod. */
const [runtime, ...others] = [
  ...new Set(Object.values(ownFunctions(synthesise('prod'))).map(({ Properties }) => Properties.Runtime)),
];
const [, major] = /^nodejs(\d+)\.x$/.exec(String(runtime)) ?? [];

test('all functions run on one version of Node', () => {
  expect(others).toEqual([]);
  expect(major).toBeDefined();
});

test('the tests run on it too, by the package that brings it', () => {
  expect(process.versions.node.split('.')[0]).toBe(major);
  expect([majorOf('node'), majorOf('@types/node')]).toEqual([major, major]);
});

test.each([
  ['lib/service-function/code.ts', /target: 'node(\d+)'/],
  ['local/functions.ts', /AWS_Lambda_nodejs(\d+)\.x/],
  ['bench/engines/bundles.ts', /NODEJS_(\d+)_X/],
  ['bench/cpu/processes.ts', /AWS_Lambda_nodejs(\d+)\.x/],
  ['.github/workflows/ci.yml', /node-version: (\d+)/],
])('%s says the same', (file, pattern) => {
  expect(pattern.exec(read(file))?.[1]).toBe(major);
});
