import { randomBytes } from 'node:crypto';
import type { HttpAnswer, Send } from '../../conformance/world/http.ts';
import { SAMPLE, type Sender } from '../../conformance/world/submission.ts';
import {
  type AdministrationContext,
  makeOwnerAdministration,
} from '../../lambdas/settings/administration/administration.ts';

export const ORIGIN = 'https://shop.example.com';

export const newNonce = () => randomBytes(16).toString('hex');

/** Lets pages of the origin send leads to the sender's form. */
export async function allowPages(
  { client, tables }: Pick<AdministrationContext, 'client' | 'tables'>,
  { workspaceId, formId }: Pick<Sender, 'workspaceId' | 'formId'>,
): Promise<void> {
  const administrationOf = makeOwnerAdministration({ client, tables, now: Date.now, randomBytes });
  await administrationOf(workspaceId).updateForm(formId, { browser: { enabled: true, origins: [ORIGIN] } });
}

/** What a page sends, through a client that sends any origin. */
export function openPage(send: Send, { slug }: Pick<Sender, 'slug'>, origin = ORIGIN) {
  const headers = { Origin: origin, 'Content-Type': 'application/json' };

  async function mint(nonce: string): Promise<string> {
    const body = JSON.stringify({ form: slug, nonce });
    const answer = await send({ method: 'POST', path: '/api/v1/browser/token', headers, body });
    return (JSON.parse(answer.body) as { token: string }).token;
  }

  async function submit(nonce: string, body: string = SAMPLE): Promise<HttpAnswer> {
    const Authorization = `Bearer ${await mint(nonce)}`;
    return send({
      method: 'POST',
      path: '/api/v1/browser/submissions',
      headers: { ...headers, Authorization },
      body,
    });
  }

  return { mint, submit };
}
