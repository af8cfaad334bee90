import { readFileSync } from 'node:fs';

const DOCUMENT = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');

/** What the examples of docs/browser.md ask the reader to replace. */
export interface Addresses {
  readonly api: string;
  readonly console: string;
  readonly site: string;
  readonly slug: string;
}

/** The example of docs/browser.md in this language, with these addresses. */
export function snippet(language: 'html' | 'jsx' | 'js', at: Addresses): string {
  const found = [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  if (found.length !== 1) throw new Error(`docs/browser.md must have one block of ${language}`);
  return (found[0]?.[1] ?? '')
    .replaceAll('https://leads.example.com', at.api)
    .replaceAll('https://console.example.com', at.console)
    .replaceAll('https://shop.example.com', at.site)
    .replaceAll('contact-us-7f3k', at.slug);
}

/** A whole page, so that only the content is judged for accessibility. */
export function pageWith(content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Contact</title></head>
<body><main><h1>Contact us</h1>${content}</main></body></html>`;
}
