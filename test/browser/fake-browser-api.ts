import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSdk } from '../../lib/console-site/build-sdk.ts';

export interface ReceivedLead {
  readonly form: string;
  readonly nonce: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What happens to a submission. `lost`: it is stored, and the connection breaks before the answer. */
export type Verdict = 'accept' | 'reject' | 'lost';

/** The two routes of the browser API and the SDK's files, on an origin of their own. One nonce makes one lead. */
export class FakeBrowserApi {
  /** For the next submissions, in this order. The rest are accepted. */
  verdicts: Verdict[] = [];
  /** Submissions are answered after this. */
  untilAnswer: Promise<void> = Promise.resolve();
  readonly leads: ReceivedLead[] = [];
  /** The nonce of every token that was minted. */
  readonly mints: string[] = [];
  readonly cookies: string[] = [];
  readonly sdk = buildSdk();
  readonly #tokens = new Map<string, { form: string; nonce: string }>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async open(): Promise<string> {
    return listen(this.#server);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  forget(): void {
    this.verdicts = [];
    this.untilAnswer = Promise.resolve();
    this.leads.length = 0;
    this.mints.length = 0;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.cookie) this.cookies.push(request.headers.cookie);
    response.setHeader('access-control-allow-origin', '*');
    const path = request.url ?? '/';
    const file = this.sdk.files.get(path.replace(/^\/sdk\//, ''));
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    } else if (request.method === 'OPTIONS') {
      response
        .writeHead(204, {
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'authorization,content-type',
        })
        .end();
    } else if (path === '/api/v1/browser/token') {
      const { form, nonce } = JSON.parse(await bodyOf(request));
      this.mints.push(nonce);
      const token = `ingt_brw_${this.mints.length}`;
      this.#tokens.set(token, { form, nonce });
      answerJson(response, 200, { token, expires_in: 120 });
    } else if (path === '/api/v1/browser/submissions') {
      await this.#submit(request, response);
    } else response.writeHead(404).end();
  }

  async #submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fields = JSON.parse(await bodyOf(request));
    const token = this.#tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    await this.untilAnswer;
    const verdict = this.verdicts.shift() ?? 'accept';
    if (!token || verdict === 'reject') return answerJson(response, 200, { status: 'rejected' });
    if (!this.leads.some(({ nonce }) => nonce === token.nonce)) this.leads.push({ ...token, fields });
    if (verdict === 'lost') breakOff(response);
    else answerJson(response, 202, { submission_id: `sub_${token.nonce}` });
  }
}

/** The page with the form, on another origin. It also receives what a form posts by itself. */
export class FakeSite {
  html = '';
  policy = '';
  readonly posts: string[] = [];
  readonly files = new Map<string, string>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async open(): Promise<string> {
    return listen(this.#server);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') this.posts.push(await bodyOf(request));
    const file = this.files.get(request.url ?? '/');
    if (this.policy) response.setHeader('content-security-policy', this.policy);
    if (file !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(this.html);
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** After the headers: without any answer, Chromium itself would repeat the request. */
function breakOff(response: ServerResponse): void {
  response.writeHead(202, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{', () => response.destroy());
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
