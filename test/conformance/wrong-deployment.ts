import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { OPAQUE_REJECTION, OUTPUTS } from '../../lambdas/contract.ts';
import { closeServer, listen } from '../../local/lifecycle.ts';
import { localStack } from '../local-stack.ts';

/** Forwards a request byte for byte, and returns the whole response. */
async function passOn(request: IncomingMessage, to: URL) {
  const body = await buffer(request);
  const passed = send({
    host: to.hostname,
    port: to.port,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: request.rawHeaders.map((text, index, all) => (all[index - 1] === 'Host' ? to.host : text)),
  });
  passed.end(body);
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  return { answer, body: await buffer(answer) };
}

/** The stack of the test run, but with other servers at some of its addresses, which are named by their outputs. */
async function standBefore(listeners: Readonly<Record<string, RequestListener>>, path = '') {
  const servers = Object.entries(listeners).map(([name, listener]) => ({
    name,
    server: createServer(listener),
  }));
  for (const { server } of servers) await listen(server);
  const addresses = servers.map(({ name, server }) => [
    name,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'wrong-deployment-'));
  const outputsFile = join(folder, 'outputs.json');
  const stacks = JSON.parse(readFileSync(localStack().outputsFile, 'utf8')) as Record<string, object>;
  const [[name, outputs] = ['', {}]] = Object.entries(stacks);
  writeFileSync(outputsFile, JSON.stringify({ [name]: { ...outputs, ...Object.fromEntries(addresses) } }));
  return {
    outputsFile,
    stop() {
      for (const { server } of servers) void closeServer(server);
      rmSync(folder, { recursive: true });
    },
  };
}

/** The stack of the test run, in an account whose Lambda concurrency is `room`. Requests beyond it get no function. */
export async function startBusyAccount({ room }: { readonly room: number }) {
  const seen = { atOnce: 0, most: 0, refused: 0 };

  function passIfRoom(output: string): RequestListener {
    const target = new URL(localStack().output(output));
    return (request, response) => {
      seen.atOnce += 1;
      seen.most = Math.max(seen.most, seen.atOnce);
      if (seen.atOnce > room) {
        seen.atOnce -= 1;
        seen.refused += 1;
        request.resume();
        // What API Gateway returns if Lambda did not start the function.
        response.writeHead(OPAQUE_REJECTION.statusCode, { 'content-type': OPAQUE_REJECTION.contentType });
        response.end(OPAQUE_REJECTION.body);
        return;
      }
      passOn(request, target).then(
        ({ answer, body }) => {
          // Before the client gets the response and sends the next request.
          seen.atOnce -= 1;
          response.writeHead(answer.statusCode ?? 500, answer.rawHeaders).end(body);
        },
        () => {
          seen.atOnce -= 1;
          response.destroy();
        },
      );
    };
  }

  const names = [OUTPUTS.ingestUrl, OUTPUTS.settingsUrl];
  const account = await standBefore(Object.fromEntries(names.map((name) => [name, passIfRoom(name)])));
  return { ...account, seen };
}

interface WrongResponse {
  readonly status: number;
  readonly body: string;
}

/** Rejects everything on Surface 1b, and accepts everything on Surface 1a but browser tokens. Echoes all other requests. */
function respondWrongly({ url = '', headers }: IncomingMessage, body: string): WrongResponse {
  if (url.includes('/api/v1/ingest/')) return { status: 200, body: OPAQUE_REJECTION.body };
  if (url.endsWith('/api/v1/ingest') && !headers.authorization?.includes('ingt_brw_')) {
    return { status: 202, body: JSON.stringify({ submission_id: randomUUID() }) };
  }
  // Like a service whose error messages repeat what was sent, including credentials.
  return { status: 400, body: JSON.stringify({ url, headers, body: body.slice(0, 1_000) }) };
}

/** The stack of the test run, but with another server for its senders. */
export async function startWrongDeployment() {
  const echoed: string[] = [];
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { status, body: answer } = respondWrongly(request, body);
      if (status === 400) echoed.push(answer);
      response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() });
      response.end(answer);
    });
  };
  const addresses = { [OUTPUTS.ingestUrl]: listener, [OUTPUTS.sourcesUrl]: listener };
  return { ...(await standBefore(addresses, '/stage')), echoed };
}
