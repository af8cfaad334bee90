import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const DOCUMENTS = [...globSync('*.md'), ...globSync('docs/**/*.md')].sort();

/** Links and pictures to files of the repository; addresses and anchors aside. */
function localLinks(document: string): string[] {
  const text = readFileSync(document, 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => (target as string).replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

describe('the documents', () => {
  test('are found', () => {
    expect(DOCUMENTS).toEqual(
      expect.arrayContaining(['README.md', 'docs/architecture.md', 'docs/guarantees.md']),
    );
  });

  test.each(DOCUMENTS)('%s links to nothing that is missing', (document) => {
    const missing = localLinks(document).filter((link) => !existsSync(resolve(dirname(document), link)));
    expect(missing).toEqual([]);
  });
});

test('every promise of docs/guarantees.md points to its evidence', () => {
  const promises = readFileSync('docs/guarantees.md', 'utf8')
    .split(/^## (?=\d)/m)
    .slice(1);
  expect(promises).toHaveLength(7);
  for (const promise of promises) expect(promise).toMatch(/\]\(\.\.\/test\//);
});
