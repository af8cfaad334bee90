import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSocketPool, type SocketPool } from '#aws/socket-pool.ts';
import { PATIENCE_MS } from '../../until.ts';

/** The sockets of a function, which gives up connecting after half a second. These wait as long as tests do. */
export function makePatientSocketPool(): SocketPool {
  const makeHandler = makeSocketPool();
  return (timeoutMilliseconds) => {
    const handler = makeHandler(timeoutMilliseconds);
    handler.updateHttpClientConfig('connectionTimeout', PATIENCE_MS);
    return handler;
  };
}

interface Staleness {
  /** The request is carried out first, and its response is lost with the socket. */
  readonly afterResponse?: boolean;
  readonly delayMilliseconds?: number;
}

/**
 * A TCP proxy that does to sockets what a freeze does: those that were open meet a reset at the next byte. Sockets are
 * never pipelined, so each chunk that begins with a request line is a request.
 */
export async function openFreezingProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const open = new Set<Socket>();
  const stale = new Map<Socket, Staleness>();
  let newSockets: 'pass' | 'reset' | 'silent' = 'pass';
  let requests: { text: string }[] = [];
  let resets = 0;

  function reset(client: Socket) {
    resets += 1;
    client.resetAndDestroy();
  }

  const server = createServer((client) => {
    open.add(client);
    if (newSockets === 'reset') stale.set(client, {});
    const isSilent = newSockets === 'silent';
    const upstream = connect(Number(port), hostname);
    let request = { text: '' };
    client.on('data', async (chunk) => {
      const text = chunk.toString('latin1');
      if (/^POST /.test(text)) {
        request = { text: '' };
        requests.push(request);
      }
      request.text += text;
      const staleness = stale.get(client);
      if (staleness && !staleness.afterResponse) {
        await sleep(staleness.delayMilliseconds ?? 0);
        reset(client);
      } else if (!isSilent) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (stale.has(client) ? reset(client) : client.write(chunk)));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    upstream.on('close', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      upstream.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function closeSockets() {
    for (const client of open) client.destroy();
    while (open.size > 0) await sleep(1);
  }

  return {
    port: (server.address() as AddressInfo).port,
    /** Every socket that is open now becomes stale. */
    freeze(staleness: Staleness = {}) {
      for (const client of open) stale.set(client, staleness);
    },
    /** How sockets behave that are opened from now on. */
    setNewSockets(mode: typeof newSockets) {
      newSockets = mode;
    },
    openSockets: () => open.size,
    resets: () => resets,
    /** The requests since the last reset of the record, those of one call together. */
    requestsByCall(): string[][] {
      const callOf = ({ text }: { text: string }) => /amz-sdk-invocation-id: (\S+)/i.exec(text)?.[1] ?? text;
      return Object.values(Object.groupBy(requests, callOf)).map((sent = []) => sent.map(({ text }) => text));
    },
    async requestsReach(count: number) {
      while (requests.length < count && server.listening) await sleep(1);
    },
    clearRecord() {
      requests = [];
      resets = 0;
    },
    closeSockets,
    async close() {
      server.close();
      await closeSockets();
    },
  };
}
