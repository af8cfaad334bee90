import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's website, on an origin of its own. It also receives what a form posts by itself. */
export class Website {
  html = '';
  policy = '';
  readonly posts: string[] = [];
  readonly files = new Map<string, string>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  /** Returns its origin. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Chromium asks for it by itself.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    if (request.method === 'POST') this.posts.push(await bodyOf(request));
    const file = this.files.get(request.url ?? '/');
    if (this.policy) response.setHeader('content-security-policy', this.policy);
    if (file !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(this.html);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
