import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
/** Below the ports that systems lend to outgoing connections: nobody takes ours while the stack is down. */
const COUNT = 10_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch {
      // Taken: try another.
    }
  }
}
