import { readFileSync } from 'node:fs';

const DOCUMENT = readFileSync(new URL('../../docs/browser.md', import.meta.url), 'utf8');

export const SLUG = 'contact-us-7f3k';

export interface Addresses {
  readonly api: string;
  readonly site: string;
}

/** The example of docs/browser.md in this language, with these addresses. */
export function snippet(language: 'html' | 'jsx' | 'js', { api, site }: Addresses): string {
  const found = [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  if (found.length !== 1) throw new Error(`docs/browser.md must have one block of ${language}`);
  return (found[0]?.[1] ?? '')
    .replaceAll('https://leads.example.com', api)
    .replaceAll('https://console.example.com', api)
    .replaceAll('https://shop.example.com', site);
}

/** A whole page, so that only the content is judged for accessibility. */
export function pageWith(content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Contact</title></head>
<body><main><h1>Contact us</h1>${content}</main></body></html>`;
}
