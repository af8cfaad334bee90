import { randomBytes } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { browserConfigurations } from '#browser/browser-configuration-store.ts';
import { makeBrowserSubmission } from '#browser/browser-submission/handler.ts';
import type { SigningKey } from '#browser/browser-token.ts';
import { makeMintToken } from '#browser/mint-token/handler.ts';
import { gatewayEvent, type Request, type Sender } from '#local/fixture/ingest-fixture.ts';
import { makeOwnerAdministration } from '#workspaces/administration.ts';
import { openSubmissionFixture } from '../submission/submission-fixture.ts';

export const ORIGIN = 'https://shop.example.com';
export const CORS = { 'Access-Control-Allow-Origin': '*' };

export const newNonce = () => randomBytes(16).toString('hex');

interface Minting {
  readonly slug: string;
  readonly nonce: string;
  readonly origin?: string;
}

/** Both functions of browsers on the ingest fixture, with keys that a test can change. */
export function openBrowserFixture() {
  const fixture = openSubmissionFixture();
  const { client, clock, stack, observer } = fixture;
  const now = () => clock.now;
  const administrationOf = makeOwnerAdministration({
    client: observer,
    tables: stack.tables,
    now,
    randomBytes,
  });
  const keys: { list: SigningKey[] } = { list: [{ keyId: 'k1', secret: Buffer.alloc(32, 1) }] };
  const readKeys = async () => keys.list;
  const mintLines: string[] = [];
  const mintToken = makeMintToken({ readKeys, now, write: (line) => void mintLines.push(line) });

  function newBrowser() {
    const { dependencies, logLines } = fixture.newEnvironment();
    const submission = makeBrowserSubmission({
      ...dependencies,
      forms: browserConfigurations({ client, tables: stack.tables, readKeys }),
    });
    const submit = (token: string, { headers, ...request }: Request = {}) =>
      submission(
        gatewayEvent('/api/v1/browser/submissions', null, request, {
          Authorization: `Bearer ${token}`,
          Origin: ORIGIN,
          ...(headers as Record<string, string>),
        }),
        {} as Context,
      );
    return { submit, logLines };
  }

  function requestToken(body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return mintToken(gatewayEvent('/api/v1/browser/token', null, { body: text }, headers), {} as Context);
  }

  async function mint({ slug, nonce, origin = ORIGIN }: Minting): Promise<string> {
    const response = await requestToken({ form: slug, nonce }, { Origin: origin });
    return (JSON.parse(response.body) as { token: string }).token;
  }

  function preflight() {
    const event = gatewayEvent('/api/v1/browser/token', null, { body: null }, { Origin: ORIGIN });
    return mintToken({ ...event, httpMethod: 'OPTIONS' }, {} as Context);
  }

  /** A form that takes leads from these origins. */
  async function newPage(origins: readonly string[] = [ORIGIN]): Promise<Sender> {
    const sender = await fixture.newSender();
    await administrationOf(sender.workspaceId).updateForm(sender.formId, {
      browser: { enabled: true, origins },
    });
    return sender;
  }

  return {
    ...fixture,
    administrationOf,
    keys,
    mintLines,
    newBrowser,
    requestToken,
    mint,
    preflight,
    newPage,
  };
}
