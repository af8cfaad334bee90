import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ASSUMPTIONS } from '../../bench/cost/prices.ts';
import { buildConsole } from '../../lib/console-site/build.ts';

const MAX_BYTES = 400_000;
const ROUTES = new URL('../../console/src/page-code.ts', import.meta.url);

/** File names of the pages, read from the routes, so that a new page is measured too. */
const PAGES = [
  ...readFileSync(ROUTES, 'utf8').matchAll(/import\('\.\/pages\/[\w/-]+\/([\w-]+)\.tsx'\)/g),
].map(([, name]) => name as string);

/** One language is highlighted at a time. PHP is the largest, so the others are not counted. */
const OTHER_LANGUAGES = /^(sh|javascript|python|ruby|go)-/;

let html: string;
let folder: string;
let entry: Set<string>;
let signIn: Set<string>;
/** What every page needs. */
let app: Set<string>;

beforeAll(() => {
  const build = buildConsole();
  folder = join(build, 'assets');
  html = readFileSync(join(build, 'index.html'), 'utf8');
  entry = withImports(/src="\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] as string);
  signIn = withImports(chunk('sign-in'), new Set(entry));
  app = withImports(chunk('app'), new Set(entry));
});

const code = (file: string) => readFileSync(join(folder, file), 'utf8');
const filesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, file]) => file as string);

/** Chunks that are loaded before this one runs. Their names have a hash, unlike those in snippets. */
const importedBy = (file: string) =>
  filesIn(code(file), /(?:from|import)\s*["'`]\.\/([\w.~-]+-[\w-]{8}\.js)["'`]/g);
/** Chunks that this one loads while it runs. */
const loadedBy = (file: string) => filesIn(code(file), /import\(["'`]\.\/([\w.~-]+\.js)["'`]\)/g);

function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of importedBy(file)) withImports(imported, found);
  return found;
}

/** A page opened by its URL, with everything that it may load later. */
function deepLink(page: string): Set<string> {
  const files = withImports(chunk(page), new Set(app));
  // Grows during the loop: a loaded chunk may load others. The app loads the other pages.
  for (const file of files) {
    if (app.has(file)) continue;
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

test('the entry loads sign-in, or the app and its pages', () => {
  expect([...entry].flatMap(loadedBy).sort()).toEqual(['app', 'sign-in', ...PAGES].map(chunk).sort());
  const loaded = [...app].filter((file) => !entry.has(file)).flatMap(loadedBy);
  expect(loaded).toEqual(['sign-in-again'].map(chunk));
});

test('the page says what is loading before any script, and its style is small', () => {
  expect(html).toMatch(/<div id="root">\s*<main class="start">\s*<h1>Lead ingest<\/h1>\s*<p>Loading/);
  const styles = filesIn(html, /<link rel="stylesheet"[^>]*href="\/assets\/([\w.-]+)"/g);
  expect(styles).toHaveLength(1);
  expect(bytesOf(styles)).toBeLessThan(1_000);
});

test('sign-in loads nothing of the app', () => {
  const bytes = bytesOf(signIn);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(160_000);
  expect(signIn).not.toContain(chunk('app'));
});

test('no fonts are loaded: devices have them', () => {
  const styles = readdirSync(folder).filter((file) => file.endsWith('.css'));
  expect(styles.filter((file) => code(file).includes('@font-face'))).toEqual([]);
});

test('no file is larger than SECURITY.md assumes for a flood of the console', () => {
  const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
  expect(Math.max(...sizes)).toBeLessThan(ASSUMPTIONS.consoleFileBytes);
});

describe.each(PAGES)('%s', (page) => {
  test('is a separate chunk', () => {
    expect(app).not.toContain(chunk(page));
  });

  test('loads less than 400 KB of compressed JavaScript', () => {
    const bytes = bytesOf(deepLink(page));
    // Less would mean that the chunks were not found: React and Cloudscape alone are more.
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });
});
