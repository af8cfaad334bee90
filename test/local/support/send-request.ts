import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A POST with exactly these headers: unlike `fetch`, also with a `host` of another name. */
export async function post(url: string, headers: Readonly<Record<string, string>>, body = '{}') {
  const outgoing = request(url, { method: 'POST', headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
