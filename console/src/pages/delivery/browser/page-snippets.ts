import type { Role } from '#model/lead-fields.ts';
import { TEST_MARK } from '#model/limits.ts';
import { roleOf } from '#scoring/roles.ts';
import { ADDED_FIELDS } from '#sdk/read-lead.ts';
import { singleQuoted } from '../snippets/snippet.ts';

type ConfiguredField = NonNullable<Parameters<typeof roleOf>[1]>[number];

/** A field of the form on a page. */
interface PageField {
  readonly key: string;
  readonly label: string;
  readonly type?: 'email' | 'tel';
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly isLong?: boolean;
}

/** No type for a website: browsers would insist on `https://`. */
const CONTROLS: Readonly<Record<Role, Omit<PageField, 'key' | 'label'>>> = {
  name: { autocomplete: 'name', required: true },
  email: { type: 'email', autocomplete: 'email', required: true },
  phone: { type: 'tel', autocomplete: 'tel' },
  firstName: { autocomplete: 'given-name' },
  lastName: { autocomplete: 'family-name' },
  company: { autocomplete: 'organization' },
  website: { autocomplete: 'url' },
  country: { autocomplete: 'country-name' },
  message: { isLong: true },
};

const USUAL_FIELDS: readonly ConfiguredField[] = [{ key: 'name' }, { key: 'email' }, { key: 'message' }];

/** What visitors fill in. People who see a honeypot fill it in, so honeypots are left out: the SDK adds its own. */
export function pageFields(configured: readonly ConfiguredField[]): PageField[] {
  const fields = configured.length > 0 ? configured : USUAL_FIELDS;
  return fields.flatMap(({ key, label = '' }) => {
    const role = roleOf({ key, value: '' }, fields);
    if (role === 'honeypot' || key === TEST_MARK || ADDED_FIELDS.includes(key)) return [];
    return { key, label: label || labelOf(key), ...(role && role !== 'about' && CONTROLS[role]) };
  });
}

/** `work_email` is “Work email”. */
function labelOf(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim() || key;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface PageSnippetInput {
  /** The service's base URL. */
  readonly endpoint: string;
  /** The folder that the SDK is served from. */
  readonly sdkUrl: string;
  /** The immutable file. Without it, the script is the one that gets fixes, which has no integrity hash. */
  readonly script?: { readonly file: string; readonly integrity: string } | undefined;
  readonly slug: string;
  /** Where the form goes without JavaScript. */
  readonly fallbackUrl: string;
  readonly fields: readonly PageField[];
}

/** Code for a web page. The examples in docs/browser.md are these, for a form without configured fields. */
export interface PageSnippet {
  readonly id: string;
  readonly label: string;
  readonly write: (input: PageSnippetInput) => string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const htmlText = (text: string) =>
  text.toWellFormed().replace(/[&<>"\r\n]/g, (found) => ENTITIES[found] ?? `&#${found.charCodeAt(0)};`);

const HTML: PageSnippet = {
  id: 'html',
  label: 'HTML',
  write: ({ endpoint, sdkUrl, script, slug, fallbackUrl, fields }) => {
    const source = script
      ? `src="${htmlText(`${sdkUrl}/${script.file}`)}" integrity="${htmlText(script.integrity)}" crossorigin`
      : `src="${htmlText(sdkUrl)}/v1.js"`;
    return `<form data-lead-form="${htmlText(slug)}" action="${htmlText(fallbackUrl)}" method="post">
${fields.map((field) => `  <p><label>${htmlText(field.label)} ${htmlControl(field)}</label></p>\n`).join('')}\
  <button>Send</button>
</form>
<script ${source} data-endpoint="${htmlText(endpoint)}" defer></script>
`;
  },
};

function htmlControl({ key, type, autocomplete, required, isLong }: PageField): string {
  const attributes = [
    `name="${htmlText(key)}"`,
    type && `type="${type}"`,
    autocomplete && `autocomplete="${autocomplete}"`,
    required && 'required',
  ];
  const inside = attributes.filter(Boolean).join(' ');
  return isLong ? `<textarea ${inside}></textarea>` : `<input ${inside}>`;
}

const REACT: PageSnippet = {
  id: 'react',
  label: 'React',
  write: ({ endpoint, slug, fallbackUrl, fields }) => `'use client';

import { useEffect, useRef } from 'react';
import { enhanceForm } from './v1.module.js';

const OPTIONS = { endpoint: ${singleQuoted(endpoint)}, form: ${singleQuoted(slug)} };

export function ContactForm() {
  const form = useRef(null);
  useEffect(() => enhanceForm(form.current, OPTIONS), []);
  return (
    <form ref={form} action=${jsxAttribute(fallbackUrl)} method="post">
${fields.map((field) => `      <p><label>${jsxText(field.label)} ${jsxControl(field)}</label></p>\n`).join('')}\
      <button>Send</button>
    </form>
  );
}
`,
};

function jsxControl({ key, type, autocomplete, required, isLong }: PageField): string {
  const attributes = [
    `name=${jsxAttribute(key)}`,
    type && `type="${type}"`,
    autocomplete && `autoComplete="${autocomplete}"`,
    required && 'required',
  ];
  return `<${isLong ? 'textarea' : 'input'} ${attributes.filter(Boolean).join(' ')} />`;
}

/** JSX decodes entities and has no escapes, so anything unusual becomes an expression. */
const isPlain = (text: string) => /^[\p{L}\p{N}](?:[\p{L}\p{N} ,.:/?*_-]*[\p{L}\p{N}?*.:])?$/u.test(text);
const jsxAttribute = (text: string) => (isPlain(text) ? `"${text}"` : `{${JSON.stringify(text)}}`);
const jsxText = (text: string) => (isPlain(text) ? text : `{${JSON.stringify(text)}}`);

const FETCH: PageSnippet = {
  id: 'fetch',
  label: 'Plain fetch',
  write: ({ endpoint, slug }) => `const ENDPOINT = ${singleQuoted(`${endpoint}/api/v1/browser`)};

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json' };
  if (token) headers.authorization = \`Bearer \${token}\`;
  const response = await fetch(\`\${ENDPOINT}/\${path}\`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

// Create it once per filled form, and use it again for every retry.
function createNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Returns the submission ID, or undefined if the lead was rejected.
async function sendLead(lead, nonce) {
  const { token } = await post('token', { form: ${singleQuoted(slug)}, nonce });
  const { submission_id } = await post('submissions', lead, token);
  return submission_id;
}
`,
};

export const PAGE_SNIPPETS: readonly PageSnippet[] = [HTML, REACT, FETCH];

/** The service's base URL, from the form's webhook URL. */
export function endpointOf(webhookUrl: string): string {
  return webhookUrl.replace(/\/api\/v1\/ingest\/[^/]*$/, '');
}

/** A page of the owner's site if one is known. A pattern names no site. */
export function fallbackUrlOf(origins: readonly string[]): string {
  const site = origins.find((origin) => !origin.includes('*')) ?? 'https://www.example.com';
  return `${site}/contact`;
}

/** The current SDK, from `/sdk/v1.json`. Undefined if it is not what this page expects. */
export function readSdkScript(manifest: unknown): { file: string; integrity: string } | undefined {
  if (typeof manifest !== 'object' || manifest === null || !('script' in manifest)) return undefined;
  const { script } = manifest;
  if (typeof script !== 'object' || script === null) return undefined;
  if (!('file' in script) || !('integrity' in script)) return undefined;
  const { file, integrity } = script;
  if (typeof file !== 'string' || typeof integrity !== 'string') return undefined;
  const isKnown = /^v1-[0-9a-f]+\.js$/.test(file) && /^sha384-[A-Za-z0-9+/=]+$/.test(integrity);
  return isKnown ? { file, integrity } : undefined;
}
