import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { buildSdk } from '../../lib/console-site/build-sdk.ts';
import { allowPages, openContract } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import type { Addresses } from './browser-snippets.ts';

/** What the console's origin serves to other sites. */
export const SDK = buildSdk();

/** A form of the running service that pages of one site may send leads to. */
export interface BrowserForm extends Addresses {
  /** The fields of every lead, oldest first, with the ID that the sender was told. */
  leads(): Promise<{ id: string; fields: Record<string, unknown> }[]>;
  /** The recorded reason of a rejected request, which only the owner sees. */
  reasonOf(requestId: string): Promise<string | undefined>;
}

export async function openBrowserForm(site: string): Promise<BrowserForm> {
  const contract = openContract();
  const { ingestUrl, output } = localStack();
  const tenant = await contract.newTenant();
  await allowPages(contract, tenant, site);
  return {
    api: ingestUrl,
    console: output(OUTPUTS.consoleUrl),
    site,
    slug: tenant.slug,

    async leads() {
      const ids = (await contract.leadIds(tenant)).sort();
      const leads = await Promise.all(ids.map((id) => contract.lead(id)));
      return leads.map((lead, index) => ({ id: ids[index] ?? '', fields: JSON.parse(lead?.body ?? '{}') }));
    },

    async reasonOf(requestId) {
      const headers = { 'x-amzn-requestid': requestId };
      const record = await contract.recordOf({ status: 200, body: '', headers }, tenant.workspaceId);
      return record && String(record.reason);
    },
  };
}

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
