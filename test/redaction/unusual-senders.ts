import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { SURFACES } from '../../lambdas/model/limits.ts';
import {
  allowPages,
  type HttpResponse,
  newNonce,
  ORIGIN,
  openPage,
  send,
  submissionId,
} from '../contract/tenant.ts';
import { until } from '../until.ts';
import { type Canaries, guardedBody, guardedHeaders, type Place, REJECTION_PLACES } from './canaries.ts';
import { type Contract, newGuardedTenant, sendGuarded } from './senders.ts';

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

/** More than the watch needs: on a busy machine, not every rejection is recorded. */
const BROKEN_SUBMISSIONS = 6;

/** Once accepted on both surfaces, and only rejected since, so that the watch opens alerts. Returns the workspace. */
export async function breakSenders(contract: Contract, canaries: Canaries): Promise<string> {
  const { administration, client, tables, diagnostics } = contract;
  const { workspaceId } = await administration.createWorkspace({ name: 'Broken' });
  const named = (what: string, places: readonly Place[]) => canaries.create(what, [...places, 'alerts']);
  const name = named('the name of a form with broken senders', ['forms', 'formSecrets', 'tokens']);
  const { formId, slug } = await administration.createForm({ workspaceId, name });
  const { secret } = await administration.setSecret({ formId });
  const tokenName = named('the name of a broken token', ['tokens']);
  const { token, tokenId } = await administration.createToken({ formId, name: tokenName });
  const tenant = { workspaceId, formId, slug, secret, token, tokenId };
  for (const surface of SURFACES) {
    const what = `what was accepted of a broken sender on ${surface}`;
    const guarded = { what, ofValues: ['leads'], ofKeys: ['leads'], ofUserAgent: [] } as const;
    await sendGuarded(surface, tenant, canaries, guarded);
    for (let count = 0; count < BROKEN_SUBMISSIONS; count += 1) {
      const what = `what was rejected of a broken sender on ${surface}, ${count}`;
      const headers = { 'Content-Type': `text/${canaries.create(`the type of ${what}`, REJECTION_PLACES)}` };
      await sendGuarded(surface, tenant, canaries, { what, submission: { headers } });
    }
  }
  // Rejections are counted by the minute: those of the minute of the last use could be from before it.
  const uses = await until(
    () => diagnostics(workspaceId, 'use#'),
    (found) => found.length === SURFACES.length,
  );
  for (const Item of uses) {
    const lastUsedAt = new Date(Date.parse(String(Item.lastUsedAt)) - 120_000).toISOString();
    await client.send(new PutCommand({ TableName: tables.diagnostics, Item: { ...Item, lastUsedAt } }));
  }
  return workspaceId;
}

/** Accepted, and erased by an operator: nothing of its body is left. Returns its id. */
export async function sendAndErase(
  contract: Contract,
  canaries: Canaries,
  erase: (id: string) => Promise<{ readonly exitCode: number | null }>,
): Promise<string> {
  const tenant = await newGuardedTenant(contract, canaries, 'an erased submission');
  const id = submissionId(
    await sendGuarded('1a', tenant, canaries, { what: 'an erased submission', ofUserAgent: [] }),
  );
  const { exitCode } = await erase(id);
  if (exitCode !== 0) throw new Error(`leadctl ended with ${exitCode}`);
  return id;
}
