import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import { type ApiDocument, METHODS } from './document.ts';
import { guidePage } from './guide-page.ts';
import { html, inline, type Markup, pageHead, prose } from './html.ts';
import { operationSection, type PlacedOperation } from './operation-section.ts';
import { schemaTable } from './schema-table.ts';

const DOCUMENTS = new URL('../../docs/api/', import.meta.url);

const PAGES = [
  { name: 'ingest', text: 'Ingest API' },
  { name: 'settings', text: 'Settings API' },
] as const;

/** Publishes pages, OpenAPI documents and test vectors under /api-reference/, and the guide. */
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
      this.emitFile({ type: 'asset', fileName: 'guide.html', source: guidePage() });
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

interface PageLinks {
  /** The page's OpenAPI document, as a file next to it. */
  readonly source: string;
  readonly others: readonly { readonly href: string; readonly text: string }[];
}

/** One API as one page without scripts, to read, search, print and link to. */
export function renderPage(document: ApiDocument, { source, others }: PageLinks): string {
  const operations = operationsOf(document);
  const groups = (document.tags ?? []).map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }));
  const { title, summary, description } = document.info;
  return html`${pageHead(title, 'api.css')}
<body>
<header>
<p class="trail">${others.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}</p>
<h1>${title}</h1>
<p class="summary">${inline(summary)}</p>
${prose(description)}
<p><a href="${source}">The OpenAPI 3.1 document</a></p>
</header>
<nav aria-label="Operations">
${groups.map(
  ({ name, operations: ofGroup }) => html`<h2>${name}</h2>
<ul>
${ofGroup.map(
  ({ method, path, operation }) =>
    html`<li><a href="#${operation.operationId}"><span class="method">${method.toUpperCase()}</span> ${path}</a></li>
`,
)}</ul>
`,
)}</nav>
<main>
${groups.map(
  ({ name, description: ofGroup, operations: inGroup }) => html`<h2>${name}</h2>
${prose(ofGroup)}
${inGroup.map((placed) => operationSection(document, placed))}`,
)}
${schemas(document)}
</main>
</body>
</html>
`.text;
}

function operationsOf({ paths, webhooks = {} }: ApiDocument): PlacedOperation[] {
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, item, operation }] : [];
    }),
  );
}

function schemas(document: ApiDocument): Markup | false {
  const named = Object.entries(document.components.schemas ?? {});
  if (named.length === 0) return false;
  return html`<h2>Schemas</h2>
${named.map(
  ([name, schema]) => html`<section id="schema-${name}">
<h3>${name}</h3>
${prose(schema.description)}
${schemaTable(document, schema)}
</section>
`,
)}`;
}
