import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { SDK } from './browser-form.ts';

const MAIN = `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ContactForm } from './contact-form.jsx';
createRoot(document.getElementById('root')).render(<StrictMode><ContactForm /></StrictMode>);`;

/** What a page needs to show the bundle that it serves as /app.js. */
export const REACT_ROOT = '<div id="root"></div><script type="module" src="/app.js"></script>';

/** An app that shows the form of this code, next to the SDK as a reader downloads it. */
export function bundleReact(contactForm: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'react-example-'));
  writeFileSync(join(folder, 'contact-form.jsx'), contactForm);
  writeFileSync(join(folder, 'v1.module.js'), SDK.files.get('v1.module.js') ?? '');
  writeFileSync(join(folder, 'main.jsx'), MAIN);
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'main.jsx')],
    bundle: true,
    write: false,
    jsx: 'automatic',
    nodePaths: [join(import.meta.dirname, '../../node_modules')],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  rmSync(folder, { recursive: true });
  return outputFiles[0]?.text ?? '';
}
