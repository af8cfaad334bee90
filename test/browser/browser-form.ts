import { OUTPUTS } from '../../lambdas/contract.ts';
import { buildSdk } from '../../lib/console-site/build-sdk.ts';
import { allowPages } from '../contract/page.ts';
import { openContract } from '../contract/tenant.ts';
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
