import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ASSUMPTIONS } from '../../bench/cost/prices.ts';
import { buildConsole } from '../../lib/console-site/build.ts';

const MOST_BYTES = 400_000;
const ROUTES = new URL('../../console/src/pages.tsx', import.meta.url);

/** By the names of their files, as the routes import them: a new page is measured without a word here. */
const PAGES = [
  ...readFileSync(ROUTES, 'utf8').matchAll(/import\('\.\/pages\/[\w/-]+\/([\w-]+)\.tsx'\)/g),
].map(([, name]) => name as string);

/** Code is coloured in one language at a time: of PHP, which takes the most. The others are not loaded beside it. */
const OTHER_LANGUAGES = /^(sh|javascript|python|ruby|go)-/;

let folder: string;
let entry: Set<string>;

beforeAll(() => {
  const build = buildConsole();
  folder = join(build, 'assets');
  const html = readFileSync(join(build, 'index.html'), 'utf8');
  entry = withImports(/src="\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] as string);
});

const code = (file: string) => readFileSync(join(folder, file), 'utf8');
const filesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, file]) => file as string);

/** What the browser must have before it can run a chunk. */
const importedBy = (file: string) => filesIn(code(file), /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g);
/** What a chunk loads while it runs. */
const loadedBy = (file: string) => filesIn(code(file), /import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g);

function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of importedBy(file)) withImports(imported, found);
  return found;
}

/** A page by its address, with all that it may load later: whether by itself or when something is clicked. */
function deepLink(page: string): Set<string> {
  const files = withImports(chunk(page), new Set(entry));
  // Grows while it is read: what is loaded may load in turn. What the entry loads are the other pages.
  for (const file of files) {
    if (entry.has(file)) continue;
    const loaded = loadedBy(file).filter((it) => !OTHER_LANGUAGES.test(it));
    for (const it of loaded) withImports(it, files);
  }
  return files;
}

function chunk(name: string): string {
  const files = readdirSync(folder).filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  expect([name, files]).toEqual([name, [expect.any(String)]]);
  return files[0] as string;
}

const bytesOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);

test('the pages are those that the entry loads', () => {
  const loaded = [...entry].flatMap(loadedBy);
  expect(loaded.sort()).toEqual(PAGES.map(chunk).sort());
});

test('no file is larger than SECURITY.md assumes for a flood of the console', () => {
  const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
  expect(Math.max(...sizes)).toBeLessThan(ASSUMPTIONS.consoleFileBytes);
});

describe.each(PAGES)('%s', (page) => {
  test('is a chunk of its own', () => {
    expect(entry).not.toContain(chunk(page));
  });

  test('loads, with signing in, less than 400 KB of compressed JavaScript', () => {
    const bytes = bytesOf(deepLink(page));
    // Less would mean that the chunks were not found: React and Cloudscape alone are more.
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});
