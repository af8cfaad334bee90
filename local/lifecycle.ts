import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';

type Close = () => void | Promise<void>;

/** Closes what was started, last started first, also when the start fails half-way. */
export interface Closers {
  /** Registers a function that closes something. It runs at once if closing has already begun. */
  defer(close: Close): void;
  close(): Promise<void>;
}

export function makeClosers(): Closers {
  const stack: Close[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
      // One failure must not leave the rest running.
      await Promise.resolve()
        .then(close)
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
  }

  return {
    defer(close) {
      stack.push(close);
      if (closing !== undefined) closing = closing.then(closeAll);
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** A problem that the user can fix. Shown as one line, without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_CHECK_MILLISECONDS = 500;

/** Listens for Ctrl-C and similar signals. The first shuts down in order; a second one exits at once. */
export function listenForShutdown(): { readonly signal: AbortSignal; readonly requested: Promise<void> } {
  const controller = new AbortController();
  const requested = Promise.withResolvers<void>();
  const stop = () => {
    controller.abort(new Error('shutdown requested'));
    requested.resolve();
  };
  for (const name of SIGNALS) {
    process.on(name, () => (controller.signal.aborted ? process.exit(1) : stop()));
  }
  // A parent with an IPC channel, such as a test run, may be killed as well.
  process.once('disconnect', stop);
  if (process.env.npm_lifecycle_event === 'start') stopWithParent(stop);
  return { signal: controller.signal, requested: requested.promise };
}

/** npm forwards signals, but a killed npm forwards nothing: without this we would keep running unseen. */
function stopWithParent(stop: () => void): void {
  const ancestors = npmAncestors();
  const timer = setInterval(() => {
    if (npmAncestors() === ancestors) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MILLISECONDS);
  timer.unref();
}

/** The process ids from here up to npm, which is our parent or the parent of a shell in between. */
function npmAncestors(): string {
  const parent = process.ppid;
  try {
    // "pid (command) state ppid …"; a process whose parent dies gets another one at once.
    const [, command, grandparent] =
      /\((.*)\) \w (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return command?.startsWith('npm') ? `${parent}` : `${parent} ${grandparent}`;
  } catch {
    // Without /proc (macOS), the shell replaces itself with the command, so npm is our parent.
    return `${parent}`;
  }
}

export const LOOPBACK = '127.0.0.1';

/** With any port: through a forwarded port, the browser sends that one. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

/** Listens for connections from this machine only. Returns the port. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Closes idle connections at once and the others after the grace period. */
export async function closeServer(server: Server, graceMilliseconds = 0): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearTimeout(timer);
}

/** Serves on any free port until the closers run. Returns the URL. */
export async function listenOnLoopback(server: Server, closers: Closers): Promise<string> {
  const port = await listen(server);
  closers.defer(() => closeServer(server));
  return `http://${LOOPBACK}:${port}`;
}

/** False for a web page whose host name was made to resolve to this machine (DNS rebinding). */
export function isForThisMachine({ headers }: IncomingMessage): boolean {
  return OWN_HOST.test(headers.host ?? '');
}

/** Browsers send the page's origin with every POST; the SDK and curl don't. */
export function isFromProgram(request: IncomingMessage): boolean {
  return request.method === 'POST' && request.headers.origin === undefined && isForThisMachine(request);
}
