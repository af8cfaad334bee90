import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FaultType, HttpResponse } from '../gateway/gateway-responses.ts';
import { type ApiHandler, type Gateway, openGateway } from '../gateway/server.ts';
import { StartupError } from '../lifecycle.ts';
import { type BucketFiles, contentTypeOf, type Header } from './bucket-files.ts';
import type { Behavior } from './distribution.ts';

const FAULT_STATUS: Readonly<Partial<Record<FaultType, number>>> = {
  DEFAULT_4XX: 400,
  MISSING_AUTHENTICATION_TOKEN: 403,
};

/** Responds as the distribution does. */
export function openDistribution(behaviors: readonly Behavior[]): ApiHandler {
  return {
    async respond(incoming, exchange) {
      const method = incoming.method ?? 'GET';
      const path = pathOf(incoming);
      const behavior = behaviors.find((it) => path !== undefined && it.path.test(path));
      if (path === undefined || behavior === undefined) return statusResponse(400);
      if (!behavior.methods.includes(method)) return statusResponse(403);
      const { origin, headers, rewrite, compresses, cookies } = behavior;
      if ('respond' in origin) {
        keepCookies(incoming, cookies);
        return withHeaders(await origin.respond(incoming, exchange), headers);
      }
      const file = fetchFile(origin, rewrite(method, path));
      return withHeaders(compresses ? compress(file, incoming) : file, headers);
    },
    responseFault: (type) => statusResponse(FAULT_STATUS[type] ?? 500),
  };
}

/** Removes the cookies that CloudFront does not forward. */
export function keepCookies(
  incoming: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  names: ReadonlySet<string>,
): void {
  const given = incoming.headers.cookie;
  if (given === undefined) return;
  const kept = given.split(/; */).filter((cookie) => names.has(cookie.split('=', 1)[0] ?? ''));
  const others = incoming.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 && name.toLowerCase() !== 'cookie' ? [name, all[index + 1] ?? ''] : [],
  );
  delete incoming.headers.cookie;
  incoming.rawHeaders = others;
  if (kept.length === 0) return;
  incoming.headers.cookie = kept.join('; ');
  incoming.rawHeaders.push('cookie', kept.join('; '));
}

/** The path with `.` and `..` resolved, as CloudFront does before it chooses a behavior. */
function pathOf({ url = '/' }: IncomingMessage): string | undefined {
  // Clients that use us as a proxy send the whole URL.
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return target.startsWith('/') ? URL.parse(`http://console${target}`)?.pathname : undefined;
}

function fetchFile(files: BucketFiles, uri: string): HttpResponse {
  const key = decode(uri.slice(1));
  const file = key === undefined ? undefined : files.get(key);
  if (key === undefined || file === undefined) return statusResponse(key === undefined ? 400 : 404);
  const headers = [
    ['content-type', contentTypeOf(key)],
    ...(file.cacheControl === undefined ? [] : [['cache-control', file.cacheControl]]),
  ] as [string, string][];
  return { statusCode: 200, headers, body: file.contents };
}

function withHeaders(response: HttpResponse, headers: readonly Header[]): HttpResponse {
  return { ...response, headers: [...response.headers, ...headers] };
}

/** The types that CloudFront compresses, of those that the console has. */
const COMPRESSED_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
]);
const MIN_COMPRESSED_BYTES = 1_000;
const compressed = new WeakMap<Buffer, Buffer>();

/**
 * Compresses the files that CloudFront compresses, with gzip only: browsers don't accept Brotli over plain HTTP.
 * At the best level, which still makes larger files than CloudFront's Brotli.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html
 */
function compress(response: HttpResponse, { headers }: IncomingMessage): HttpResponse {
  const { body } = response;
  const [, type = ''] = response.headers.find(([name]) => name === 'content-type') ?? [];
  if (body.length < MIN_COMPRESSED_BYTES || !COMPRESSED_TYPES.has(type)) return response;
  const varying = withHeaders(response, [['vary', 'Accept-Encoding']]);
  if (!/\bgzip\b/.test(String(headers['accept-encoding']))) return varying;
  const smaller = compressed.get(body) ?? gzipSync(body, { level: 9 });
  compressed.set(body, smaller);
  return { ...withHeaders(varying, [['content-encoding', 'gzip']]), body: smaller };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function statusResponse(statusCode: number): HttpResponse {
  return {
    statusCode,
    headers: [['content-type', 'text/plain']],
    body: Buffer.from(`${STATUS_CODES[statusCode]}\n`),
  };
}

const LAST_PORT = 65_535;

/** Opens the next port, so that bookmarks keep working, or any free port if that one is in use. */
export async function openOnNextPort(port: number): Promise<Gateway> {
  if (port === 0 || port === LAST_PORT) return openGateway(0);
  try {
    return await openGateway(port + 1);
  } catch (error) {
    if (error instanceof StartupError) return openGateway(0);
    throw error;
  }
}
