import { readFileSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_CHECK_MILLISECONDS = 500;

/** Listens for Ctrl-C and its relatives. The first ends everything in order; a second one does not wait for that. */
export function listenForShutdown(): { readonly signal: AbortSignal; readonly requested: Promise<void> } {
  const controller = new AbortController();
  const requested = Promise.withResolvers<void>();
  const stop = () => {
    controller.abort(new Error('requested to stop'));
    requested.resolve();
  };
  for (const name of SIGNALS) {
    process.on(name, () => (controller.signal.aborted ? process.exit(1) : stop()));
  }
  // Whoever started us with a channel, a test run for one, may be killed as well.
  process.once('disconnect', stop);
  if (process.env.npm_lifecycle_event === 'start') stopWithParent(stop);
  return { signal: controller.signal, requested: requested.promise };
}

/** npm passes signals on, but a killed npm passes nothing: without it we would go on unseen. */
function stopWithParent(stop: () => void): void {
  const ancestors = npmAncestors();
  const timer = setInterval(() => {
    if (npmAncestors() === ancestors) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MILLISECONDS);
  timer.unref();
}

/** The processes from here up to npm: itself our parent, or the parent of a shell in between. */
function npmAncestors(): string {
  const parent = process.ppid;
  try {
    // "pid (command) state ppid …"; a process whose parent dies gets another one at once.
    const [, command, grandparent] =
      /\((.*)\) \w (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return command?.startsWith('npm') ? `${parent}` : `${parent} ${grandparent}`;
  } catch {
    // No /proc: there the shell gives way to the command that it runs, and npm is our parent.
    return `${parent}`;
  }
}
