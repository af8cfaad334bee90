import { Resolver } from 'node:dns/promises';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest, type RequestOptions as SecureOptions } from 'node:https';
import { AddressFault, isLoopbackUrl, isPublicAddress, parseDestinationUrl } from './public-address.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How the receiver responded. Without a response, there is an error instead of a status. */
export interface OutboundResult {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The beginning of the response. */
  readonly excerpt?: string | undefined;
}

export type PostRequest = (request: OutboundRequest, signal: AbortSignal) => Promise<OutboundResult>;

/** The IPv4 addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export interface OutboundOptions {
  readonly resolve: ResolveName;
  readonly allowLoopback: boolean;
  /** How to reach a checked address. Tests reach their own servers, with their own certificate authority. */
  readonly reach?: (address: string) => Pick<SecureOptions, 'host' | 'port' | 'ca'>;
}

const onDefaultPort = (address: string) => ({ host: address, port: 443 });

const EXCERPT_BYTES = 512;

/**
 * Posts to an address on the internet and to no other: the name is resolved once, every address must be public, and
 * the connection goes to the address that was checked. No redirects, no proxy, no kept connections.
 */
export function makePostRequest({
  resolve,
  allowLoopback,
  reach = onDefaultPort,
}: OutboundOptions): PostRequest {
  async function connectionTo(url: URL): Promise<SecureOptions> {
    if (allowLoopback && isLoopbackUrl(url)) return { host: url.hostname, port: url.port || 80 };
    const address = await publicAddressOf(url.hostname, resolve);
    return { ...reach(address), servername: url.hostname };
  }

  return async function post({ url: text, headers, body }, signal) {
    try {
      const url = parseDestinationUrl(text, { allowLoopback });
      const connection = await abortable(connectionTo(url), signal);
      const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
        ...connection,
        method: 'POST',
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal,
      });
      return await abortable(responseTo(request, body), signal);
    } catch (error) {
      return { error: signal.aborted ? 'timeout' : errorCode(error) };
    }
  };
}

/** Of a name whose every address is public. One private address among them is enough to refuse: DNS can rebind. */
export async function publicAddressOf(hostname: string, resolve: ResolveName): Promise<string> {
  const addresses = await resolve(hostname);
  const [first] = addresses;
  if (first === undefined) throw new AddressFault('must contain a host name that has an IPv4 address');
  if (!addresses.every(isPublicAddress)) {
    throw new AddressFault('must contain a host name whose addresses are all public');
  }
  return first;
}

export function makeResolveName(servers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return (hostname) => resolver.resolve4(hostname);
}

/** Settles with every way in which a receiver can end the exchange: also an upgrade, which Node reports as no response. */
function responseTo(request: ClientRequest, body: string): Promise<OutboundResult> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('close', () => reject(Object.assign(new Error('closed early'), { code: 'ECONNRESET' })));
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode, error: 'upgrade_not_supported' });
    });
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const isSuccess = status >= 200 && status < 300;
      const result = { status, retryAfterSeconds: retryAfter(headers) };
      // A success needs no body: the status has arrived in time.
      if (isSuccess) {
        response.destroy();
        resolve(result);
        return;
      }
      resolve(readExcerpt(response).then((excerpt) => ({ ...result, excerpt })));
    });
    request.end(body);
  });
}

/** Never more than it keeps, however much is sent. */
function readExcerpt(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      response.destroy();
      resolve(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8'));
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, EXCERPT_BYTES));
      bytes += chunk.length;
      if (bytes >= EXCERPT_BYTES) finish();
    });
    response.on('close', finish);
    response.on('error', finish);
  });
}

/** In seconds, or a date, which is compared with the receiver's own clock. */
function retryAfter({ 'retry-after': header, date }: IncomingHttpHeaders): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,7}$/.test(header.trim())) return Number(header);
  const seconds = (Date.parse(header) - Date.parse(date ?? '')) / 1000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  ETIMEOUT: 'dns_timeout',
  ESERVFAIL: 'dns_failed',
  EREFUSED: 'dns_failed',
  ECONNABORTED: 'connection_reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
};

/** A code that owners can look up. Never a message: some quote what they complain about. */
function errorCode(error: unknown): string {
  if (error instanceof AddressFault) return 'address_not_public';
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && CODES[code] !== undefined) return CODES[code];
  if (code !== undefined && /CERT|TLS|SSL|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls_failed';
  return 'request_failed';
}

/** Ends when the signal aborts, whatever the work is waiting for. */
export function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
