import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** The connections that the clients of a function share. Each client has a handler with its own timeout. */
export type SocketPool = (timeoutMilliseconds: number) => NodeHttpHandler;

/** The same settings as the SDK's own agents. */
const KEEP_ALIVE = { keepAlive: true, maxSockets: 50 };

/**
 * While a function is frozen, the other side closes its sockets. After that every idle one may be stale, and there may
 * be more of them than a client has attempts. So the first reset drops them all, and the request is repeated once, on a
 * fresh socket and within the same attempt.
 */
export function makeSocketPool(): SocketPool {
  const agents = { httpAgent: new HttpAgent(KEEP_ALIVE), httpsAgent: new HttpsAgent(KEEP_ALIVE) };
  const staleSocketErrors = new WeakSet();

  for (const agent of Object.values(agents)) {
    const reuseSocket = agent.reuseSocket.bind(agent);
    // The SDK's handler keeps its requests to itself. The agent sees those that take over a used socket.
    agent.reuseSocket = (socket, request) => {
      reuseSocket(socket, request);
      request.once('error', (error: NodeJS.ErrnoException) => {
        if (/^(ECONNRESET|EPIPE)$/.test(error.code as string)) staleSocketErrors.add(error);
      });
    };
  }

  return (timeoutMilliseconds) => {
    const handler = new NodeHttpHandler({
      ...agents,
      connectionTimeout: 500,
      requestTimeout: timeoutMilliseconds,
      // Without this the SDK only warns when a request outlives its time.
      throwOnRequestTimeout: true,
    });
    const handle = handler.handle.bind(handler);

    handler.handle = async (request, options) => {
      const endsAt = performance.now() + timeoutMilliseconds;
      try {
        return await handle(request, options);
      } catch (error) {
        const requestTimeout = endsAt - performance.now();
        if (requestTimeout < 1 || !staleSocketErrors.has(error as Error)) throw error;
        for (const { freeSockets } of Object.values(agents)) {
          for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
        }
        // The same signed bytes. Like a retry of the SDK, this may do once more what the first try has already done.
        return handle(request, { ...options, requestTimeout });
      }
    };
    return handler;
  };
}
