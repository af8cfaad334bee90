import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import { buildConsole } from '../../lib/console-site/build.ts';

const MOST_BYTES = 400_000;
let folder: string;

beforeAll(() => {
  folder = join(buildConsole(), 'assets');
});

/** A chunk with all that the browser must have before it can run: static imports, not those by `import()`. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(join(folder, file), 'utf8');
  for (const [, imported] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) {
    withImports(imported as string, found);
  }
  return found;
}

const chunk = (name: string) => {
  const [only, ...more] = readdirSync(folder).filter((file) =>
    new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file),
  );
  expect([name, only !== undefined, more]).toEqual([name, true, []]);
  return only as string;
};

const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

function entry(): string {
  const html = readFileSync(join(folder, '../index.html'), 'utf8');
  return /src="\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] as string;
}

test('signing in and the overview load less than 400 KB of compressed JavaScript', () => {
  const files = withImports(chunk('overview-page'), withImports(entry()));
  const bytes = bytesOf(files);
  expect(files.size).toBeGreaterThan(3);
  // Less would mean that the chunks were not found: React and Cloudscape alone are more.
  expect(bytes).toBeGreaterThan(200_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test.each([
  'leads-page',
  'lead-page',
  'forms-page',
  'form-page',
  'delivery-page',
  'send-test-page',
  'tokens-page',
  'diagnostics-page',
])('%s is a chunk of its own', (name) => {
  expect(withImports(entry())).not.toContain(chunk(name));
});
