import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

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
