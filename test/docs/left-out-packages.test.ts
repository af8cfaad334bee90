import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';

const { overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  overrides: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { link?: boolean; resolved?: string }>;
};

/** Large, declared by packages that we use, and loaded by none of what we use of them. */
const LEFT_OUT = ['@aws-crypto/client-node', 'ace-builds', 'aws-sdk'];

test('package.json replaces those and no others', () => {
  expect(Object.keys(overrides).filter((name) => overrides[name] === `$${name}`)).toEqual(LEFT_OUT);
});

test.each(LEFT_OUT)('%s is not installed, whoever declares it', (name) => {
  const found = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`));
  expect(found).toEqual([[`node_modules/${name}`, { resolved: 'local/not-installed', link: true }]]);
});

test.each(LEFT_OUT)('whatever loads %s is told where to read why', (name) => {
  expect(() => createRequire(import.meta.url)(name)).toThrow(
    /not installed.*CONTRIBUTING\.md, "Dependencies"/,
  );
});
