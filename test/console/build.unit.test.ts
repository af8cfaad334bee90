import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { METHODS, resolve, type Schema } from '../../console/api-pages/document.ts';
import { apiDocument, apiPage, renderPage } from '../../console/api-pages/emit-api-pages.ts';
import { guidePage } from '../../console/api-pages/guide-page.ts';
import { leaveOutMessages, withoutUnused } from '../../console/build-plugins.ts';
import { guideAddress, TERMS, type TermName } from '../../console/src/shared/terms.ts';

const textOf = (page: string) =>
  page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe.each(['ingest', 'settings'])('the page of the %s API', (name) => {
  const document = apiDocument(name);
  const page = apiPage(name);

  test('has every operation with its method, path, summary and responses', () => {
    for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks })) {
      for (const method of METHODS) {
        const operation = item[method];
        if (!operation) continue;
        const from = page.indexOf(`<section id="${operation.operationId}"`);
        expect(from).toBeGreaterThan(0);
        const section = textOf(page.slice(from, page.indexOf('</section>', from)));
        expect(section).toContain(`${method.toUpperCase()} ${path}`);
        expect(section).toContain((operation.summary ?? item.summary ?? '').replaceAll('`', ''));
        for (const status of Object.keys(operation.responses)) expect(section).toContain(`\n${status} `);
      }
    }
  });

  test('has every field of every schema', () => {
    const text = textOf(page);
    const visit = (schema: Schema): void => {
      for (const [field, each] of Object.entries(schema.properties ?? {})) {
        expect(text).toContain(field);
        visit(each);
      }
      if (schema.items) visit(schema.items);
    };
    for (const schema of Object.values(document.components.schemas ?? {})) visit(schema);
  });

  test('has no dead or duplicate links', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test('requests nothing that the content security policy forbids', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\/[^"<\s]*\.(?:js|css)/);
  });
});

describe('the guide', () => {
  const page = guidePage();
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

  test('explains every term that the console links to', () => {
    const names = Object.keys(TERMS) as TermName[];
    for (const name of names) expect(ids).toContain(guideAddress(name).split('#')[1]);
  });

  test('has no dead or duplicate links, and nothing that the content security policy forbids', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<img/);
  });
});

test('escapes the text of a document', () => {
  const document = {
    ...apiDocument('ingest'),
    info: { title: '<b>"T"</b>', description: 'a `<i>` & **b**\n\nsecond' },
  };
  const page = renderPage(document, { source: 'x.json', others: [] });
  expect(page).toContain('<h1>&lt;b&gt;&quot;T&quot;&lt;/b&gt;</h1>');
  expect(page).toContain('<p>a <code>&lt;i&gt;</code> &amp; <strong>b</strong></p>\n<p>second</p>');
});

test('a broken reference fails the build', () => {
  expect(() => resolve(apiDocument('ingest'), { $ref: '#/components/schemas/Nobody' })).toThrow(
    'The document refers to #/components/schemas/Nobody, which it does not have.',
  );
});

describe('Cloudscape’s messages', () => {
  const FILE = fileURLToPath(
    new URL('../../node_modules/@cloudscape-design/components/i18n/messages/all.en.js', import.meta.url),
  );
  const ALL = readFileSync(FILE, 'utf8');

  const transform = leaveOutMessages().transform as (code: string, id: string) => unknown;
  const module = (components: object) =>
    `export default ${JSON.stringify({ 'cloudscape-design-components': { en: components } })}`;

  test('only messages of components that the console uses are kept', () => {
    const left = withoutUnused(ALL);
    expect(left.length).toBeLessThan(ALL.length * 0.6);
    expect(left).toContain('"table":{');
    expect(left).not.toContain('"property-filter":{');
    expect(transform(ALL, FILE)).toEqual({ code: left, map: null });
  });

  test('a module that needs a removed message fails the build', () => {
    const code = "const i18n = useInternalI18n('wizard');";
    expect(() => transform(code, '/components/wizard/index.js')).toThrow('uses the messages of wizard');
    expect(transform("useInternalI18n('table')", '/components/table/index.js')).toBeUndefined();
  });

  test('a message that needs the removed parser fails the build', () => {
    const parsed = module({ table: { label: [{ type: 0, value: 'A table' }] } });
    expect(withoutUnused(parsed)).toBe(parsed);
    expect(() => withoutUnused(module({ table: { label: 'A table' } }))).toThrow('not parsed');
  });
});
