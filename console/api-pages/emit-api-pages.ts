import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import type { ApiDocument } from './document.ts';
import { renderPage } from './render-page.ts';

const DOCUMENTS = new URL('../../docs/api/', import.meta.url);

const PAGES = [
  { name: 'ingest', text: 'Ingest API' },
  { name: 'settings', text: 'Settings API' },
] as const;

/** Publishes pages, OpenAPI documents and test vectors under /api-reference/. */
export function emitApiPages(): Plugin {
  return {
    name: 'lead-ingest:api-pages',
    apply: 'build',
    generateBundle() {
      const emit = (fileName: string, source: string) =>
        this.emitFile({ type: 'asset', fileName: `api-reference/${fileName}`, source });
      for (const { name } of PAGES) {
        emit(`${name}.openapi.json`, `${JSON.stringify(apiDocument(name), null, 2)}\n`);
        emit(`${name}.html`, apiPage(name));
      }
      emit('signature-vectors.json', read('signature-vectors.json'));
      emit('api.css', readFileSync(new URL('api.css', import.meta.url), 'utf8'));
    },
  };
}

export function apiDocument(name: string): ApiDocument {
  return parse(read(`${name}.openapi.yaml`)) as ApiDocument;
}

/** The page of one of the documents. */
export function apiPage(name: string): string {
  return renderPage(apiDocument(name), {
    // As JSON, which every browser and bucket has a content type for.
    source: `${name}.openapi.json`,
    others: [
      { href: '/', text: 'Console' },
      ...PAGES.filter((page) => page.name !== name).map((page) => ({
        href: `${page.name}.html`,
        text: page.text,
      })),
      { href: 'signature-vectors.json', text: 'Signature test vectors' },
    ],
  });
}

function read(file: string): string {
  return readFileSync(new URL(file, DOCUMENTS), 'utf8');
}
