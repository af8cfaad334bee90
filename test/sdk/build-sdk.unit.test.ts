import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { buildSdk } from '../../lib/console-site/build-sdk.ts';

const MAX_BYTES = 3 * 1024;
const { files, manifest } = buildSdk();
const textOf = (name: string) => files.get(name) as string;

describe.each([
  ['script', 'v1.js'],
  ['module', 'v1.module.js'],
] as const)('the %s', (kind, name) => {
  test('is at most 3 KB, compressed with gzip or Brotli', () => {
    expect(gzipSync(textOf(name), { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(brotliCompressSync(textOf(name)).length).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('uses no cookies, no storage and nothing that identifies the browser', () => {
    expect(textOf(name)).not.toMatch(/cookie|Storage|indexedDB|userAgent|canvas|screen|plugins/);
  });

  test('loads no other code', () => {
    expect(textOf(name)).not.toMatch(/\bimport\b|\brequire\b|\beval\b/);
  });

  test('is also under an immutable name, with its integrity hash', () => {
    const { file, integrity } = manifest[kind];
    expect(textOf(file)).toBe(textOf(name));
    expect(file).toMatch(/^v1-[0-9a-f]{16}(\.module)?\.js$/);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(textOf(name)).digest('base64')}`);
  });
});

test('only the module exports, and what its types declare', () => {
  const exported = /export\{([^}]+)\}/.exec(textOf('v1.module.js'))?.[1] as string;
  const names = exported.split(',').map((each) => each.split(' as ').at(-1));
  const declared = [...textOf('v1.module.d.ts').matchAll(/^export function (\w+)/gm)].map(([, it]) => it);
  expect(names.sort()).toEqual(declared.sort());
  expect(textOf('v1.js')).not.toMatch(/\bexport\b/);
});

test('the sources import only each other', () => {
  const imported = readdirSync('sdk')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join('sdk', file), 'utf8').matchAll(/ from '([^']+)'/g)])
    .map(([, specifier]) => specifier);
  expect(imported).toContain('./send-lead.ts');
  expect(imported.filter((specifier) => !specifier?.startsWith('./'))).toEqual([]);
});

test('the manifest is one of the files', () => {
  expect(JSON.parse(textOf('v1.json'))).toEqual(manifest);
});

test('the command writes the files into a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'build-sdk-'));
  execFileSync(process.execPath, ['lib/console-site/build-sdk.ts', folder]);
  expect(readdirSync(join(folder, 'sdk')).sort()).toEqual([...files.keys()].sort());
  expect(readFileSync(join(folder, 'sdk/v1.js'), 'utf8')).toBe(textOf('v1.js'));
  rmSync(folder, { recursive: true });
});

test('two builds are equal', () => {
  expect(buildSdk().files).toEqual(files);
});
