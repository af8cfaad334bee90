import { readdirSync, readFileSync } from 'node:fs';
import { dirname, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const IGNORED = /(^|\/)(node_modules|cdk\.out|\.local|\.git|dist|coverage)(\/|$)/;
const ROOT_ENTRIES = readdirSync('.', { withFileTypes: true }).filter(({ name }) => !IGNORED.test(name));
const ROOT_FOLDERS = ROOT_ENTRIES.filter((entry) => entry.isDirectory()).map(({ name }) => name);
/** Every file and folder of the repository, by its path from the root. */
const PATHS = new Set([
  ...ROOT_ENTRIES.map(({ name }) => name),
  ...ROOT_FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ).filter((path) => !IGNORED.test(path)),
]);
const DOCUMENTS = [...PATHS].filter((path) => path.endsWith('.md')).sort();

/** A document without its code blocks, which test/docs/commands.full.test.ts runs. */
function proseOf(document: string): string {
  const text = readFileSync(document, 'utf8').replace(/```[\s\S]*?```/g, '');
  // A release keeps the names that it had: only what is unreleased must name files that exist.
  return document === 'CHANGELOG.md' ? text.split(/^## /m).slice(0, 2).join('## ') : text;
}

/** What GitHub makes of the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = plain.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** Links and pictures of a document that lead to no file, or to no heading of one. URLs are not followed. */
function brokenLinks(document: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? document : relative('.', resolve(dirname(document), path));
    if (!PATHS.has(file)) return true;
    if (anchor === undefined || !file.endsWith('.md')) return false;
    return !anchorsOf(file === document ? text : proseOf(file)).has(anchor);
  });
}

/** Files that commands write or the console serves: no part of the repository. */
const WRITTEN = new Set([
  ...[
    'outputs.json',
    'tokens.json',
    'events.jsonl',
    'logs/iam-calls.jsonl',
    'reviewed-leads.ndjson',
    'mail/',
  ],
  ...['service.json', 'v1.js', 'v1.module.js'],
]);
const SOURCE = /[\w*]\.(ts|tsx|js|md|ya?ml|json|jsonl|ndjson|java|css|bin)$/;

/**
 * Words in backticks that look like a path of the repository but lead nowhere. A word that begins with a folder of the
 * root is a path from the root; any other that ends like a source file, or with a slash, is the end of some path.
 * Skipped: URLs, paths of the API, package names and placeholders.
 */
function brokenPaths(text: string): string[] {
  const words = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/[\s"']+/));
  return words.filter((word) => {
    if (/[…<>{}=:,@]|^[/~#]/.test(word) || WRITTEN.has(word) || IGNORED.test(word)) return false;
    const path = word.replace(/\/$/, '');
    const isFromRoot = word.includes('/') && ROOT_FOLDERS.includes(path.split('/')[0] ?? '');
    if (!isFromRoot && !SOURCE.test(word) && !word.endsWith('/')) return false;
    const patterns = isFromRoot ? [path] : [path, `**/${path}`];
    return ![...PATHS].some((each) => patterns.some((pattern) => matchesGlob(each, pattern)));
  });
}

/** A table whose paths begin in the folder of their column. It has its own test. */
const FEATURES = /^\| Feature \| `lambdas\/` .*\n(?:\|.*\n)+/m;

describe('the documents', () => {
  test('are found in every folder', () => {
    const some = ['README.md', 'docs/decisions/0001-conditional-write-gate.md', 'training/README.md'];
    expect(DOCUMENTS).toEqual(expect.arrayContaining(some));
  });

  test.each(DOCUMENTS)('%s has no broken link', (document) => {
    expect(brokenLinks(document, proseOf(document))).toEqual([]);
  });

  test.each(DOCUMENTS)('%s names no path that does not exist', (document) => {
    expect(brokenPaths(proseOf(document).replace(FEATURES, ''))).toEqual([]);
  });

  test('a wrong link, heading or path is found', () => {
    const links =
      '[a](../README.md#what-comes-next) [b](none.md) [c](scoring.md#none) [d](#none) [e](https://x.example/)';
    expect(brokenLinks('docs/search.md', links)).toEqual(['none.md', 'scoring.md#none', '#none']);
    const paths =
      '`lib/` `none/` `lib/none` `npm test -- test/none` `test/docs/none.test.ts` `none.ts` `tables.ts`';
    const wrong = ['none/', 'lib/none', 'test/none', 'test/docs/none.test.ts', 'none.ts'];
    expect(brokenPaths(`${paths} \`test/browser/lead-form*.test.ts\` \`test/none*.ts\` \`/sdk/\``)).toEqual([
      ...wrong,
      'test/none*.ts',
    ]);
  });
});

test('docs/README.md links to every document and every decision', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const paths = DOCUMENTS.filter((document) => /^docs\/(?!README)/.test(document));
  expect(paths.filter((path) => !index.includes(`](${path.slice('docs/'.length)})`))).toEqual([]);
});

describe('the layout', () => {
  const foldersOf = (parent: string) =>
    readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

  test('docs/architecture.md lists every folder of the repository, and every subject of lambdas', () => {
    const layout =
      /## Repository layout\n\n```\n([\s\S]*?)```/.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1] ??
      '';
    const listed = [...layout.matchAll(/^ *([\w-]+)\/ /gm)].map(([, name]) => name);
    const folders = ROOT_FOLDERS.filter((name) => !name.startsWith('.'));
    expect(listed.sort()).toEqual([...folders, ...foldersOf('lambdas')].sort());
  });

  describe('the table of features in docs/architecture.md', () => {
    const [heading, , ...rows] = (FEATURES.exec(proseOf('docs/architecture.md'))?.[0] ?? '')
      .trim()
      .split('\n')
      .map((row) => row.split('|').slice(1, -1));
    const columns = (heading ?? []).slice(1).map((cell) => cell.replaceAll(/[` ]/g, ''));
    const named = rows.flatMap((row) =>
      row
        .slice(1)
        .flatMap((cell, column) =>
          [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => `${columns[column]}${path}`.replace(/\/$/, '')),
        ),
    );

    test('leads to paths that exist in the folder of their column', () => {
      expect(columns).toEqual(['lambdas/', 'lib/', 'console/src/', 'docs/', 'test/']);
      expect(named.filter((path) => !PATHS.has(path))).toEqual([]);
    });

    test('leads to every subject, every page of the console and every folder of tests', () => {
      const parents = ['lambdas', 'console/src/pages', 'test'];
      const folders = parents.flatMap((parent) => foldersOf(parent).map((name) => `${parent}/${name}`));
      const isNamed = (folder: string) =>
        named.some((path) => path === folder || path.startsWith(`${folder}/`));
      expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
    });
  });
});
