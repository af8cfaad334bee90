import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** A file without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** What a file imports: packages by name, files by their path from the root. */
function importsOf(file: string): string[] {
  const statements = /^(?:(?:import|export)\b[^'";=]*? from |import )'([^']+)'|\bimport\('([^']+)'\)/gm;
  const specifiers = [...codeOf(file).matchAll(statements)].map((match) => (match[1] ?? match[2]) as string);
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : specifier,
  );
}

const offences = (files: string[], forbidden: (imported: string, file: string) => boolean) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((each) => forbidden(each, file))
      .map((each) => `${file} -> ${each}`),
  );

describe('imports point one way', () => {
  test('core imports nothing but itself, pure parts of Node, and lists and rules that others keep', () => {
    const pure =
      /^(lambdas\/core\/|node:(crypto|zlib|util)$|(libphonenumber-js|tldts|tlds|disposable-email-domains-js|email-providers)(\/|$))/;
    expect(offences(sourceFiles('lambdas/core'), (imported) => !pure.test(imported))).toEqual([]);
  });

  test('core knows no clock and no environment', () => {
    const impure = sourceFiles('lambdas/core').filter((file) =>
      /Date\.now\(|new Date\(\)|process\.|Math\.random|random(Bytes|UUID)\(/.test(codeOf(file)),
    );
    expect(impure).toEqual([]);
  });

  test('stores import core and each other, never middleware or handlers', () => {
    const allowed = /^(lambdas\/(core|stores)\/|lambdas\/contract\.ts$|@aws-sdk\/|@smithy\/|node:)/;
    expect(offences(sourceFiles('lambdas/stores'), (imported) => !allowed.test(imported))).toEqual([]);
  });

  test('only stores import the AWS SDK', () => {
    const others = sourceFiles('lambdas').filter((file) => !file.startsWith('lambdas/stores/'));
    expect(offences(others, (imported) => imported.startsWith('@aws-sdk/'))).toEqual([]);
  });

  test('lib takes only the contract from lambdas, and nothing from local', () => {
    const outside = (imported: string) =>
      (imported.startsWith('lambdas/') && imported !== 'lambdas/contract.ts') ||
      imported.startsWith('local/');
    expect(offences(sourceFiles('lib'), outside)).toEqual([]);
  });

  test('what is deployed imports nothing that is not', () => {
    const foreign = (imported: string) => /^(lib|local|bin|test|bench|conformance)\//.test(imported);
    expect(offences(sourceFiles('lambdas'), foreign)).toEqual([]);
  });

  test('leadctl reads and writes through its terminal alone, so that tests can run it in their own process', () => {
    const around = sourceFiles('bin/leadctl').filter((file) =>
      /\bconsole\.|\bprocess\b(?!\.(once|off)\(name, abort\))/.test(codeOf(file)),
    );
    expect(around).toEqual([]);
  });

  test('the reading of imports works at all', () => {
    expect(importsOf('lambdas/ingest-server/handler.ts')).toContain('lambdas/ingest-pipeline.ts');
  });
});
