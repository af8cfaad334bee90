import { allowPages, newNonce, ORIGIN, openPage } from '../contract/page.ts';
import { type HttpResponse, send } from '../contract/tenant.ts';
import { type Canaries, guardedBody, guardedHeaders, type Place, REJECTION_PLACES } from './canaries.ts';
import { type Contract, newGuardedTenant } from './senders.ts';

/** A page that may send, and one that may not. Tokens and nonces are canaries: only a hash of the nonce is stored. */
export async function sendFromPages(
  contract: Contract,
  canaries: Canaries,
): Promise<[string, HttpResponse][]> {
  const tenant = await newGuardedTenant(contract, canaries, 'a form for pages');
  await allowPages(contract, tenant);

  async function sendFrom(
    what: string,
    origin: string,
    { ofLead, ofUserAgent }: { readonly ofLead: readonly Place[]; readonly ofUserAgent: readonly Place[] },
  ): Promise<[string, HttpResponse]> {
    const page = openPage(send, tenant, origin);
    const nonce = canaries.track(`the nonce of ${what}`, newNonce());
    const token = await page.mint(nonce);
    canaries.track(`the signature of the token of ${what}`, token.slice(-40));
    const body = guardedBody(canaries, what, ofLead, ofLead);
    const headers = guardedHeaders(canaries, what, ofUserAgent);
    return [what, await page.submit(nonce, { token, body, headers })];
  }

  const foreign = canaries.create('an origin that is not allowed', REJECTION_PLACES);
  return [
    await sendFrom('a lead from a page', ORIGIN, { ofLead: ['leads'], ofUserAgent: [] }),
    await sendFrom('a lead from a foreign page', `https://${foreign}.example.com`, {
      ofLead: [],
      ofUserAgent: REJECTION_PLACES,
    }),
  ];
}
